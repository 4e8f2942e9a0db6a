"""Keeps what is measured; with ``--record`` writes it down at the end."""

import os
import platform
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpulanes_lab.lab import Lab

HEAD = """\
# Benchmarks

Written by `make bench`; the tests assert ratios and growth only, never these numbers. Measured with Python {python} on
{cores} cores.

| what | measured |
|---|---|
"""

Keep = Callable[[str, str], None]


@pytest.fixture(scope="session")
def rows(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The table, written when the last benchmark is done."""
    table: dict[str, str] = {}
    yield table
    target = request.config.getoption("--record")
    if target and table:
        head = HEAD.format(python=platform.python_version(), cores=os.cpu_count())
        lines = "".join(f"| {name} | {value} |\n" for name, value in table.items())
        Path(target).write_text(head + lines, encoding="utf-8")


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A running lab."""
    with Lab("bench", tmp_path_factory.mktemp("labs")) as running:
        yield running


@pytest.fixture
def keep(rows: dict[str, str]) -> Keep:
    """Keep one measurement."""

    def kept(name: str, value: str) -> None:
        rows[name] = value

    return kept
