"""What belongs together: joins over all facts, each made once, so that rules stay linear in the size of a fleet."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from gpulanes.facts.matching import selects
from gpulanes.facts.model import Facts, Labels, PdbFacts, PoolFacts, PriorityFacts, Taint, WorkloadFacts
from gpulanes.facts.unknown import Fact, Undecided, Unknown
from gpulanes_policies.subjects import lane_pools, separating, uncertain


@dataclass(frozen=True, slots=True)
class LaneTaints:
    """The taints of one lane's pools: each distinct set with its pools, and the pools of which not all is known."""

    sets: dict[frozenset[tuple[str, str]], list[str]] = field(default_factory=dict)
    taints: set[Taint] = field(default_factory=set)
    unsure: list[Undecided] = field(default_factory=list)


def lane_taints(facts: Facts) -> dict[str, LaneTaints]:
    """Return the taints that keep other lanes away, by lane."""
    return facts.once("lane taints", _lane_taints)


def _lane_taints(facts: Facts) -> dict[str, LaneTaints]:
    lanes: dict[str, LaneTaints] = {}
    for pool in lane_pools(facts):
        lane = lanes.setdefault(pool.kind.get(), LaneTaints())
        if not pool.taints.known or any(map(uncertain, pool.taints.get())):
            lane.unsure.append(Undecided(f"{pool.taints.path} of {pool.target}", pool.taints))
            continue
        taints = separating(pool)
        lane.taints.update(taints)
        lane.sets.setdefault(frozenset((str(t.key), str(t.value)) for t in taints), []).append(pool.name)
    return lanes


def zones_together(pool: PoolFacts, facts: Facts) -> frozenset[str]:
    """Return the zones of a pool and of those that serve the same pods; empty when one of them may use any zone.

    Raises Undecided when the zones of one are not known.
    """
    together = facts.once("pools together", _pools_together)[_pods_key(pool)]
    zones = [one.zones.get() for one in together]
    return frozenset(zone for some in zones for zone in some) if all(zones) else frozenset()


def _pools_together(facts: Facts) -> dict[Hashable, list[PoolFacts]]:
    groups: dict[Hashable, list[PoolFacts]] = defaultdict(list)
    for pool in facts.pools:
        groups[_pods_key(pool)].append(pool)
    return groups


def _pods_key(pool: PoolFacts) -> Hashable:
    """What pods tell pools apart by: their workloads, or labels and taints. Where one is unknown no other is alike."""
    if pool.workloads:
        return pool.kind.get_or(""), pool.workloads
    labels, taints = pool.labels.get_or({}), pool.taints.get_or(())
    parts = [pool.labels.value, pool.taints.value, pool.kind.value, *labels.values()]
    if any(isinstance(part, Unknown) for part in parts) or any(map(uncertain, taints)):
        return id(pool)
    return pool.kind.get(), frozenset(labels.items()), frozenset(taints)


def workloads_on(pool: PoolFacts, facts: Facts) -> list[WorkloadFacts]:
    """Return the workloads that run on a pool: those it was made for, else those that select its labels."""
    if pool.workloads:
        named = facts.once("workloads by name", lambda found: {workload.name: workload for workload in found.workloads})
        return [named[name] for name in pool.workloads if name in named]
    return [workload for workload in facts.workloads if _selects_pool(workload, pool)]


def _selects_pool(workload: WorkloadFacts, pool: PoolFacts) -> bool:
    wanted, labels = workload.node_selector.get_or({}), pool.labels.get_or({})
    return bool(wanted) and all(labels.get(key) == value for key, value in wanted.items())


def lanes_of(priority: PriorityFacts, facts: Facts) -> set[str]:
    """Return the lanes of a priority class, as far as known: its own, and those of the pods that name it."""
    users = facts.once("lanes by priority class", _lanes_by_class)
    return {priority.kind.get_or(""), *users.get(priority.name, ())} - {""}


