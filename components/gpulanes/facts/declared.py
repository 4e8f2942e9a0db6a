"""Reading what gpulanes itself declares: plain plans and the props of its components.

The two differ only in how they spell field names, which the view knows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gpulanes.facts.model import (
    FLEET,
    NOWHERE,
    Facts,
    Labels,
    PdbFacts,
    Place,
    PoolFacts,
    PriorityFacts,
    Selector,
    StoreFacts,
    TaggedFacts,
    Taint,
    Toleration,
    Unread,
    WorkloadFacts,
)
from gpulanes.facts.provider import is_accelerated, section
from gpulanes.facts.unknown import UNKNOWN, Fact, Unknown
from gpulanes.facts.view import View, label, scalar_text
from gpulanes.kinds.pool import Budget

Locate = Callable[[str], Place]
"""Where the text says something about a workload or a tier, by dotted path."""


@dataclass(slots=True)
class Declaration:
    """What is read so far, in the order of the source."""

    lane_key: str
    locate: Locate
    pools: list[PoolFacts] = field(default_factory=list)
    workloads: list[WorkloadFacts] = field(default_factory=list)
    pdbs: list[PdbFacts] = field(default_factory=list)
    priorities: list[PriorityFacts] = field(default_factory=list)
    stores: list[StoreFacts] = field(default_factory=list)
    tagged: list[TaggedFacts] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    tags: Fact[Labels] | None = None
    """Tags of all that is created, where the source has them."""

    def facts(self, *, target: str, place: Place) -> Facts:
        """Close the declaration: what it does not say does not exist."""
        return Facts(
            pools=self.pools,
            workloads=self.workloads,
            pdbs=self.pdbs,
            priorities=self.priorities,
            stores=self.stores,
            tagged=self.tagged,
            unread=self.unread,
            tags=self.tags,
            whole=True,
            target=target,
            origin="declared",
            place=place,
        )

    def items(self, view: View) -> list[View]:
        """Return the known items of a list; a list or an item that is not known is kept as unread."""
        found = view.items()
        if isinstance(found, Unknown):
            self.unread.append(Unread(FLEET, Fact(view.path, UNKNOWN), self.locate("")))
            return []
        self.unread.extend([Unread(FLEET, Fact(v.path, UNKNOWN), self.locate("")) for v in found if not known(v)])
        return [v for v in found if known(v)]


def known(view: View) -> bool:
    """Whether a structure can be looked into."""
    return isinstance(view.data, Mapping)


def relative(view: View, path: str) -> View:
    """Return the view with paths that start at ``path``: a finding names the pool, not its place in a list."""
    return View(view.data, path, view.spell)


def read_fleet(view: View, into: Declaration) -> None:
    """Read a whole plan."""
    read_common_tags(view, FLEET, into)
    for pool in into.items(view.at("pools")):
        read_pool(relative(pool, "pool"), into)
    for workload in into.items(view.at("workloads")):
        read_workload(relative(workload, "workload"), into)
    for priority in into.items(view.at("priorities")):
        read_priority(relative(priority, "priority"), into)
    read_storage(view.at("storage"), into)


def read_common_tags(view: View, target: str, into: Declaration) -> None:
    """Read the tags of all that a fleet or a cluster creates."""
    into.tags = view.at("tags").labels()
    into.tagged.append(TaggedFacts(target, "declared", into.tags, lane=False, place=into.locate("tags")))


def read_pool(view: View, into: Declaration) -> None:
    """Read one pool and its tags."""
    name = view.at("name").text().get_or("(unknown)")
    target = f"pool {name}"
    workloads = view.at("workloads").texts().get_or(())
    place = into.locate(f"workloads.{workloads[0]}") if workloads else NOWHERE
    provisioner = view.at("provisioner").text()
    needed = (provisioner, view.at("name").text(), view.at("workloads").texts())
    into.unread.extend(Unread(target, Fact(fact.path, UNKNOWN), place) for fact in needed if not fact.known)
    labels, tags = view.at("labels").labels(), view.at("tags").labels()
    types, gpus, cut = view.at("instance_types").texts(), view.at("gpus_per_node"), view.at("disruption")
    defaults = section("karpenter")
    into.pools.append(
        PoolFacts(
            name=name,
            target=target,
            origin="declared",
            provisioner="node-group" if provisioner.get_or("") == "node-group" else "karpenter",
            kind=view.at("kind").text(),
            lane_label=label(labels, into.lane_key),
            service_class=view.at("service_class").text(),
            accelerated=_accelerated(types, gpus),
            types=types,
            capacity=view.at("capacity").texts(),
            zones=view.at("zones").texts(),
            min_nodes=view.at("nodes", "min").integer(),
            max_nodes=view.at("nodes", "max").integer(),
            capped=view.at("capped").boolean(default=True),
            labels=labels,
            taints=_taints(view.at("taints")),
            consolidation_policy=cut.at("consolidation_policy").text(defaults["consolidation_policy"]),
            consolidate_after=cut.at("consolidate_after").text(defaults["consolidate_after"]),
            budgets=read_budgets(cut.at("budgets")),
            expire_after=cut.at("expire_after").text(defaults["expire_after"]),
            ami_type=view.at("ami_type").text(),
            architecture=view.at("architecture").text(),
            image=Fact(view.path, "", given=False),
            market=Fact(view.path, "", given=False),
            tags=tags,
            warm_nodes=view.at("warm_nodes").integer().get_or(0),
            workloads=workloads,
            place=place,
        )
    )
    into.tagged.append(TaggedFacts(target, "declared", tags, whole=into.tags, place=place))


def _accelerated(types: Fact[tuple[str, ...]], gpus: View) -> Fact[bool]:
    if gpus.absent:
        value = types.value
        return Fact(types.path, value if isinstance(value, Unknown) else any(map(is_accelerated, value)))
    count = gpus.integer()
    return Fact(count.path, count.value if isinstance(count.value, Unknown) else count.value > 0)


def _taints(view: View) -> Fact[tuple[Taint, ...]]:
    found = view.items()
    if isinstance(found, Unknown):
        return Fact(view.path, UNKNOWN)
    return Fact(view.path, tuple(read_taint(item) for item in found), given=not view.absent)


def read_taint(view: View) -> Taint:
    """Read a taint in Kubernetes' spelling; an absent value is "", an absent effect is no effect at all."""
    return Taint(view.at("key").text().value, view.at("value").scalar().value, view.at("effect").text().value)


