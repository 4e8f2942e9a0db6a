"""What a workload's nodes may be, and, for people who know them, how many."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gpulanes.spec.base import Model
from gpulanes.spec.constraints import Constraint, absent, has, implies, one_of
from gpulanes.spec.text import AwsTagKey, AwsTagValue, InstanceType, ReservationId, Survive, Unique, Zone

Capacity = Literal["on-demand", "reserved", "spot", "capacity-block"]


class ReservationSpec(Model):
    """A capacity reservation by ``id`` or by ``tags`` (exactly one), and how many nodes it holds."""

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        Constraint(
            "reservation-name",
            "",
            one_of("id", "tags"),
            "exactly one of id and tags",
            "name the reservation by its id (cr-…) or by the tags it carries, not both",
        ),
    )

    nodes: Annotated[int, Field(ge=1, le=10_000)]
    """Nodes that the reservation holds."""
    id: ReservationId | None = None
    """The reservation's id."""
    tags: Annotated[dict[AwsTagKey, AwsTagValue], Field(min_length=1, max_length=50)] | None = None
    """Tags that select the reservation."""


class NodesSpec(Model):
    """Types, provisioner and failure domain; explicit ``count`` (or ``min`` and ``max``) overrides sizing."""

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        Constraint(
            "count-or-range",
            "count",
            implies(has("count"), absent("min", "max")),
            "either count, or min and max",
            "remove min and max for a fixed size, or remove count for a range",
        ),
        Constraint(
            "range-needs-both",
            "min",
            implies({"anyOf": [has("min"), has("max")]}, has("min", "max")),
            "min and max together",
            "give both min and max, or neither to have the nodes sized",
        ),
    )

    types: Annotated[list[InstanceType], Field(min_length=1, max_length=20), Unique()]
    """Instance types, in order of preference. They must be in the catalogue."""
    provisioner: Literal["node-group", "karpenter"] | None = None
    """Who makes the nodes. Left out, the kind decides: node-group for inference and system, karpenter otherwise."""
    survive: Survive | None = None
    """What may fail without breaking the promise. Left out, the service class decides."""
    zones: Annotated[list[Zone], Field(min_length=1, max_length=6), Unique()] | None = None
    """Zones of these nodes, out of the fleet's. Left out: all of them for inference, one for training."""
    count: Annotated[int, Field(ge=0, le=10_000)] | None = None
    """A fixed number of nodes, instead of sizing."""
    min: Annotated[int, Field(ge=0, le=10_000)] | None = None
    """The number of nodes that is held, instead of sizing. Karpenter holds none: there it counts for serving only,
    whose pods always run."""
    max: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """The cap on nodes, instead of sizing."""
    spares: Annotated[int, Field(ge=0, le=1000)] | Literal["auto"] = "auto"
    """Nodes on top of what the work needs, for failures; auto sizes them."""
    disk_gib: Annotated[int, Field(ge=50, le=16_384)] = 200
    """Root volume of each node in GiB."""
    reservation: ReservationSpec | None = None
    """The capacity reservation or Capacity Block that the nodes run in."""
