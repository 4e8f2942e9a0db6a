"""Refuse inputs that have no meaning, all at once."""

import math
from collections.abc import Iterator, Mapping

from gpulanes.errors import PlanError, Problem

Numbers = Mapping[str, float]
_NONE: Numbers = {}


def _problems(numbers: Numbers, low: float, high: float, allowed: str, *, open_low: bool) -> Iterator[Problem]:
    for name, value in numbers.items():
        inside = math.isfinite(value) and value <= high and (value > low if open_low else value >= low)
        if not inside:
            yield Problem("impossible-input", name, f"{value:g}", allowed, f"give {allowed}")


def require(*, positive: Numbers = _NONE, non_negative: Numbers = _NONE, share: Numbers = _NONE) -> None:
    """Check numbers by name: above 0, at least 0, or a share (above 0, at most 1).

    Raises:
        PlanError: one ``impossible-input`` problem per number outside its range.
    """
    problems = [
        *_problems(positive, 0.0, math.inf, "a finite number above 0", open_low=True),
        *_problems(non_negative, 0.0, math.inf, "a finite number, 0 or more", open_low=False),
        *_problems(share, 0.0, 1.0, "a number above 0 and at most 1", open_low=True),
    ]
    if problems:
        raise PlanError(problems)


def refuse(*, code: str, path: str, value: str, allowed: str, fix: str) -> PlanError:
    """The error for one thing that cannot be planned."""
    return PlanError([Problem(code, path, value, allowed, fix)])
