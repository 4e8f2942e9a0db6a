"""Sums over what a fleet may have a thousand of, kept so short that a person can read them."""

from collections.abc import Mapping

from gpulanes.sizing.cost import total
from gpulanes.sizing.sized import Sized

MOST_TERMS = 50
"""More terms in one formula than anybody reads; beyond it the sum is one of subtotals."""


def summed(parts: Mapping[str, float], what: str, unit: str, note: str) -> Sized:
    """Return the sum of named parts. ``what`` follows each name: a workload may be called like a keyword."""
    named = {f"{name}_{what}": value for name, value in parts.items()}
    while len(named) > MOST_TERMS:
        names = list(named)
        groups = [names[start : start + MOST_TERMS] for start in range(0, len(names), MOST_TERMS)]
        named = {
            f"{group[0]}_and_{len(group) - 1}_more": total({name: named[name] for name in group}, unit).value
            for group in groups
        }
    return total(named, unit, note=note)
