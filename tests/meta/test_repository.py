"""The repository as a whole: one version, honest suppressions, nothing of one machine."""

import re
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from source_tree import ROOT, python_files, text_files

BARE = re.compile(r"#\s*(noqa|type:\s*ignore)(?!\s*[:\[]\s*[\w-])")
HOME = re.compile(r"(?<![\w.])/(?:root|Users|home/\w+)/")
FRAGMENT = re.compile(r"^\+?[a-z0-9-]+\.(added|changed|fixed|security)\.md$")


def test_every_suppression_names_what_it_suppresses() -> None:
    bare = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in python_files("components", "policies", "lab", "stacks", "tests", "docs")
        if file != Path(__file__)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if BARE.search(line)
    ]
    assert bare == []


def test_no_file_speaks_of_somebodys_home() -> None:
    machines = [
        str(file.relative_to(ROOT))
        for file in text_files()
        if file != Path(__file__) and HOME.search(file.read_text(encoding="utf-8", errors="replace"))
    ]
    assert machines == []


def test_the_version_stands_in_one_place(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert version("gpulanes") == project["version"]


@pytest.mark.parametrize("extra", ["aws", "policy"])
def test_the_base_needs_no_pulumi_and_each_extra_brings_it(repository: Path, extra: str) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert not [name for name in project["dependencies"] if name.startswith(("pulumi", "boto"))]
    assert any(name.startswith("pulumi>") for name in project["optional-dependencies"][extra])


def test_every_changelog_fragment_has_a_kind(repository: Path) -> None:
    fragments = [f.name for f in (repository / "changelog.d").iterdir() if not f.name.startswith(".")]
    assert [name for name in fragments if not FRAGMENT.match(name)] == []


def test_the_licence_is_the_one_the_metadata_names(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "Apache-2.0"
    assert "Apache License\n                           Version 2.0" in (repository / "LICENSE").read_text(
        encoding="utf-8"
    )


def test_ci_runs_the_same_command_as_a_person(repository: Path) -> None:
    assert "exec make test" in (repository / ".ci/run").read_text(encoding="utf-8")
    planned = subprocess.run(["make", "-n", "test"], cwd=repository, capture_output=True, text=True, check=True).stdout
    assert [
        tool for tool in ("ruff check", "ruff format --check", "mypy", "lint-imports", "pytest") if tool not in planned
    ] == []
