"""From sized workloads to complete pools: one per purchase option, since inside a pool their order is fixed."""

from collections.abc import Iterator, Sequence

from gpulanes import kinds
from gpulanes.errors import PlanError
from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.invariants import beyond_node_group
from gpulanes.kinds.pool import Capacity, Nodes, Reservation
from gpulanes.plan.draft import Draft
from gpulanes.plan.names import KUBERNETES_NAME, physical_name
from gpulanes.spec.nodes import NodesSpec
from gpulanes.spec.workload import InferenceWorkload, SystemWorkload, TrainingWorkload, Workload

WEIGHT_STEP = 10
"""Between the weights of two options there is room for a pool that somebody adds by hand."""


def pools(draft: Draft) -> None:
    """Build every pool; what a kind refuses is reported at its place in the file."""
    for name, workload, nodes in draft.sized():
        with draft.attempt(name):
            made = [kinds.build(intent) for intent in intents(draft, name, workload, nodes)]
            problems = [problem for pool in made for problem in beyond_node_group(pool)]
            if problems:
                raise PlanError(problems)
            draft.pools.extend(made)


def options(workload: Workload) -> Sequence[Capacity]:
    """Return the purchase options in order of preference."""
    return ["on-demand"] if isinstance(workload, SystemWorkload) else workload.capacity


def intents(draft: Draft, name: str, workload: Workload, nodes: NodesSpec) -> Iterator[PoolIntent]:
    """Yield what is known about each pool of a workload."""
    wanted = options(workload)
    job = draft.jobs.get(name)
    windows = draft.spec.maintenance
    for position, (option, counts) in enumerate(zip(wanted, split(draft.nodes[name], wanted, nodes), strict=True)):
        yield PoolIntent(
            name=name if len(wanted) == 1 else f"{name}-{option}",
            kind=workload.kind,
            instance_types=tuple(nodes.types),
            zones=draft.zones[name],
            nodes=counts,
            tags=draft.spec.tags,
            capacity=(option,),
            provisioner=nodes.provisioner,
            service_class=workload.service_class if isinstance(workload, InferenceWorkload) else None,
            workloads=() if isinstance(workload, SystemWorkload) else (name,),
            priority_class="" if isinstance(workload, SystemWorkload) else class_name(draft, name, workload),
            weight=0 if len(wanted) == 1 else WEIGHT_STEP * (len(wanted) - position),
            multi_node=job is not None and job.nodes > 1,
            warm_nodes=draft.margins[name].warm if name in draft.margins and position == 0 else 0,
            disk_gib=nodes.disk_gib,
            window=windows.training if workload.kind == "training" else windows.inference,
            reservation=reservation(nodes) if option in ("reserved", "capacity-block") else None,
            checkpoint=draft.checkpoints.get(name),
            longest_job_seconds=longest_job(workload),
        )


def split(total: Nodes, wanted: Sequence[Capacity], nodes: NodesSpec) -> Iterator[Nodes]:
    """Yield the counts of each option: the minimum is filled in order, the cap is what the option can hold.

    Every later option keeps one node of a minimum that is large enough: a fallback that never ran is a hope.
    """
    low = total.min
    for position, option in enumerate(wanted, 1):
        most = total.max
        if option in ("reserved", "capacity-block") and nodes.reservation is not None:
            most = min(total.max, nodes.reservation.nodes)
        held = min(low, most, max(1, low - (len(wanted) - position)))
        yield Nodes(held, held, most)
        low -= held


def reservation(nodes: NodesSpec) -> Reservation | None:
    """Return the reservation that the nodes draw on."""
    given = nodes.reservation
    return None if given is None else Reservation(given.nodes, given.id or "", given.tags or {})


def longest_job(workload: Workload) -> float:
    """Return the longest time a node is needed without a break, seconds: as stated, else until the deadline."""
    if not isinstance(workload, TrainingWorkload):
        return 0.0
    if workload.longest_job is not None:
        return workload.longest_job.seconds
    return 0.0 if workload.cycle is None else workload.cycle.deadline.seconds


def class_name(draft: Draft, name: str, workload: Workload) -> str:
    """Return the PriorityClass of a workload: its lane's, or its own when the file sets the value."""
    own = not isinstance(workload, SystemWorkload) and workload.overrides.priority is not None
    return physical_name([draft.stack, name if own else workload.kind], KUBERNETES_NAME)
