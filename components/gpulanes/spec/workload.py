"""The four kinds of workload."""

from typing import Annotated, Literal

from pydantic import Field

from gpulanes.spec.base import Model
from gpulanes.spec.nodes import Capacity, NodesSpec
from gpulanes.spec.overrides import Overrides
from gpulanes.spec.sla import Demand, Replica, ServiceClass, Slo
from gpulanes.units import Amount, DailyWindow, Duration, Fraction

Dtype = Literal["fp32", "bf16", "fp16", "fp8", "int8", "int4"]


class ModelShape(Model):
    """A model by ``name`` from the catalogue, by numbers, or by name with numbers that override."""

    name: str | None = None
    parameters: Amount | None = None
    active_parameters: Amount | None = None
    layers: Annotated[int, Field(ge=1, le=1000)] | None = None
    heads: Annotated[int, Field(ge=1, le=1024)] | None = None
    kv_heads: Annotated[int, Field(ge=1, le=1024)] | None = None
    head_dim: Annotated[int, Field(ge=1, le=1024)] | None = None
    hidden: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    vocabulary: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    dtype: Dtype = "bf16"
    kv_dtype: Literal["bf16", "fp16", "fp8"] = "bf16"


class Cycle(Model):
    """A training programme: ``tokens`` every ``every``, done by ``deadline``; ``mfu`` model FLOPs utilisation."""

    tokens: Amount
    every: Duration
    deadline: Duration
    mfu: Fraction = Fraction(0.4)


class CheckpointSpec(Model):
    """Saves of training state. ``interval`` auto is the exact optimum; ``save_time`` blocks the step."""

    interval: Duration | Literal["auto"] = "auto"
    store: Literal["hot", "archive"] = "hot"
    save_time: Duration = Duration(60.0)
    restart_time: Duration = Duration(900.0)


class InferenceWorkload(Model):
    """A served model."""

    kind: Literal["inference"]
    service_class: ServiceClass = "standard"
    model: str | ModelShape
    demand: Demand
    slo: Slo = Slo()
    replica: Replica
    nodes: NodesSpec
    capacity: Annotated[list[Capacity], Field(min_length=1, max_length=3)] = ["on-demand"]  # noqa: RUF012
    overrides: Overrides = Overrides()


class TrainingWorkload(Model):
    """A training programme. ``reclaim_mtbf`` is the time between Spot reclaims of the whole job."""

    kind: Literal["training"]
    model: str | ModelShape
    cycle: Cycle | None = None
    capacity: Annotated[list[Capacity], Field(min_length=1, max_length=4)] = ["on-demand"]  # noqa: RUF012
    nodes: NodesSpec
    checkpoint: CheckpointSpec | None = None
    reclaim_mtbf: Duration = Duration(8 * 3600.0)
    longest_job: Duration | None = None
    overrides: Overrides = Overrides()


class BatchWorkload(Model):
    """Batch inference: in a daily ``window``, on borrowed capacity or on nodes of its own."""

    kind: Literal["batch"]
    model: str | ModelShape | None = None
    borrow: Literal["inference", "training"] | None = None
    window: DailyWindow | None = None
    gpus: Annotated[int, Field(ge=1, le=100_000)] | None = None
    capacity: Annotated[list[Capacity], Field(min_length=1, max_length=4)] = ["on-demand"]  # noqa: RUF012
    nodes: NodesSpec | None = None
    overrides: Overrides = Overrides()


class SystemWorkload(Model):
    """The untainted on-demand pool for add-ons; one exists by default."""

    kind: Literal["system"]
    nodes: NodesSpec


Workload = Annotated[
    InferenceWorkload | TrainingWorkload | BatchWorkload | SystemWorkload,
    Field(discriminator="kind"),
]
