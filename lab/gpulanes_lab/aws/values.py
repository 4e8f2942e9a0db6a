"""Between the engine's property values and plain Python, with unknowns kept as unknowns."""

from collections.abc import Mapping, Sequence
from string import ascii_letters, digits
from typing import Any, Final, TypeAlias

from pulumi.provider.experimental.property_value import Computed, PropertyValue

Plain: TypeAlias = Any
"""None, bool, int, float, str, list or dict of the same, or :data:`UNKNOWN`."""

Document: TypeAlias = dict[str, Any]


class Unknown:
    """A value that only an apply will know."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Show where a value is missing."""
        return "<unknown>"


UNKNOWN: Final = Unknown()

_PLAIN_NAME: Final = frozenset(f"{ascii_letters}{digits}_-")
_STRING_SENTINEL: Final = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
# Source: pulumi/pulumi sdk/go/common/resource/plugin/rpc.go, the seven kinds of unknown on the wire.
_SENTINELS: Final = frozenset(
    {
        _STRING_SENTINEL,
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
        "030794c1-ac77-496b-92df-f27374a8bd58",
        "e48ece36-62e2-4504-bad9-02848725956a",
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
    },
)


def plain(value: PropertyValue) -> Plain:
    """Return a property value as plain Python; whole numbers become ``int``.

    Raises:
        TypeError: for assets and resource references, which no covered type takes.
    """
    inner = value.value
    if isinstance(inner, Computed) or (isinstance(inner, str) and inner in _SENTINELS):
        return UNKNOWN
    if inner is None or isinstance(inner, bool | str):
        return inner
    if isinstance(inner, float):
        return int(inner) if inner.is_integer() else inner
    if isinstance(inner, Mapping):
        return {name: plain(item) for name, item in inner.items() if item.value is not None}
    if isinstance(inner, Sequence):
        return [plain(item) for item in inner if isinstance(item, PropertyValue)]
    message = f"a {type(inner).__name__} is not a value of any covered property"
    raise TypeError(message)


def plain_map(values: Mapping[str, PropertyValue]) -> Document:
    """Return property values by name as plain Python, without the nulls."""
    converted = {name: plain(value) for name, value in values.items()}
    return {name: value for name, value in converted.items() if value is not None}


def wrap(value: Plain) -> PropertyValue:
    """Return plain Python as a property value."""
    if value is UNKNOWN:
        return PropertyValue(_STRING_SENTINEL)
    if isinstance(value, int) and not isinstance(value, bool):
        return PropertyValue(float(value))
    if isinstance(value, Mapping):
        return PropertyValue({name: wrap(item) for name, item in value.items()})
    if isinstance(value, list | tuple):
        return PropertyValue([wrap(item) for item in value])
    return PropertyValue(value)


def wrap_map(values: Mapping[str, Plain]) -> dict[str, PropertyValue]:
    """Return plain values by name as property values, without the absent ones."""
    return {name: wrap(value) for name, value in values.items() if value is not None}


def known(value: Plain) -> bool:
    """Whether nothing inside is unknown."""
    if value is UNKNOWN:
        return False
    if isinstance(value, Mapping):
        return all(known(item) for item in value.values())
    if isinstance(value, list | tuple):
        return all(known(item) for item in value)
    return True


def at(document: Plain, path: str) -> Plain:
    """Follow a dotted path through nested maps; None where it ends, UNKNOWN where an unknown hides it."""
    for name in path.split("."):
        if document is UNKNOWN:
            return UNKNOWN
        if not isinstance(document, Mapping):
            return None
        document = document.get(name)
    return document


def inside(path: str, key: str) -> str:
    """Return the property path of a key in a map, quoted where the engine's syntax wants it."""
    return f"{path}.{key}" if _PLAIN_NAME.issuperset(key) else f'{path}["{key}"]'


def blank(value: Plain) -> bool:
    """Whether a value says no more than its absence does (Terraform's zero values)."""
    return value is None or (value is not UNKNOWN and value in (False, 0, "", [], {}))
