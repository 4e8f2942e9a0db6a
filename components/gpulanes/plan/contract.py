"""What a workload repository needs to know: where its pods run, what they tolerate, and what guards them."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpulanes import kinds
from gpulanes.kinds import lane
from gpulanes.kinds.pool import LANE_KEY, LANES, Kind
from gpulanes.plan.draft import Draft
from gpulanes.plan.model import PriorityPlan, ServedWorkload
from gpulanes.plan.names import KUBERNETES_NAME, physical_name
from gpulanes.plan.pools import class_name
from gpulanes.plan.queues import lane_name, sharing_of
from gpulanes.sizing.formula import compute
from gpulanes.sizing.sized import Sized
from gpulanes.spec.workload import BatchWorkload, InferenceWorkload, TrainingWorkload

DRAIN_SECONDS = 900.0
"""EKS gives the pods of a node 15 minutes to leave before an update fails."""

GpuWorkload = InferenceWorkload | TrainingWorkload | BatchWorkload


@dataclass(frozen=True, slots=True)
class Places:
    """The pools of every workload, and the lanes whose pods may run on another lane's nodes."""

    pools: Mapping[str, tuple[str, ...]]
    borrowing: frozenset[Kind]

    @classmethod
    def of(cls, draft: Draft) -> "Places":
        """Read them from the draft."""
        pools: dict[str, tuple[str, ...]] = {}
        for pool in draft.pools:
            for name in pool.workloads:
                pools[name] = (*pools.get(name, ()), pool.name)
        lends = draft.spec.partition.mode == "borrow-and-return"
        sharing = sharing_of(draft)
        return cls(pools, frozenset(kind for kind in LANES if lends and any(sharing.borrowed(kind))))


def priorities(draft: Draft) -> None:
    """Rank the lanes: inference above training above batch."""
    for kind in LANES:
        if any(workload.kind == kind for workload in draft.spec.workloads.values()):
            rank = kinds.PRIORITIES[kind]
            name = physical_name([draft.stack, kind], KUBERNETES_NAME)
            draft.priorities.append(PriorityPlan(name, kind, rank.value, rank.preemption_policy))


def contracts(draft: Draft) -> None:
    """State the contract of every workload."""
    places = Places.of(draft)
    for name, served in draft.each(InferenceWorkload):
        replicas, allowed = disruptable(draft, name, served)
        draft.report("contract", name, {"replicas": replicas, "pdb_max_unavailable": allowed})
        draft.workloads.append(contract(draft, places, name, served, replicas.count, allowed.count))
    for name, programme in draft.each(TrainingWorkload):
        draft.workloads.append(contract(draft, places, name, programme, draft.jobs[name].nodes))
    for name, batch in draft.each(BatchWorkload):
        draft.workloads.append(contract(draft, places, name, batch, 1))


def disruptable(draft: Draft, name: str, served: InferenceWorkload) -> tuple[Sized, Sized]:
    """Return the replicas that run at least, and how many may be taken at once: one, or more to drain in time."""
    per_node = draft.per_node[name]
    replicas = compute(
        "min_nodes * replicas_per_node",
        "replicas",
        source="what the held nodes carry",
        min_nodes=draft.nodes[name].min,
        replicas_per_node=per_node,
    )
    allowed = compute(
        "max(1, ceil(replicas_per_node * startup_seconds / drain_seconds))",
        "replicas",
        source="a node drains before its update times out; at least one, or nothing ever could",
        replicas_per_node=per_node,
        startup_seconds=served.replica.startup.seconds,
        drain_seconds=DRAIN_SECONDS,
    )
    return replicas, allowed


def contract(
    draft: Draft, places: Places, name: str, workload: GpuWorkload, replicas: int, pdb_max_unavailable: int = 0
) -> ServedWorkload:
    """Return one contract. A PodDisruptionBudget guards what is served, and nothing else.

    Where the lane borrows, the queue chooses the nodes and selects them on admission.
    """
    own = {LANE_KEY: workload.kind, lane.workload_key(LANE_KEY): name}
    pools = places.pools.get(name, ())
    return ServedWorkload(
        name=name,
        kind=workload.kind,
        namespace=lane_name(draft, workload.kind),
        priority_class=class_name(draft, name, workload),
        pod_labels=own,
        node_selector={} if workload.kind in places.borrowing else own,
        tolerations=lane.tolerations(workload.kind, LANE_KEY) if pools else (),
        replicas=replicas,
        pdb_max_unavailable=pdb_max_unavailable,
        pools=pools,
        queue=lane_name(draft, workload.kind),
        service_class=workload.service_class if isinstance(workload, InferenceWorkload) else None,
    )
