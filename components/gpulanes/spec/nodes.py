"""What a workload's nodes may be, and, for people who know them, how many."""

from typing import Annotated, Literal

from pydantic import Field

from gpulanes.spec.base import Model

Capacity = Literal["on-demand", "reserved", "spot", "capacity-block"]


class ReservationSpec(Model):
    """A capacity reservation by ``id`` or by ``tags`` (exactly one), and how many nodes it holds."""

    nodes: Annotated[int, Field(ge=1, le=10_000)]
    id: str | None = None
    tags: dict[str, str] | None = None


class NodesSpec(Model):
    """Types, provisioner and failure domain; explicit ``count`` (or ``min`` and ``max``) overrides sizing."""

    types: Annotated[list[str], Field(min_length=1, max_length=20)]
    provisioner: Literal["node-group", "karpenter"] | None = None
    survive: str | None = None  # "1 zone", "2 nodes", "nothing"
    zones: Annotated[list[str], Field(min_length=1, max_length=6)] | None = None
    count: Annotated[int, Field(ge=0, le=10_000)] | None = None
    min: Annotated[int, Field(ge=0, le=10_000)] | None = None
    max: Annotated[int, Field(ge=1, le=10_000)] | None = None
    spares: Annotated[int, Field(ge=0, le=1000)] | Literal["auto"] = "auto"
    disk_gib: Annotated[int, Field(ge=50, le=16_384)] = 200
    reservation: ReservationSpec | None = None
