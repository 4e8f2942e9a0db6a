"""What the documents say is true: their commands run, their links lead somewhere, their examples hold."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from documents import ROOT, Command, commands, documents, links

DOCUMENTS = documents()
SETUP = {"git", "cd", "pip", "export", "eval"}
IN_THE_LAB = {"pulumi"}
COMMANDS = [(file, command) for file in DOCUMENTS for command in dict.fromkeys(commands(file))]


def of(program: str) -> list[ParameterSet]:
    """The documented commands of this program."""
    return [
        pytest.param(file, command, id=f"{file.relative_to(ROOT)}: {command.line}")
        for file, command in COMMANDS
        if command.program == program
    ]


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(file: Path) -> None:
    assert [target for target in links(file) if not (file.parent / target).exists()] == []


@pytest.mark.parametrize(("file", "command"), of("gpulanes"))
def test_every_documented_gpulanes_command_ends_as_promised(file: Path, command: Command, tmp_path: Path) -> None:
    """A command that writes (``> file``) writes into an empty folder beside links to the repository."""
    for entry in ROOT.iterdir():
        if not entry.name.startswith("."):
            (tmp_path / entry.name).symlink_to(entry)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", command.line], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "Traceback" in done.stderr) == (command.code, False), f"{file}: {done.stdout}{done.stderr}"


@pytest.mark.parametrize(("file", "command"), of("make"))
def test_every_documented_make_target_exists(file: Path, command: Command) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(command.line.split("#")[0].split()[1:])
    assert named - targets == set(), file


def test_no_documented_command_goes_untested() -> None:
    tested = SETUP | IN_THE_LAB | {"gpulanes", "make"}
    assert {command.program for _, command in COMMANDS} - tested == set()


def test_the_reference_pages_are_what_the_code_says(repository: Path) -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=repository, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")