def _lanes_by_class(facts: Facts) -> dict[str, set[str]]:
    lanes: dict[str, set[str]] = defaultdict(set)
    for workload in facts.workloads:
        lanes[workload.priority_class.get_or("")].add(workload.kind.get_or(""))
    return lanes


def unknown_users(facts: Facts) -> list[Fact[str]]:
    """Return what is not known of the lanes and priority classes of workloads."""
    read = (fact for workload in facts.workloads for fact in (workload.priority_class, workload.kind))
    return facts.once("unknown users", lambda _: [fact for fact in read if not fact.known])


class Coverage:
    """Which PodDisruptionBudget covers which workload, and what leaves open whether there are more pairs."""

    def __init__(self, facts: Facts) -> None:
        self._pdbs: dict[int, list[PdbFacts]] = defaultdict(list)
        self._workloads: dict[int, list[WorkloadFacts]] = defaultdict(list)
        self._open: dict[int, Undecided] = {}
        candidates = _Candidates(facts.workloads)
        for pdb in facts.pdbs:
            for workload in candidates.of(pdb):
                self._join(pdb, workload)

    def _join(self, pdb: PdbFacts, workload: WorkloadFacts) -> None:
        try:
            if _covers(pdb, workload):
                self._pdbs[id(workload)].append(pdb)
                self._workloads[id(pdb)].append(workload)
        except Undecided as undecided:
            self._open[id(pdb)] = self._open[id(workload)] = undecided

    def of(self, workload: WorkloadFacts) -> tuple[Sequence[PdbFacts], Undecided | None]:
        """Return the budgets that cover a workload, and what leaves open whether there are more."""
        return self._pdbs.get(id(workload), ()), self._open.get(id(workload))

    def by(self, pdb: PdbFacts) -> tuple[Sequence[WorkloadFacts], Undecided | None]:
        """Return the workloads that a budget covers, and what leaves open whether there are more."""
        return self._workloads.get(id(pdb), ()), self._open.get(id(pdb))


def coverage(facts: Facts) -> Coverage:
    """Return which PodDisruptionBudget covers which workload."""
    return facts.once("coverage", Coverage)


class _Candidates:
    """Workloads by their labels, so that a selector is only tried where one of its labels is."""

    def __init__(self, workloads: Sequence[WorkloadFacts]) -> None:
        self._all = workloads
        self._with: dict[tuple[str, str], list[WorkloadFacts]] = defaultdict(list)
        self._unsure: list[WorkloadFacts] = []
        for workload in workloads:
            labels = workload.pod_labels.value
            if isinstance(labels, Unknown) or any(isinstance(value, Unknown) for value in labels.values()):
                self._unsure.append(workload)
                continue
            for pair in _pairs(labels):
                self._with[pair].append(workload)

    def of(self, pdb: PdbFacts) -> Iterable[WorkloadFacts]:
        """Return the workloads that a budget may cover: those with the rarest of its labels, and the unsure."""
        selector = pdb.selector.value
        if isinstance(selector, Unknown) or not any(_pairs(selector.labels)):
            return self._all
        rarest = min((self._with.get(pair, []) for pair in _pairs(selector.labels)), key=len)
        return [*rarest, *self._unsure]


def _pairs(labels: Labels) -> Iterator[tuple[str, str]]:
    return ((key, value) for key, value in labels.items() if isinstance(value, str))


def _covers(pdb: PdbFacts, workload: WorkloadFacts) -> bool:
    """Whether a budget covers a workload; raises Undecided when that hangs on something not known."""
    spaces = (pdb.namespace, workload.namespace)
    if all(space.known for space in spaces) and spaces[0].get() != spaces[1].get():
        return False
    matched = selects(pdb.selector.get(), workload.pod_labels.get())
    if isinstance(matched, Unknown):
        raise Undecided(workload.pod_labels.path, workload.pod_labels, "pdbs")
    return matched and all(space.get() for space in spaces)
