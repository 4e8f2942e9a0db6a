"""Which Python a program gets, and how a plugin is started."""

from pathlib import Path

import pytest

from gpulanes_lab.language_programs import UnsupportedError, plugin_command, python_for


def virtualenv(folder: Path, name: str) -> str:
    python = folder / name / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    return str(python)


def test_a_virtual_environment_is_looked_for_below_the_project(tmp_path: Path) -> None:
    python = virtualenv(tmp_path, "venv")
    assert python_for(tmp_path, {"virtualenv": "venv"}) == python
    assert python_for(Path("/elsewhere"), {"virtualenv": str(tmp_path / "venv")}) == python


def test_uv_keeps_its_environment_where_uv_does(tmp_path: Path) -> None:
    python = virtualenv(tmp_path, ".venv")
    assert python_for(tmp_path, {"toolchain": "uv"}) == python


def test_poetry_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="set toolchain: pip and virtualenv"):
        python_for(tmp_path, {"toolchain": "poetry"})


def test_without_an_environment_the_users_choice_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("python3", "python3.99"):
        (tmp_path / name).write_text("", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PULUMI_PYTHON_CMD", raising=False)
    assert python_for(tmp_path, {}) == str(tmp_path / "python3")
    monkeypatch.setenv("PULUMI_PYTHON_CMD", "python3.99")
    assert python_for(tmp_path, {}) == str(tmp_path / "python3.99")
    monkeypatch.setenv("PULUMI_PYTHON_CMD", "absent")
    with pytest.raises(UnsupportedError, match="none of absent is on PATH"):
        python_for(tmp_path, {})


@pytest.mark.parametrize(
    ("kind", "command"),
    [("analyzer", ["-m", "pulumi.policy", "127.0.0.1:1", "{}"]), ("resource", ["{}", "127.0.0.1:1"])],
)
def test_a_folder_with_a_main_file_is_run_by_its_kind(tmp_path: Path, kind: str, command: list[str]) -> None:
    (tmp_path / "__main__.py").touch()
    assert plugin_command(kind, tmp_path, ["127.0.0.1:1"]) == [part.format(tmp_path) for part in command]


def test_a_package_is_run_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "my-pack"\n', encoding="utf-8")
    assert plugin_command("analyzer", tmp_path, ["a"]) == ["-m", "pulumi.run.plugin", "my-pack", "a"]


@pytest.mark.parametrize("text", [None, "[tool.x]\n"])
def test_a_folder_that_holds_no_plugin_is_named(tmp_path: Path, text: str | None) -> None:
    if text:
        (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UnsupportedError, match="has neither __main__"):
        plugin_command("resource", tmp_path, [])
