"""Rules between the fields of one object, each stated once as a fragment of JSON Schema.

The published schema contains the fragment, the models and the loader evaluate the same fragment,
so what the schema refuses the loader refuses too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Fragment = dict[str, object]


@dataclass(frozen=True, slots=True)
class Constraint:
    """What must hold of one object; ``field`` is where a reader should look when it does not."""

    code: str
    field: str
    fragment: Fragment
    allowed: str
    fix: str


class ConstraintError(ValueError):
    """An object breaks constraints; the message names each with its fix."""

    def __init__(self, broken: tuple[Constraint, ...]) -> None:
        self.broken = broken
        super().__init__("; ".join(f"{c.field}: {c.allowed}; fix: {c.fix}" for c in broken))


def has(*names: str) -> Fragment:
    """All of ``names`` are given."""
    return {"required": list(names)}


def lists(field: str, *options: str) -> Fragment:
    """The list ``field`` is given and names one of ``options``."""
    return {"required": [field], "properties": {field: {"contains": {"enum": list(options)}}}}


def inside(field: str, fragment: Fragment) -> Fragment:
    """The object ``field`` is given and ``fragment`` holds of it."""
    return {"required": [field], "properties": {field: {"type": "object", **fragment}}}


def absent(*names: str) -> Fragment:
    """None of ``names`` is given."""
    return {"not": {"anyOf": [has(name) for name in names]}}


def implies(condition: Fragment, consequence: Fragment) -> Fragment:
    """Where ``condition`` holds, ``consequence`` must."""
    return {"if": condition, "then": consequence}


def any_of(*fragments: Fragment) -> Fragment:
    """At least one holds."""
    return {"anyOf": list(fragments)}


def one_of(*names: str) -> Fragment:
    """Exactly one of ``names`` is given."""
    return {"oneOf": [has(name) for name in names]}


def holds(fragment: object, value: object) -> bool:
    """Evaluate ``fragment`` on plain data, as a JSON Schema validator would; raises KeyError on other keywords."""
    if not isinstance(fragment, Mapping):
        message = f"not a fragment: {fragment!r}"
        raise TypeError(message)
    return all(_KEYWORDS[keyword](argument, value, fragment) for keyword, argument in fragment.items())


def _items(argument: object) -> list[object]:
    return list(argument) if isinstance(argument, list) else []


def _required(argument: object, value: object, _: Mapping[str, object]) -> bool:
    return not isinstance(value, Mapping) or all(name in value for name in _items(argument))


def _properties(argument: object, value: object, _: Mapping[str, object]) -> bool:
    if not isinstance(value, Mapping) or not isinstance(argument, Mapping):
        return True
    return all(holds(inner, value[name]) for name, inner in argument.items() if name in value)


def _if(argument: object, value: object, fragment: Mapping[str, object]) -> bool:
    return not holds(argument, value) or holds(fragment["then"], value)


_KEYWORDS: dict[str, Callable[[object, object, Mapping[str, object]], bool]] = {
    "allOf": lambda argument, value, _: all(holds(inner, value) for inner in _items(argument)),
    "type": lambda _argument, value, _: isinstance(value, Mapping),
    "required": _required,
    "properties": _properties,
    "contains": lambda argument, value, _: not isinstance(value, list) or any(holds(argument, item) for item in value),
    "enum": lambda argument, value, _: value in _items(argument),
    "anyOf": lambda argument, value, _: any(holds(inner, value) for inner in _items(argument)),
    "oneOf": lambda argument, value, _: sum(holds(inner, value) for inner in _items(argument)) == 1,
    "not": lambda argument, value, _: not holds(argument, value),
    "if": _if,
    "then": lambda *_: True,
}
