"""A resource of a Pulumi program as plain data, whoever delivers it: a policy, a preview, a state, a test."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpulanes.facts.unknown import UNKNOWN

_UNKNOWN_TEXTS = frozenset(
    {
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
        "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
        "030794c1-ac77-496b-92df-f27374a8bd58",
        "e48ece36-62e2-4504-bad9-02848725956a",
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
    }
)
"""How the Pulumi engine writes a value that is not known yet, by type; source: pulumi-policy ``proxy.py``."""

_SIGNATURE = "4dabf18193072939515e22adb298388d"
_SECRET = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 - the marker of a secret, not one
_HIDDEN = "[secret]"


@dataclass(frozen=True, slots=True)
class PulumiResource:
    """One resource: ``props`` are plain data in which what is not known is ``UNKNOWN``.

    ``default_tags`` are those of its provider. ``property_dependencies`` name the resources whose
    outputs a property is made of.
    """

    token: str
    urn: str
    name: str
    props: Mapping[str, object]
    parent: str = ""
    protect: bool = False
    ignore_changes: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    property_dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    default_tags: Mapping[str, str] = field(default_factory=dict)

    def depends(self, key: str) -> tuple[str, ...]:
        """Return the URNs that a property is made of."""
        return self.property_dependencies.get(key, ())


def plain_value(value: object) -> object:
    """Return a decoded JSON value with unknowns as ``UNKNOWN``, secrets unwrapped and whole numbers as int.

    A secret whose value is hidden is unknown: nothing can be proven about it.
    """
    if isinstance(value, str):
        return UNKNOWN if value in _UNKNOWN_TEXTS or value == _HIDDEN else value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        if value.get(_SIGNATURE) == _SECRET:
            return plain_value(value["value"]) if "value" in value else UNKNOWN
        return {str(key): plain_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(item) for item in value]
    return value
