"""The shape of one pool of nodes, complete: rendering it has no choice left.

Everything here is plain data (strings, numbers, tuples, mappings), so that a plan, a component's
props and a policy see the same values under the same names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["inference", "training", "batch", "system"]
Provisioner = Literal["node-group", "karpenter"]
Capacity = Literal["on-demand", "reserved", "spot", "capacity-block"]
ServiceClass = Literal["latency-critical", "standard", "best-effort"]
Effect = Literal["NoSchedule", "PreferNoSchedule", "NoExecute"]

LANES: tuple[Kind, ...] = ("inference", "training", "batch")
KINDS: tuple[Kind, ...] = (*LANES, "system")

LANE_KEY = "workload"
"""Key of the lane label, taint and cost tag (design, section 3)."""

GPU_RESOURCE = "nvidia.com/gpu"


@dataclass(frozen=True, slots=True)
class Taint:
    """A Kubernetes taint, effect in Kubernetes spelling."""

    key: str
    value: str
    effect: Effect = "NoSchedule"


@dataclass(frozen=True, slots=True)
class Budget:
    """A Karpenter disruption budget; no ``reasons`` means all.

    ``schedule`` (cron, UTC) and ``duration`` come together or not at all.
    """

    nodes: str
    reasons: tuple[str, ...] = ()
    schedule: str = ""
    duration: str = ""


@dataclass(frozen=True, slots=True)
class Disruption:
    """When a node may be taken away on purpose. Durations in Go spelling (``60m``, ``Never``)."""

    consolidation_policy: Literal["WhenEmpty", "WhenEmptyOrUnderutilized"]
    consolidate_after: str
    budgets: tuple[Budget, ...]
    expire_after: str
    termination_grace_period: str = ""


@dataclass(frozen=True, slots=True)
class Nodes:
    """Node counts. ``min`` is held, ``desired`` is the initial size, ``max`` is the cap."""

    min: int
    desired: int
    max: int


@dataclass(frozen=True, slots=True)
class Reservation:
    """A capacity reservation by id (``cr-…``) or by tags; ``nodes`` is how many it holds."""

    nodes: int
    id: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where and how often training state is saved. ``interval_seconds`` is the work between saves."""

    store: str
    interval_seconds: float
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Pool:
    """One set of nodes of one kind, with one purchase option and one provisioner.

    ``capped`` false renders no upper bound (a rule refuses that for training).
    """

    name: str
    kind: Kind
    provisioner: Provisioner
    instance_types: tuple[str, ...]
    architecture: Literal["x86_64", "arm64"]
    capacity: tuple[Capacity, ...]
    zones: tuple[str, ...]
    nodes: Nodes
    gpus_per_node: int
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    disruption: Disruption | None
    ami_type: str
    disk_gib: int
    tags: Mapping[str, str]
    workloads: tuple[str, ...] = ()
    service_class: ServiceClass | None = None
    priority_class: str = ""
    autoscaled: bool = False
    weight: int = 0
    local_nvme_gb: int = 0
    efa_interfaces: int = 0
    placement: Literal["none", "cluster", "reservation"] = "none"
    max_unavailable: int = 1
    warm_nodes: int = 0
    reservation: Reservation | None = None
    checkpoint: Checkpoint | None = None
    capped: bool = True

    @property
    def max_gpus(self) -> int:
        """GPUs at the cap."""
        return self.nodes.max * self.gpus_per_node
