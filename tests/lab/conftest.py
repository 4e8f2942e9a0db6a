"""One lab for all tests of a session, and folders to run the engine in."""

import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpulanes_lab.lab import Lab
from lab_projects import Project

TINY = Path(__file__).with_name("tiny_program")


@pytest.fixture(scope="session")
def labs_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the labs of this session live."""
    return tmp_path_factory.mktemp("labs")


@pytest.fixture(scope="session")
def lab(labs_folder: Path) -> Iterator[Lab]:
    """A running lab; what tests make in it they name themselves."""
    with Lab("session", labs_folder) as running:
        yield running


@pytest.fixture
def tiny(lab: Lab, tmp_path: Path) -> Iterator[Callable[[str], Project]]:
    """Copies of a program with one PriorityClass and a pack with one rule; destroyed afterwards."""
    made: list[Project] = []

    def make(name: str) -> Project:
        folder = tmp_path / name
        shutil.copytree(TINY, folder)
        project = Project(lab, folder, f"t{uuid.uuid4().hex[:8]}")
        project.pulumi("stack", "init", project.stack)
        made.append(project)
        return project

    yield make
    for project in made:
        project.destroy()
