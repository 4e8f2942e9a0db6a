"""What a caller states about a pool; the kind's defaults and invariants turn it into a complete Pool.

The planner fills one from workloads; a component fills one from explicit arguments.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from gpulanes.kinds.pool import Capacity, Checkpoint, Kind, Nodes, Provisioner, Reservation, ServiceClass
from gpulanes.units import WeeklyWindow


@dataclass(frozen=True, slots=True)
class PoolIntent:
    """Stated facts of one pool. ``tags`` are the fleet's; the lane tag is added by the kind.

    ``multi_node`` asks for the fabric (EFA, placement) when the type has it; ``window`` is the weekly
    maintenance window of the lane; ``taint_key`` is the lane key (design, section 3).
    """

    name: str
    kind: Kind
    instance_types: tuple[str, ...]
    zones: tuple[str, ...]
    nodes: Nodes
    tags: Mapping[str, str]
    capacity: tuple[Capacity, ...] = ("on-demand",)
    provisioner: Provisioner | None = None
    service_class: ServiceClass | None = None
    workloads: tuple[str, ...] = ()
    priority_class: str = ""
    autoscaled: bool = False
    weight: int = 0
    multi_node: bool = False
    warm_nodes: int = 0
    disk_gib: int = 200
    window: WeeklyWindow | None = None
    reservation: Reservation | None = None
    checkpoint: Checkpoint | None = None
    longest_job_seconds: float = 0.0
    lane_key: str = "workload"
