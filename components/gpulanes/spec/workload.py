"""The four kinds of workload."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gpulanes.spec.base import Model
from gpulanes.spec.constraints import Constraint, Fragment, any_of, has, implies, inside, lists
from gpulanes.spec.nodes import Capacity, NodesSpec
from gpulanes.spec.overrides import Overrides
from gpulanes.spec.sla import Demand, Replica, ServiceClass, Slo
from gpulanes.spec.text import ModelName, Unique
from gpulanes.units import Amount, DailyWindow, Duration, Fraction

Dtype = Literal["fp32", "bf16", "fp16", "fp8", "int8", "int4"]

_SIZED_BY_HAND = inside("nodes", any_of(has("count"), has("max")))
_RESERVATION = inside("nodes", has("reservation"))

_RESERVED_NEEDS_RESERVATION = Constraint(
    "reserved-needs-reservation",
    "capacity",
    implies(lists("capacity", "reserved", "capacity-block"), _RESERVATION),
    "reserved and capacity-block name capacity that nodes.reservation describes",
    "add nodes.reservation with nodes and its id or tags, or take reserved and capacity-block out of capacity",
)
_RESERVATION_NEEDS_RESERVED = Constraint(
    "reservation-unused",
    "nodes.reservation",
    implies(_RESERVATION, lists("capacity", "reserved", "capacity-block")),
    "a reservation is paid for whether used or not, so capacity must list reserved or capacity-block",
    "add reserved to capacity, or remove the reservation",
)
_ONE_RESERVATION: Fragment = {"not": {"allOf": [lists("capacity", "reserved"), lists("capacity", "capacity-block")]}}
_RESERVED_OR_BLOCK = Constraint(
    "reserved-or-block",
    "capacity",
    _ONE_RESERVATION,
    "one reservation is either reserved or capacity-block",
    "keep the one that nodes.reservation is, and remove the other",
)
_CAPACITY = (_RESERVED_NEEDS_RESERVATION, _RESERVATION_NEEDS_RESERVED, _RESERVED_OR_BLOCK)


class ModelShape(Model):
    """A model by ``name`` from the catalogue, by numbers, or by name with numbers that override."""

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        Constraint(
            "model-unknown-size",
            "",
            any_of(has("name"), has("parameters")),
            "name or parameters",
            "give the catalogue's name of the model, or its parameters, such as 70.6B",
        ),
    )

    name: ModelName | None = None
    """Name in the catalogue."""
    parameters: Amount | None = None
    """Parameters in total."""
    active_parameters: Amount | None = None
    """Parameters used per token; fewer than all in a mixture of experts."""
    layers: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Transformer layers."""
    heads: Annotated[int, Field(ge=1, le=1024)] | None = None
    """Attention heads."""
    kv_heads: Annotated[int, Field(ge=1, le=1024)] | None = None
    """Key and value heads; fewer than heads in grouped-query attention."""
    head_dim: Annotated[int, Field(ge=1, le=1024)] | None = None
    """Dimension of one head."""
    hidden: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Hidden dimension."""
    vocabulary: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    """Tokens in the vocabulary."""
    dtype: Dtype = "bf16"
    """Number format of the weights."""
    kv_dtype: Literal["bf16", "fp16", "fp8"] = "bf16"
    """Number format of the key-value cache."""


class Cycle(Model):
    """A training programme: ``tokens`` every ``every``, done by ``deadline``; ``mfu`` model FLOPs utilisation."""

    tokens: Amount
    """Tokens trained on in one cycle."""
    every: Duration
    """From the start of one cycle to the start of the next."""
    deadline: Duration
    """From the start of a cycle to its result; at most ``every``."""
    mfu: Fraction = Fraction(0.4)
    """Model FLOPs utilisation: the useful share of the GPUs' peak; above 0%."""


class CheckpointSpec(Model):
    """Saves of training state. ``interval`` auto is the exact optimum; ``save_time`` blocks the step."""

    interval: Duration | Literal["auto"] = "auto"
    """Work between two saves."""
    store: Literal["hot", "archive"] = "hot"
    """The storage tier that holds them."""
    save_time: Duration = Duration(60.0)
    """How long a save may block training."""
    restart_time: Duration = Duration(900.0)
    """From a failure to training again."""


