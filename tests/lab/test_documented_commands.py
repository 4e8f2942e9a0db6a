"""The Pulumi commands of the documents, run in the lab in the order in which they stand."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from documents import ROOT, commands, documents
from gpulanes_lab.lab import Lab

pytestmark = pytest.mark.lab

WITH_PULUMI = [file for file in documents() if any(command.program == "pulumi" for command in commands(file))]


@pytest.fixture
def clone(lab: Lab, tmp_path: Path) -> Iterator[Path]:
    """What a user has after cloning, without the stacks that this test leaves behind."""
    shutil.copy(ROOT / "Pulumi.yaml", tmp_path)
    for name in ("stacks", "policies"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    yield tmp_path
    if json.loads(lab.run("pulumi", "stack", "export", cwd=tmp_path).stdout)["deployment"].get("resources"):
        lab.run("pulumi", "config", "set", "protect", "false", cwd=tmp_path)
        lab.run("pulumi", "up", "--yes", "--skip-preview", cwd=tmp_path)
        lab.run("pulumi", "destroy", "--yes", "--skip-preview", cwd=tmp_path)
    lab.run("pulumi", "stack", "rm", "--yes", cwd=tmp_path)


@pytest.mark.parametrize("file", WITH_PULUMI, ids=lambda file: str(file.relative_to(ROOT)))
def test_the_documented_pulumi_commands_end_as_promised(file: Path, lab: Lab, clone: Path) -> None:
    for command in commands(file):
        if command.program == "pulumi":
            done = lab.run("bash", "-c", command.line, cwd=clone, check=False)
            assert done.returncode == command.code, f"{command.line}\n{done.stdout}\n{done.stderr}"
