"""Read the package's data files: rows of text, once per process, and the few forms a cell can have."""

import csv
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files

Row = Mapping[str, str]


@cache
def rows(file: str) -> tuple[Row, ...]:
    """Rows of ``data/<file>`` in file order; a blank cell means "not established"."""
    text = files(__package__).joinpath("data", file).read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def number(row: Row, column: str) -> float | None:
    """The cell as a number; ``None`` when blank, or when the file has no such column."""
    text = row.get(column, "")
    return float(text) if text else None


def whole(row: Row, column: str) -> int:
    """The cell as an integer; 0 when blank. For counts, where none and zero mean the same."""
    return int(float(row.get(column, "") or 0))


def high(row: Row, column: str) -> float | None:
    """The upper end of a cell that may hold a range (``6.241-6.865``); a plan must not count on the lower one."""
    text = row.get(column, "")
    return float(text.rpartition("-")[2]) if text else None


def day(text: str) -> date:
    """The first ISO date in ``text``: the older end of a bracket (``2026-01-18..02-08``), or what precedes a remark."""
    return date.fromisoformat(text[:10])


def items(row: Row, column: str) -> tuple[str, ...]:
    """A cell that holds a list joined with ``+``."""
    text = row.get(column, "")
    return tuple(text.split("+")) if text else ()
