"""Values the planner takes when the user says nothing, each with its reason."""

from dataclasses import dataclass
from datetime import date
from functools import cache

from gpulanes.catalog.rows import day, rows


@dataclass(frozen=True, slots=True)
class Default:
    """``text`` as written in the data file, with its unit, reason and date."""

    key: str
    text: str
    unit: str
    source: str
    as_of: date

    @property
    def value(self) -> float:
        """The text as a number; ValueError when it is not one."""
        return float(self.text)


@cache
def _defaults() -> dict[str, Default]:
    return {
        row["key"]: Default(row["key"], row["value"], row["unit"], row["source"], day(row["as_of"]))
        for row in rows("defaults.csv")
    }


def default(key: str) -> Default:
    """The default named ``key``; KeyError for a key that the data file lacks (a programming error)."""
    return _defaults()[key]
