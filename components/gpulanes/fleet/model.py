"""FleetSpec: one environment as the user wrote it."""

from typing import Annotated, Literal

from pydantic import Field

from gpulanes.spec.base import Model
from gpulanes.spec.storage import Storage
from gpulanes.spec.workload import Workload
from gpulanes.units import MonthlyCost, WeeklyWindow

Name = Annotated[str, Field(pattern=r"^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$")]


class ClusterSpec(Model):
    """A cluster to create (``kubernetes`` minor version) or one that is there (``existing`` name); exactly one."""

    kubernetes: Annotated[str, Field(pattern=r"^1\.\d{2}$")] | None = None
    existing: str | None = None


class Partition(Model):
    """How the lanes share GPUs. ``reserve`` ("2 nodes", "16 gpus") is never lent."""

    mode: Literal["physical", "logical", "borrow-and-return"] = "physical"
    reserve: str | None = None


class Maintenance(Model):
    """Weekly windows in UTC in which nodes of a lane may be replaced."""

    inference: WeeklyWindow | None = None
    training: WeeklyWindow | None = None


class Budget(Model):
    """Monthly cost ceilings per lane."""

    inference: MonthlyCost | None = None
    training: MonthlyCost | None = None
    batch: MonthlyCost | None = None
    system: MonthlyCost | None = None


class FleetSpec(Model):
    """One environment: workloads and the promises around them, not node counts."""

    fleet: Name
    cloud: Literal["aws"]
    region: str
    zones: Annotated[list[str], Field(min_length=1, max_length=6)]
    cluster: ClusterSpec
    tags: dict[str, str]
    partition: Partition = Partition()
    workloads: Annotated[dict[Name, Workload], Field(min_length=1, max_length=1000)]
    storage: Storage = Storage()
    maintenance: Maintenance = Maintenance()
    budget: Budget = Budget()
