"""FleetSpec: one environment as the user wrote it."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gpulanes.spec.base import Model
from gpulanes.spec.constraints import Constraint, has, inside, one_of
from gpulanes.spec.storage import Storage
from gpulanes.spec.text import ClusterName, KubernetesVersion, Name, Region, Reserve, TagKey, TagValue, Unique, Zone
from gpulanes.spec.workload import Workload
from gpulanes.units import MonthlyCost, WeeklyWindow


class ClusterSpec(Model):
    """A cluster to create (``kubernetes`` minor version) or one that is there (``existing`` name); exactly one."""

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        Constraint(
            "cluster-new-or-existing",
            "",
            one_of("kubernetes", "existing"),
            "exactly one of kubernetes and existing",
            'give kubernetes: "1.34" to create a cluster, or existing: NAME to use one that is there',
        ),
    )

    kubernetes: KubernetesVersion | None = None
    """Minor version of the cluster to create."""
    existing: ClusterName | None = None
    """Name of a cluster that is there."""


class Partition(Model):
    """How the lanes share GPUs. ``reserve`` ("2 nodes", "16 gpus") is never lent."""

    mode: Literal["physical", "logical", "borrow-and-return"] = "physical"
    """Physical: own nodes, nothing is lent. Logical: fixed quotas on shared nodes. Borrow-and-return: idle GPUs are
    lent and taken back on demand."""
    reserve: Reserve | None = None
    """Inference capacity that is never lent."""


class Maintenance(Model):
    """Weekly windows in UTC in which nodes of a lane may be replaced."""

    inference: WeeklyWindow | None = None
    """Window of the inference lane."""
    training: WeeklyWindow | None = None
    """Window of the training lane; it must not overlap the other."""


class Budget(Model):
    """Monthly cost ceilings per lane."""

    inference: MonthlyCost | None = None
    """Ceiling of the inference lane."""
    training: MonthlyCost | None = None
    """Ceiling of the training lane."""
    batch: MonthlyCost | None = None
    """Ceiling of batch work on nodes of its own."""
    system: MonthlyCost | None = None
    """Ceiling of the system pool."""


class FleetSpec(Model):
    """One environment: workloads and the promises around them, not node counts."""

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = (
        Constraint(
            "environment-tag",
            "tags.environment",
            inside("tags", has("environment")),
            "required: the environment is part of every name",
            "add environment: prod (or dev, staging, …) to tags",
        ),
    )

    fleet: Name
    """Name of the fleet. With the environment it prefixes every name."""
    cloud: Literal["aws"]
    """The cloud."""
    region: Region
    """The region."""
    zones: Annotated[list[Zone], Field(min_length=1, max_length=6), Unique()]
    """Zones that the fleet may use, all in the region."""
    cluster: ClusterSpec
    """The Kubernetes cluster."""
    tags: Annotated[dict[TagKey, TagValue], Field(min_length=1, max_length=40)]
    """Cost tags for everything; ``environment`` is required, ``owner`` and ``cost-center`` are expected by a rule."""
    partition: Partition = Field(default_factory=Partition)
    """How the lanes share GPUs."""
    workloads: Annotated[dict[Name, Workload], Field(min_length=1, max_length=1000)]
    """What must run, by name."""
    storage: Storage = Field(default_factory=Storage)
    """Storage tiers."""
    maintenance: Maintenance = Field(default_factory=Maintenance)
    """When nodes may be replaced."""
    budget: Budget = Field(default_factory=Budget)
    """Monthly cost ceilings."""
