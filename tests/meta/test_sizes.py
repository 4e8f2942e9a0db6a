"""The sizes that keep the code readable: bounds, and medians so that the bounds do not become the rule."""

from pathlib import Path
from statistics import median

import pytest

from source_tree import ROOT, function_bodies, functions, python_files

FILE_LINES = 400
FILE_MEDIAN = 150
FUNCTION_LINES = 60
FUNCTION_MEDIAN = 10


def lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("folder", ["components", "policies", "lab/gpulanes_lab", "stacks", "tests", "docs"])
def test_no_file_is_longer_than_a_reader_holds(folder: str) -> None:
    long = {str(file.relative_to(ROOT)): lines(file) for file in python_files(folder) if lines(file) > FILE_LINES}
    assert long == {}


@pytest.mark.parametrize("folder", ["components", "policies", "lab/gpulanes_lab", "stacks", "tests", "docs"])
def test_no_function_is_longer_than_a_screen(folder: str) -> None:
    long = {
        f"{file.relative_to(ROOT)}:{name}": count
        for file in python_files(folder)
        for name, count in functions(file)
        if count > FUNCTION_LINES
    }
    assert long == {}


def test_the_usual_file_is_short() -> None:
    assert median(lines(file) for file in python_files()) <= FILE_MEDIAN


def test_the_usual_function_is_short() -> None:
    assert median(count for file in python_files() for _, count in function_bodies(file)) <= FUNCTION_MEDIAN
