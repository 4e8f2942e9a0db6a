"""Tools are found or built once, whole, with words that say what happens and what is missing."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gpulanes_lab.errors import LabError
from gpulanes_lab.toolchain import ensure, load_table, needed
from gpulanes_lab.toolchain.build import make
from gpulanes_lab.toolchain.cache import cache_root, locked, tool_dir, written_whole
from gpulanes_lab.toolchain.golang import find_go, go_environment
from gpulanes_lab.toolchain.installed import installed_pulumi

ONLY_ETCD = """
import sys
from gpulanes_lab.toolchain.ensure import _ensure_one
from gpulanes_lab.toolchain import load_table
_ensure_one(load_table()["etcd"], lambda text: print(text, flush=True))
"""
HOLD = """
import sys, time
from pathlib import Path
from gpulanes_lab.toolchain.cache import locked
with locked(Path(sys.argv[1]), lambda: None):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "gpulanes"


def program(folder: Path, name: str, says: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def test_a_missing_go_is_named_with_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"needs Go 1\.26\.6 or newer, and there is no `go` on PATH.*\n.*go\.dev/dl"):
        find_go((1, 26, 6), "pulumi 3", path=str(tmp_path))


@pytest.mark.parametrize("said", ["go version go1.25.9 linux/amd64", "go version go1.26 linux/amd64"])
def test_an_old_go_is_named_with_its_version(tmp_path: Path, said: str) -> None:
    program(tmp_path, "go", said)
    with pytest.raises(LabError, match=r"needs Go 1\.26\.6 or newer; .*/go is 1\.2[56]"):
        find_go((1, 26, 6), "pulumi 3", path=str(tmp_path))


def test_nothing_is_begun_without_go(own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said: list[str] = []
    with pytest.raises(LabError, match="there is no `go` on PATH"):
        ensure(said.append)
    assert said == []
    assert not own_cache.exists()


def test_the_users_go_settings_do_not_change_what_is_built() -> None:
    users = {"GOFLAGS": "-mod=mod", "GOOS": "plan9", "GOWORK": "/x/go.work", "GOPROXY": "https://proxy", "HOME": "/h"}
    environ = go_environment(users)
    assert (environ["GOFLAGS"], environ["GOTOOLCHAIN"], environ["GOWORK"]) == ("-mod=readonly", "local", "off")
    assert "GOOS" not in environ
    assert environ["GOPROXY"] == "https://proxy"


def test_the_cache_follows_xdg(own_cache: Path) -> None:
    assert cache_root() == own_cache
    assert tool_dir(load_table()["etcd"]).is_relative_to(own_cache)


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    def build() -> None:
        with written_whole(tmp_path / "tool") as partial:
            (partial / "half").touch()
            (partial / "missing").read_bytes()

    with pytest.raises(FileNotFoundError):
        build()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_build_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / ".tool.partial"
    left.mkdir()
    (left / "half").touch()
    with written_whole(tmp_path / "tool") as partial:
        (partial / "whole").touch()
    assert [file.name for file in tmp_path.rglob("*")] == ["tool", "whole"]


def test_a_second_run_says_that_it_waits_and_then_goes_on(tmp_path: Path) -> None:
    said: list[str] = []
    command = [sys.executable, "-c", HOLD, str(tmp_path / "tool"), "0.5"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with locked(tmp_path / "tool", lambda: said.append("waiting")):
            assert said == ["waiting"]
            assert holder.wait(timeout=10) == 0


def test_a_killed_run_leaves_no_lock(tmp_path: Path) -> None:
    said: list[str] = []
    command = [sys.executable, "-c", HOLD, str(tmp_path / "tool"), "600"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        holder.kill()
        holder.wait(timeout=10)
    with locked(tmp_path / "tool", lambda: said.append("waiting")):
        assert said == []


def test_an_installed_pulumi_is_used_with_the_host_beside_it(tmp_path: Path) -> None:
    program(tmp_path / "bin", "pulumi", "v3.300.2")
    host = program(tmp_path / "bin", "pulumi-language-python", "")
    program(tmp_path / "bin", "pulumi-resource-aws", "a plugin that must not matter")
    found = installed_pulumi(str(tmp_path / "bin"))
    assert found is not None
    assert (found.version, found.language_host) == ((3, 300, 2), host)
    assert {"pulumi", "pulumi-language-python-exec"}.isdisjoint(tool.name for tool in needed(found))
    assert "pulumi-resource-kubernetes" in [tool.name for tool in needed(found)]


def test_an_installed_pulumi_without_a_host_gets_the_stand_in(tmp_path: Path) -> None:
    program(tmp_path, "pulumi", "v3.300.2")
    found = installed_pulumi(str(tmp_path))
    assert found is not None
    assert found.language_host is None
    assert "pulumi-language-python-exec" in [tool.name for tool in needed(found)]


@pytest.mark.parametrize("said", ["v3.254.0", "v2.99.0", "not a version"])
def test_an_installed_pulumi_that_is_too_old_is_not_used(tmp_path: Path, said: str) -> None:
    program(tmp_path, "pulumi", said)
    assert installed_pulumi(str(tmp_path)) is None
    assert "pulumi" in [tool.name for tool in needed(None)]


@pytest.mark.lab
def test_two_runs_at_once_build_a_tool_once_and_do_not_touch_the_sources(own_cache: Path, repository: Path) -> None:
    sources = {file: file.stat().st_mtime_ns for file in (repository / "lab" / "tools").rglob("*")}
    command = [sys.executable, "-c", ONLY_ETCD]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = sorted(run.communicate(timeout=300)[0].splitlines()[0] for run in runs)
    assert [run.returncode for run in runs] == [0, 0]
    assert said == ["another run is building etcd 3.6.16; waiting for it", "building etcd 3.6.16, about 1 min (once)"]
    assert [file.name for file in own_cache.rglob("etcd")] == ["etcd"]
    assert {file: file.stat().st_mtime_ns for file in (repository / "lab" / "tools").rglob("*")} == sources
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert again.stdout == ""


@pytest.mark.lab
def test_a_module_that_is_not_what_was_pinned_is_refused(tmp_path: Path) -> None:
    tool = load_table()["pulumi-language-python-exec"]
    forged = replace(tool, sources=(replace(tool.sources[0], sum="h1:0000"),))
    with pytest.raises(LabError, match="is not what was pinned"):
        make(forged, tmp_path)
