"""The plan: one immutable, complete value. Components render it, rules judge it, people read it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gpulanes.kinds.pool import Kind, Pool, ServiceClass
from gpulanes.sizing.sized import Sized

Mode = Literal["physical", "logical", "borrow-and-return"]


@dataclass(frozen=True, slots=True)
class ClusterPlan:
    """The cluster: ``existing`` names one that is there, else one of version ``kubernetes`` is created."""

    name: str
    kubernetes: str
    existing: bool = False


@dataclass(frozen=True, slots=True)
class PartitionPlan:
    """How the lanes share. ``reserve_gpus`` are never lent, ``lendable_gpus`` may be borrowed by training or batch."""

    mode: Mode
    reserve_gpus: int
    lendable_gpus: int


@dataclass(frozen=True, slots=True)
class ServedWorkload:
    """What a workload repository needs: where to run, how it may be disturbed, and what guards it.

    ``pdb_max_unavailable`` is 0 when no PodDisruptionBudget is rendered (training, batch).
    ``pod_labels`` is what the PodDisruptionBudget selects: pods must carry them.
    """

    name: str
    kind: Kind
    namespace: str
    priority_class: str
    pod_labels: Mapping[str, str]
    node_selector: Mapping[str, str]
    tolerations: tuple[Mapping[str, str], ...]
    replicas: int
    pdb_max_unavailable: int
    pools: tuple[str, ...]
    queue: str = ""
    service_class: ServiceClass | None = None


@dataclass(frozen=True, slots=True)
class PriorityPlan:
    """A PriorityClass."""

    name: str
    kind: Kind
    value: int
    preemption_policy: Literal["PreemptLowerPriority", "Never"]


@dataclass(frozen=True, slots=True)
class FlavorPlan:
    """A Kueue ResourceFlavor: nodes by label; ``tolerations`` are injected on admission."""

    name: str
    kind: Kind
    node_labels: Mapping[str, str]
    tolerations: tuple[Mapping[str, str], ...]
    spot: bool


@dataclass(frozen=True, slots=True)
class QuotaPlan:
    """GPU quota of one queue on one flavor. ``None`` means the field stays unset, which Kueue reads as unlimited."""

    flavor: str
    nominal: int
    borrowing: int | None
    lending: int | None


@dataclass(frozen=True, slots=True)
class QueuePlan:
    """A Kueue ClusterQueue with its LocalQueue in ``namespace``."""

    name: str
    kind: Kind
    namespace: str
    cohort: str
    quotas: tuple[QuotaPlan, ...]
    reclaim_within_cohort: Literal["Never", "LowerPriority", "Any"]
    within_cluster_queue: Literal["Never", "LowerPriority"]


@dataclass(frozen=True, slots=True)
class LustrePlan:
    """FSx for Lustre, sized on its legal grid, linked to the archive bucket under ``prefix``."""

    name: str
    deployment_type: Literal["PERSISTENT_2", "SCRATCH_2"]
    capacity_gib: int
    throughput_per_tib: int
    metadata_iops: int
    efa: bool
    zone: str
    linked_prefix: str
    export_events: tuple[str, ...]
    weekly_maintenance: str
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BucketPlan:
    """An object store. ``archive_after_days`` 0 means current versions never leave the standard class."""

    name: str
    purpose: Literal["serving", "archive"]
    versioned: bool
    archive_after_days: int
    protect: bool
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StoragePlan:
    """The storage tiers; a tier that no workload needs is ``None``."""

    hot: LustrePlan | None = None
    serving: BucketPlan | None = None
    archive: BucketPlan | None = None


@dataclass(frozen=True, slots=True)
class LaneCost:
    """What one lane costs in a 730 h month, with the budget the user set (0: none)."""

    kind: Kind
    monthly: Sized
    budget_usd: float


@dataclass(frozen=True, slots=True)
class Step:
    """What one planner step decided about one subject (a workload, a pool, a tier), number by number."""

    name: str
    subject: str
    numbers: Mapping[str, Sized] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """Advice or a warning: ``code`` is stable, ``text`` is for people."""

    level: Literal["advice", "warning"]
    code: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that will be created, decided. ``tags`` are the fleet's own; pools and tiers carry theirs merged."""

    fleet: str
    environment: str
    cloud: Literal["aws"]
    region: str
    zones: tuple[str, ...]
    tags: Mapping[str, str]
    cluster: ClusterPlan
    partition: PartitionPlan
    pools: tuple[Pool, ...]
    workloads: tuple[ServedWorkload, ...]
    priorities: tuple[PriorityPlan, ...]
    flavors: tuple[FlavorPlan, ...]
    queues: tuple[QueuePlan, ...]
    storage: StoragePlan
    windows: Mapping[str, str]
    costs: tuple[LaneCost, ...]
    steps: tuple[Step, ...]
    notes: tuple[Note, ...]
