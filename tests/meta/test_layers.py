"""The import contracts hold, and they cover what there is."""

import tomllib
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports


def test_imports_only_point_downwards(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    assert lint_imports(config_filename="pyproject.toml", no_cache=True) == EXIT_STATUS_SUCCESS


def test_every_package_stands_in_a_layer(repository: Path) -> None:
    config = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(c for c in config["tool"]["importlinter"]["contracts"] if c["id"] == "layers")
    layered = {name.strip("() ") for layer in contract["layers"] for name in layer.replace(":", "|").split("|")}
    packages = {
        f"{folder.name}.{entry.stem}"
        for folder in (repository / "components/gpulanes", repository / "policies/gpulanes_policies")
        for entry in folder.iterdir()
        if not entry.name.startswith("_") and (entry.suffix == ".py" or (entry / "__init__.py").exists())
    }
    assert packages - layered == set()
