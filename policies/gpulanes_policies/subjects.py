"""What rules apply to, and how they say what they saw. Rules know these and nothing of one another."""

from collections.abc import Callable, Iterable, Sequence

from gpulanes.facts.matching import blocks, selects
from gpulanes.facts.model import KINDS, Facts, Labels, PdbFacts, PoolFacts, PriorityFacts, Taint, WorkloadFacts
from gpulanes.facts.provider import is_vendor_taint
from gpulanes.facts.unknown import Fact, Undecided, Unknown


def pools_of(kind: str, provisioner: str = "") -> Callable[[Facts], Iterable[PoolFacts]]:
    """Return what picks the pools declared for a lane; a pool whose lane is not known is CLS-01's alone."""

    def pick(facts: Facts) -> Iterable[PoolFacts]:
        mine = (pool for pool in facts.pools if pool.kind.get_or("") == kind)
        return (pool for pool in mine if provisioner in ("", pool.provisioner))

    return pick


def classified_pools(facts: Facts) -> Iterable[PoolFacts]:
    """Return the pools whose lane is declared; the others have one finding, CLS-01, until they say it."""
    return (pool for pool in facts.pools if pool.kind.get_or("") in KINDS)


def said(fact: Fact[str] | Fact[int] | Fact[bool]) -> str:
    """Return a value as its source has it: what is absent is shown with what that means."""
    text = str(fact.get())
    return text if fact.given else f"absent, which means {text}" if text else "absent"


def listed(fact: Fact[tuple[str, ...]]) -> str:
    """Return a list as its source has it."""
    text = ", ".join(fact.get())
    return text if fact.given else f"absent, which means {text or 'none'}"


def shown_taints(taints: Iterable[Taint]) -> str:
    """Return taints as ``kubectl`` writes them."""
    return ", ".join(f"{taint.key}={taint.value}:{taint.effect}" for taint in taints)


def lane_taints(pool: PoolFacts, *, complete: bool = False) -> frozenset[tuple[str, str]]:
    """Return key and value of the taints that keep other lanes away.

    Raises Undecided when one that is not known matters: there is no other, or the ``complete`` set is asked for.
    """
    taints = pool.taints.get()
    found = {
        (taint.key, taint.value)
        for taint in taints
        if not uncertain(taint) and blocks(taint) is True and not is_vendor_taint(str(taint.key))
    }
    if any(uncertain(taint) for taint in taints) and (complete or not found):
        raise Undecided(path=f"{pool.taints.path} of {pool.target}", fact=pool.taints)
    return frozenset((str(key), str(value)) for key, value in found)


def uncertain(taint: Taint) -> bool:
    """Whether a part of a taint is not known."""
    return any(isinstance(part, Unknown) for part in (taint.key, taint.value, taint.effect))


def alike(pool: PoolFacts, other: PoolFacts) -> bool:
    """Whether two pools serve the same pods: the same declared workloads, or labels and taints without difference."""
    if pool.kind.get_or("") != other.kind.get_or(""):
        return False
    if pool.workloads or other.workloads:
        return pool.workloads == other.workloads
    return pool.labels.value == other.labels.value and pool.taints.value == other.taints.value


def zones_together(pool: PoolFacts, facts: Facts) -> frozenset[str]:
    """Return the zones of a pool and of those that serve the same pods; empty when one of them may use any zone.

    Raises Undecided when the zones of one are not known.
    """
    together = [pool, *(other for other in facts.pools if other is not pool and alike(pool, other))]
    zones = [one.zones.get() for one in together]
    return frozenset(zone for some in zones for zone in some) if all(zones) else frozenset()


def budgets_of(workload: WorkloadFacts, pdbs: Sequence[PdbFacts]) -> tuple[list[PdbFacts], Undecided | None]:
    """Return the PodDisruptionBudgets that select a workload, and what leaves open whether there are more."""
    found: list[PdbFacts] = []
    more: Undecided | None = None
    for pdb in pdbs:
        try:
            found += [pdb] if _covers(pdb, workload) else []
        except Undecided as undecided:
            more = undecided
    return found, more


def _covers(pdb: PdbFacts, workload: WorkloadFacts) -> bool:
    """Whether a budget covers a workload; raises Undecided when that hangs on something not known."""
    spaces = (pdb.namespace, workload.namespace)
    if all(space.known for space in spaces) and spaces[0].get() != spaces[1].get():
        return False
    matched = selects(pdb.selector.get(), workload.pod_labels.get())
    if isinstance(matched, Unknown):
        raise Undecided(workload.pod_labels.path, workload.pod_labels, "pdbs")
    return matched and all(space.get() for space in spaces)


def workloads_on(pool: PoolFacts, facts: Facts) -> list[WorkloadFacts]:
    """Return the workloads that run on a pool: those it was made for, else those that select its labels."""
    if pool.workloads:
        return [workload for workload in facts.workloads if workload.name in pool.workloads]
    return [workload for workload in facts.workloads if _selects_pool(workload, pool)]


def _selects_pool(workload: WorkloadFacts, pool: PoolFacts) -> bool:
    wanted, labels = workload.node_selector.get_or({}), pool.labels.get_or({})
    return bool(wanted) and all(labels.get(key) == value for key, value in wanted.items())


def lanes_of(priority: PriorityFacts, facts: Facts) -> set[str]:
    """Return the lanes of a priority class, as far as known: its own, and those of the pods that name it."""
    users = (w.kind.get_or("") for w in facts.workloads if w.priority_class.get_or("") == priority.name)
    return {priority.kind.get_or(""), *users} - {""}


def users_known(facts: Facts) -> bool:
    """Whether every workload's lane and priority class are known."""
    return all(w.kind.known and w.priority_class.known for w in facts.workloads)


def missing(tags: Labels, keys: Iterable[str]) -> list[str]:
    """Return the keys that are absent or empty; a value that is not known yet is a value."""
    return [key for key in keys if tags.get(key, "") == ""]