class InferenceWorkload(Model):
    """A served model."""

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        *_CAPACITY,
        Constraint(
            "model-unknown-cache",
            "model",
            implies(
                {"required": ["model"], "properties": {"model": {"type": "object", "not": has("name")}}},
                inside("model", has("layers", "kv_heads", "head_dim")),
            ),
            "a served model without a name needs layers, kv_heads and head_dim: they size its key-value cache",
            "give model.name, or all of model.layers, model.kv_heads and model.head_dim",
        ),
    )

    kind: Literal["inference"]
    """A served model: inference."""
    service_class: ServiceClass = "standard"
    """How much the promise matters; it decides zones, spare capacity and priority."""
    model: ModelName | ModelShape
    """The model, by name or by its shape."""
    demand: Demand
    """Load to carry."""
    slo: Slo = Field(default_factory=Slo)
    """Service level objectives."""
    replica: Replica
    """One replica of the server."""
    nodes: NodesSpec
    """Nodes it runs on."""
    capacity: Annotated[list[Capacity], Field(min_length=1, max_length=3), Unique()] = ["on-demand"]  # noqa: RUF012
    """Purchase options in order of preference."""
    overrides: Overrides = Field(default_factory=Overrides)
    """Guarded fields set by hand."""


class TrainingWorkload(Model):
    """A training programme. ``reclaim_mtbf`` is the time between Spot reclaims of the whole job."""

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        *_CAPACITY,
        Constraint(
            "spot-needs-checkpoint",
            "checkpoint",
            implies(lists("capacity", "spot"), has("checkpoint")),
            "training on Spot loses its nodes at two minutes' notice and needs a checkpoint",
            "add checkpoint: {interval: auto, store: hot}, or take spot out of capacity",
        ),
        Constraint(
            "training-unsized",
            "cycle",
            any_of(has("cycle"), _SIZED_BY_HAND),
            "a cycle to size the nodes from, or nodes.count, or nodes.min and nodes.max",
            "add cycle: {tokens: 200B, every: 30d, deadline: 14d} with your numbers, or nodes.count",
        ),
    )

    kind: Literal["training"]
    """A training programme: training."""
    model: ModelName | ModelShape
    """The model, by name or by its shape."""
    cycle: Cycle | None = None
    """What must be trained by when; sizes the nodes."""
    capacity: Annotated[list[Capacity], Field(min_length=1, max_length=4), Unique()] = ["on-demand"]  # noqa: RUF012
    """Purchase options in order of preference."""
    nodes: NodesSpec
    """Nodes it runs on."""
    checkpoint: CheckpointSpec | None = None
    """How training state is saved; required on Spot."""
    reclaim_mtbf: Duration = Duration(8 * 3600.0)
    """Mean time between Spot reclaims that stop the whole job."""
    longest_job: Duration | None = None
    """The longest run of one job; nodes are not replaced on purpose inside it."""
    overrides: Overrides = Field(default_factory=Overrides)
    """Guarded fields set by hand."""


class BatchWorkload(Model):
    """Batch inference: in a daily ``window``, on borrowed capacity or on nodes of its own."""

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        *_CAPACITY,
        Constraint(
            "batch-homeless",
            "nodes",
            any_of(has("nodes"), has("borrow")),
            "nodes of its own, or a lane to borrow from, or both",
            "add borrow: inference, or nodes with their types",
        ),
        Constraint(
            "batch-unsized",
            "gpus",
            implies(has("nodes"), any_of(has("gpus"), _SIZED_BY_HAND)),
            "nodes of its own are sized from gpus, or by nodes.count, or nodes.min and nodes.max",
            "add gpus, the number of GPUs the job runs on",
        ),
        Constraint(
            "capacity-without-nodes",
            "capacity",
            implies(has("capacity"), has("nodes")),
            "capacity says how nodes are bought, and a batch job that only borrows has none",
            "remove capacity, or add nodes",
        ),
    )

    kind: Literal["batch"]
    """Batch inference: batch."""
    model: ModelName | ModelShape | None = None
    """The model, by name or by its shape."""
    borrow: Literal["inference", "training"] | None = None
    """The lane whose idle GPUs it may use."""
    window: DailyWindow | None = None
    """When it runs, daily. Left out: at any time."""
    gpus: Annotated[int, Field(ge=1, le=100_000)] | None = None
    """GPUs it runs on."""
    capacity: Annotated[list[Capacity], Field(min_length=1, max_length=4), Unique()] = ["on-demand"]  # noqa: RUF012
    """Purchase options in order of preference."""
    nodes: NodesSpec | None = None
    """Nodes of its own."""
    overrides: Overrides = Field(default_factory=Overrides)
    """Guarded fields set by hand."""


class SystemWorkload(Model):
    """The untainted on-demand pool for add-ons; one exists by default."""

    kind: Literal["system"]
    """Add-ons and everything without a lane: system."""
    nodes: NodesSpec
    """Nodes it runs on."""


Workload = Annotated[
    InferenceWorkload | TrainingWorkload | BatchWorkload | SystemWorkload,
    Field(discriminator="kind"),
]
