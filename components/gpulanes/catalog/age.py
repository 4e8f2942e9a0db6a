"""How old the catalogue is. Pure: the caller says what day it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from gpulanes.catalog.rows import day, rows

_SOURCES: dict[str, tuple[int, tuple[tuple[str, str], ...]]] = {
    "specs": (180, (("aws-accelerators.csv", "as_of"), ("aws-general.csv", "as_of"))),
    "on-demand prices": (90, (("aws-accelerators.csv", "ondemand_as_of"), ("aws-general.csv", "ondemand_as_of"))),
    "Spot prices": (7, (("aws-accelerators.csv", "spot_as_of"),)),
    "Capacity Block prices": (7, (("aws-accelerators.csv", "capacity_block_as_of"),)),
    "models": (365, (("models.csv", "as_of"),)),
    "accelerators": (365, (("gpus.csv", "as_of"),)),
    "Lustre grid": (365, (("lustre.csv", "as_of"),)),
}
"""Per group: days until it is stale, and the cells that date it.

Specs 180, list prices 90, Spot and Capacity Blocks 7: how fast each was seen to move. Published shapes and
grids change by addition, so a year.
"""


@dataclass(frozen=True, slots=True)
class Age:
    """Age of one group of facts, counted from its oldest row."""

    group: str
    oldest: date
    days: int
    limit_days: int

    @property
    def stale(self) -> bool:
        """Whether the group is older than it should be."""
        return self.days > self.limit_days

    def __str__(self) -> str:
        """One line for a report."""
        state = "stale" if self.stale else "fresh"
        return f"{self.group}: {state}, oldest {self.oldest} ({self.days} days, limit {self.limit_days})"


def _dates(cells: tuple[tuple[str, str], ...]) -> Iterator[date]:
    for file, column in cells:
        for row in rows(file):
            if row[column]:
                yield day(row[column])


def age(today: date) -> tuple[Age, ...]:
    """The age of every group of facts on ``today``, in a fixed order."""
    oldest = {group: min(_dates(cells)) for group, (_, cells) in _SOURCES.items()}
    return tuple(
        Age(group, oldest[group], (today - oldest[group]).days, limit) for group, (limit, _) in _SOURCES.items()
    )
