"""The shape of a covered resource type: its properties, what may change them, and its four operations."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from gpulanes_lab.aws.values import Document, Plain

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

Change = Literal["mutable", "immutable", "computed"]
Kind = Literal[
    "string", "integer", "number", "boolean", "text-boolean", "json", "strings", "map", "tags", "block", "blocks"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One property of a type, or of a block inside it.

    ``change`` says what may change it and ``source`` who says so. ``api`` is the name of the member in the
    service's own shape; None follows the type's spelling and an empty one has no member there (a switch of
    the provider's own). ``chosen`` marks what the service chooses when the program says nothing, so that its
    absence is no change. ``unordered`` lists compare as sets.
    """

    name: str
    change: Change
    kind: Kind = "string"
    source: str = ""
    api: str | None = None
    required: bool = False
    chosen: bool = False
    default: Plain = None
    unordered: bool = False
    fields: tuple["Field", ...] = ()

    def block_with(self, *fields: "Field") -> "Field":
        """Return the same property as a block of these."""
        return replace(self, fields=fields)


class Failure(NamedTuple):
    """A property that the service would refuse, and why."""

    path: str
    reason: str


class Found(NamedTuple):
    """A resource as the service describes it now."""

    id: str
    outputs: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Autoname:
    """A name made of the logical name and seven hex digits, as pulumi-aws makes it, within ``limit`` characters."""

    field: str
    limit: int
    prefix: str = ""
    lowercase: bool = False
    suffix: Callable[[Document], str] = lambda _inputs: ""


class Refused(Exception):  # noqa: N818 - the service's word for it, shown to the user as such
    """The service's refusal: its error code and message."""


Check = Callable[["Cloud", Document], Iterable[Failure]]


def _nothing(_old: Document, _new: Document) -> frozenset[str]:
    return frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A covered type.

    ``sources`` gives the authority for each way of change where a property names none itself.
    ``request`` is the service and operation whose input shape bounds the properties; ``shape`` completes the
    properties to that request and ``envelope`` is the member it puts them into.
    ``identity`` names the properties that together are the physical name: where they stay while the resource is
    replaced, the old one has to go first. ``imported`` are choices of the service that an import writes down.
    ``renewed`` are the outputs that a change of one of ``renewed_by`` renews; ``forces`` says which changed
    properties force a replacement in the case at hand.
    """

    type: str
    fields: tuple[Field, ...]
    sources: Mapping[Change, str]
    create: Callable[["Cloud", Document], str]
    read: Callable[["Cloud", str, Document], Found | None]
    update: Callable[["Cloud", str, Document, Document], None]
    delete: Callable[["Cloud", str, Document], None]
    request: tuple[str, str] | None = None
    shape: Callable[[Document], Document] | None = None
    envelope: tuple[str | int, ...] = ()
    spelling: Literal["pascal", "camel"] = "pascal"
    checks: tuple[Check, ...] = ()
    autoname: Autoname | None = None
    identity: tuple[str, ...] = ()
    imported: tuple[str, ...] = ()
    renewed: tuple[str, ...] = ()
    renewed_by: frozenset[str] = frozenset()
    forces: Callable[[Document, Document], frozenset[str]] = field(default=_nothing)

    @property
    def taggable(self) -> bool:
        """Whether the type carries tags."""
        return any(one.name == "tags" for one in self.fields)

    @property
    def regional(self) -> bool:
        """Whether the type lives in a region."""
        return any(one.name == "region" for one in self.fields)

    def source(self, one: Field) -> str:
        """Who says how this property may change."""
        return one.source or self.sources[one.change]


def mutable(name: str, kind: Kind = "string", **rest: Plain) -> Field:
    """Return a property that the service changes in place."""
    return Field(name=name, change="mutable", kind=kind, **rest)


def immutable(name: str, kind: Kind = "string", **rest: Plain) -> Field:
    """Return a property whose change replaces the resource."""
    return Field(name=name, change="immutable", kind=kind, **rest)


def computed(name: str, kind: Kind = "string", **rest: Plain) -> Field:
    """Return an output of the service."""
    return Field(name=name, change="computed", kind=kind, **rest)


def switch(name: str, kind: Kind = "boolean", **rest: Plain) -> Field:
    """Return a switch of the provider's own, which no service stores."""
    source = "pulumi-aws: a switch of the provider, not sent to the service"
    return Field(name=name, change="mutable", kind=kind, api="", source=source, **rest)


REGION = immutable(
    "region",
    api="",
    chosen=True,
    source="terraform-provider-aws: region is ForceNew on every regional resource since v6",
)
TAGS = (
    mutable("tags", "map", api="", source="the service's TagResource and UntagResource (EC2 CreateTags, DeleteTags)"),
    computed("tagsAll", "map", api="", source="pulumi-aws: tags merged with the provider's defaultTags"),
)