def read_budgets(view: View) -> Fact[tuple[Budget, ...]]:
    """Read disruption budgets; one that is not known makes them all unknown. Absent is Karpenter's own default."""
    if view.absent:
        return Fact(view.path, (Budget(section("karpenter")["budget_nodes"]),), given=False)
    found = view.items()
    read = [] if isinstance(found, Unknown) else [_budget(item) for item in found]
    whole = tuple(budget for budget in read if budget is not None)
    return Fact(view.path, UNKNOWN if isinstance(found, Unknown) or len(whole) != len(found) else whole)


def _budget(view: View) -> Budget | None:
    reasons = view.at("reasons").texts()
    texts = [view.at("nodes").scalar(), view.at("schedule").text(), view.at("duration").text()]
    if not reasons.known or not all(text.known for text in texts):
        return None
    nodes, schedule, duration = (text.get() for text in texts)
    return Budget(nodes, reasons.get(), schedule, duration)


def read_workload(view: View, into: Declaration) -> None:
    """Read one workload and the PodDisruptionBudget that its numbers stand for."""
    name = view.at("name").text().get_or("(unknown)")
    target, place = f"workload {name}", into.locate(f"workloads.{name}")
    labels, namespace = view.at("pod_labels").labels(), view.at("namespace").text()
    into.workloads.append(
        WorkloadFacts(
            name=name,
            target=target,
            origin="declared",
            kind=view.at("kind").text(),
            service_class=view.at("service_class").text(),
            namespace=namespace,
            pod_labels=labels,
            replicas=view.at("replicas").integer(),
            priority_class=view.at("priority_class").text(),
            tolerations=read_tolerations(view.at("tolerations")),
            node_selector=view.at("node_selector").labels(),
            pools=view.at("pools").texts().get_or(()),
            place=place,
        )
    )
    limit = view.at("pdb_max_unavailable").integer()
    if limit.known and limit.get() == 0:
        return
    selector = _pdb_selector(limit, labels)
    most = Fact(limit.path, scalar_text(limit.value))
    least = Fact(limit.path, "", given=False)
    into.pdbs.append(PdbFacts(name, target, "declared", namespace, selector, most, least, place))


def _pdb_selector(limit: Fact[int], labels: Fact[Labels]) -> Fact[Selector]:
    """Return what the budget selects; not known while it is not known whether there is one."""
    if isinstance(labels.value, Unknown) or not limit.known:
        return Fact(labels.path if limit.known else limit.path, UNKNOWN)
    return Fact(labels.path, Selector(labels.value))


def read_tolerations(view: View) -> Fact[tuple[Toleration, ...]]:
    """Read tolerations; one that is not known makes them all unknown."""
    found = view.items()
    if isinstance(found, Unknown):
        return Fact(view.path, UNKNOWN)
    read = []
    for item in found:
        parts = [item.at(key).scalar(default) for key, default in _TOLERATION]
        if not all(part.known for part in parts):
            return Fact(view.path, UNKNOWN)
        read.append(Toleration(*(part.get() for part in parts)))
    return Fact(view.path, tuple(read))


_TOLERATION = (("key", ""), ("operator", "Equal"), ("value", ""), ("effect", ""))


def read_priority(view: View, into: Declaration) -> None:
    """Read one PriorityClass."""
    name = view.at("name").text().get_or("(unknown)")
    kind, value = view.at("kind").text(), view.at("value").integer()
    into.priorities.append(PriorityFacts(name, f"priority class {name}", "declared", kind, value, into.locate("")))


def read_storage(view: View, into: Declaration) -> None:
    """Read the storage tiers and their tags."""
    for tier in ("hot", "serving", "archive"):
        one = view.at(tier)
        if one.absent:
            continue
        place = into.locate(f"storage.{tier}")
        if not known(one):
            into.unread.append(Unread(FLEET, Fact(one.path, UNKNOWN), place))
            continue
        name = one.at("name").text().get_or("(unknown)")
        target = f"{'file system' if tier == 'hot' else 'bucket'} {name}"
        into.tagged.append(TaggedFacts(target, "declared", one.at("tags").labels(), whole=into.tags, place=place))
        if tier == "hot":
            into.stores.append(_store(name, target, one, place))


def _store(name: str, target: str, view: View, place: Place) -> StoreFacts:
    return StoreFacts(
        name=name,
        target=target,
        origin="declared",
        kind=Fact(view.path, "training", given=False),
        deployment_type=view.at("deployment_type").text(section("lustre")["deployment_type"]),
        export_events=view.at("export_events").texts(),
        place=place,
    )
