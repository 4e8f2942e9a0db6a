"""What the service's own model says of a request: required members, types, lengths, bounds, patterns and enums."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from gpulanes_lab.aws.values import UNKNOWN, Plain

if TYPE_CHECKING:
    from botocore.model import Shape

Path = tuple[str | int, ...]

# Java's character classes that service models use; every model that names \p{L} allows digits and "_" beside it.
_CLASSES: Final = {r"\p{L}": r"\w", r"\p{Z}": r"\s", r"\p{N}": r"\d"}
_SHOWN: Final = 12


class Violation(NamedTuple):
    """A place in a request that the model does not allow."""

    path: Path
    reason: str


def violations(shape: "Shape", value: Plain, path: Path = ()) -> Iterator[Violation]:
    """Yield everything in ``value`` that the model refuses; unknown values pass."""
    if value is UNKNOWN:
        return
    walk = {"structure": _structure, "list": _list, "map": _map, "string": _string, "boolean": _boolean}.get(
        shape.type_name,
        _number if shape.type_name in ("integer", "long", "float", "double") else _any,
    )
    yield from walk(shape, value, path)


def _structure(shape: "Shape", value: Plain, path: Path) -> Iterator[Violation]:
    if not isinstance(value, Mapping):
        yield Violation(path, "must be an object")
        return
    for name in shape.required_members:
        if name not in value:
            yield Violation((*path, name), "is required")
    for name, item in value.items():
        if name in shape.members:
            yield from violations(shape.members[name], item, (*path, name))
        else:
            yield Violation((*path, name), f"is no member of {shape.name}")


def _list(shape: "Shape", value: Plain, path: Path) -> Iterator[Violation]:
    if not isinstance(value, list):
        yield Violation(path, "must be a list")
        return
    yield from _bounds(shape, len(value), path, "items")
    for index, item in enumerate(value):
        yield from violations(shape.member, item, (*path, index))


def _map(shape: "Shape", value: Plain, path: Path) -> Iterator[Violation]:
    if not isinstance(value, Mapping):
        yield Violation(path, "must be a map")
        return
    yield from _bounds(shape, len(value), path, "entries")
    for key, item in value.items():
        yield from violations(shape.key, key, (*path, key))
        yield from violations(shape.value, item, (*path, key))


def _string(shape: "Shape", value: Plain, path: Path) -> Iterator[Violation]:
    if not isinstance(value, str):
        yield Violation(path, "must be a string")
        return
    if shape.enum and value not in shape.enum:
        yield Violation(path, f"{value!r} is not one of {_listed(shape.enum)}")
    yield from _bounds(shape, len(value), path, "characters")
    pattern = shape.metadata.get("pattern")
    if pattern and not compiled(pattern).search(value):
        yield Violation(path, f"{value!r} does not match {pattern}")


def _number(shape: "Shape", value: Plain, path: Path) -> Iterator[Violation]:
    whole = shape.type_name in ("integer", "long")
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        yield Violation(path, "must be a whole number" if whole else "must be a number")
        return
    yield from _bounds(shape, value, path, "")


def _boolean(_shape: "Shape", value: Plain, path: Path) -> Iterator[Violation]:
    if not isinstance(value, bool):
        yield Violation(path, "must be true or false")


def _any(_shape: "Shape", _value: Plain, _path: Path) -> Iterator[Violation]:
    yield from ()


def _bounds(shape: "Shape", measure: float, path: Path, unit: str) -> Iterator[Violation]:
    low, high = shape.metadata.get("min"), shape.metadata.get("max")
    counted = f"{measure} {unit}".rstrip()
    if low is not None and measure < low:
        yield Violation(path, f"{counted} is below the minimum of {low}")
    if high is not None and measure > high:
        yield Violation(path, f"{counted} is above the maximum of {high}")


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a service model's pattern, anchored as services apply it, in Python's dialect.

    Raises:
        re.error: when the dialects differ in a way that is not covered.
    """
    for java, python in _CLASSES.items():
        pattern = pattern.replace(java, python)
    return re.compile(f"^(?:{pattern})$", re.DOTALL)


def _listed(values: list[str]) -> str:
    shown = ", ".join(values[:_SHOWN])
    return shown if len(values) <= _SHOWN else f"{shown} … ({len(values)} values)"
