"""Facts of a Pulumi program's resources: gpulanes components, and raw AWS and Kubernetes resources."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from gpulanes.facts.aws import (
    LUSTRE,
    NODE_GROUP,
    REPOSITORY_LINK,
    Neighbours,
    carries_tags,
    place_of,
    read_lustre,
    read_node_group,
    read_tags,
)
from gpulanes.facts.declarations import PACKAGE, Declarations
from gpulanes.facts.karpenter import read_node_pool
from gpulanes.facts.kubernetes import (
    AUTOSCALERS,
    POD_KINDS,
    Autoscalers,
    kube_objects,
    node_class_tags,
    read_node_class,
    read_pdb,
    read_pods,
    read_priority_class,
)
from gpulanes.facts.model import (
    Facts,
    Labels,
    Mismatch,
    PdbFacts,
    PoolFacts,
    PriorityFacts,
    StoreFacts,
    TaggedFacts,
    WorkloadFacts,
)
from gpulanes.facts.rendered import mismatches, with_declared
from gpulanes.facts.resource import PulumiResource
from gpulanes.facts.unknown import Fact
from gpulanes.kinds.pool import LANE_KEY

KUBERNETES = "kubernetes:"
T = TypeVar("T")


_KINDS = ("NodePool", "EC2NodeClass", "PodDisruptionBudget", "PriorityClass", *POD_KINDS, *AUTOSCALERS)


def is_read(token: str) -> bool:
    """Whether anything is read from resources of this type, so that others need not even be converted."""
    if token.startswith(KUBERNETES):
        kind = token.rpartition(":")[2]
        return kind.removesuffix("List") in ("", *_KINDS)
    return token.startswith(PACKAGE) or token == REPOSITORY_LINK or carries_tags(token)


@dataclass(slots=True)
class Found:
    """What the native resources say, each thing with the declaring component above it ("" for none)."""

    pools: dict[tuple[str, str], PoolFacts] = field(default_factory=dict)
    workloads: list[WorkloadFacts] = field(default_factory=list)
    pdbs: list[tuple[str, PdbFacts]] = field(default_factory=list)
    priorities: list[tuple[str, PriorityFacts]] = field(default_factory=list)
    stores: list[tuple[str, StoreFacts]] = field(default_factory=list)
    tagged: list[TaggedFacts] = field(default_factory=list)
    mismatches: list[Mismatch] = field(default_factory=list)


def from_pulumi(
    resources: Sequence[PulumiResource],
    *,
    declarations: Declarations | None = None,
    whole: bool = False,
    lane_key: str = LANE_KEY,
) -> Facts:
    """Return the facts of resources; raises nothing, what cannot be read is unknown.

    ``declarations`` are components that registered earlier; those among ``resources`` are added to
    them. ``whole`` says that ``resources`` is the complete stack, so that what is missing does not exist.
    """
    known = Declarations(lane_key) if declarations is None else declarations
    for resource in resources:
        if resource.urn not in known.facts:
            known.remember(resource)
    near = Neighbours({resource.urn: resource for resource in resources}, whole)
    found = Found()
    native = [resource for resource in resources if not resource.token.startswith(PACKAGE)]
    _read_kubernetes(native, known, found, lane_key)
    for resource in native:
        _read_aws(resource, near, known, found, lane_key)
    declared = [known.facts[r.urn] for r in resources if r.urn in known.facts and not known.root(r)]
    return _together(declared, found, whole=whole)


def _read_aws(resource: PulumiResource, near: Neighbours, known: Declarations, found: Found, lane_key: str) -> None:
    root, pool = known.root(resource), known.pool_of(resource)
    if resource.token == NODE_GROUP:
        _add_pool(found, root, resource.urn, read_node_group(resource, near, lane_key), pool)
    elif resource.token == LUSTRE:
        found.stores.append((root, _of_tier(read_lustre(resource, near, lane_key), known.store_of(resource))))
    tagged = read_tags(resource)
    if tagged is not None:
        found.tagged.append(_of_pool(tagged, pool, known.common_tags(resource)))


def _of_pool(tagged: TaggedFacts, pool: PoolFacts | None, common: Fact[Labels] | None) -> TaggedFacts:
    """Name the pool that a lane's resource belongs to, and the tags that all of its fleet or cluster has."""
    whole = replace(tagged, whole=common)
    return whole if pool is None or not tagged.lane else replace(whole, target=pool.target, origin="declared")


def _of_tier(store: StoreFacts, declared: StoreFacts | None) -> StoreFacts:
    """Name the tier that a file system was declared as."""
    if declared is None:
        return store
    return replace(store, name=declared.name, target=declared.target, kind=declared.kind, origin="declared")


def _add_pool(found: Found, root: str, urn: str, pool: PoolFacts, declared: PoolFacts | None) -> None:
    if declared is None:
        found.pools["", urn] = pool
        return
    found.mismatches += mismatches(pool, declared)
    found.pools[root, declared.target] = with_declared(pool, declared)


def _read_kubernetes(resources: Iterable[PulumiResource], known: Declarations, found: Found, lane_key: str) -> None:
    objects = [
        (resource, obj)
        for resource in resources
        if resource.token.startswith(KUBERNETES) and not resource.token.endswith("Patch")
        for obj in kube_objects(_with_kind(resource), place_of(resource), fallback=resource.name)
    ]
    scaled = Autoscalers(obj for _, obj in objects)
    classes = node_class_tags([obj for _, obj in objects])
    for resource, obj in objects:
        root, pool = known.root(resource), known.pool_of(resource)
        if obj.kind == "NodePool" and obj.group == "karpenter.sh":
            _add_pool(found, root, resource.urn, read_node_pool(obj, classes, lane_key), pool)
        elif obj.kind == "EC2NodeClass":
            found.tagged.append(_of_pool(read_node_class(obj), pool, known.common_tags(resource)))
        elif obj.kind == "PodDisruptionBudget":
            found.pdbs.append((root, read_pdb(obj)))
        elif obj.kind == "PriorityClass":
            found.priorities.append((root, read_priority_class(obj, lane_key)))
        elif obj.kind in POD_KINDS:
            found.workloads.append(read_pods(obj, scaled, lane_key))


def _with_kind(resource: PulumiResource) -> dict[str, object]:
    """Return the props with apiVersion and kind as the token has them: typed resources may leave them out."""
    version, _, kind = resource.token.removeprefix(KUBERNETES).rpartition(":")
    return {**resource.props, "apiVersion": version, "kind": kind}


def _together(declared: Sequence[Facts], found: Found, *, whole: bool) -> Facts:
    """Join what is declared with what is rendered: a rendered thing stands for its declaration."""
    pools = {(facts.place.urn, pool.target): pool for facts in declared for pool in facts.pools}
    pools.update(found.pools)
    return Facts(
        pools=list(pools.values()),
        workloads=[w for facts in declared for w in facts.workloads] + found.workloads,
        pdbs=_rendered_or_declared(declared, found.pdbs, lambda facts: facts.pdbs),
        priorities=_rendered_or_declared(declared, _lanes(declared, found.priorities), lambda facts: facts.priorities),
        stores=_rendered_or_declared(declared, found.stores, lambda facts: facts.stores),
        tagged=[t for facts in declared for t in facts.tagged] + found.tagged,
        mismatches=found.mismatches,
        unread=[u for facts in declared for u in facts.unread],
        whole=whole or bool(declared),
    )


def _rendered_or_declared(
    declared: Sequence[Facts], rendered: Sequence[tuple[str, T]], read: Callable[[Facts], Sequence[T]]
) -> list[T]:
    roots = {root for root, _ in rendered}
    kept = [thing for facts in declared if facts.place.urn not in roots for thing in read(facts)]
    return kept + [thing for _, thing in rendered]


def _lanes(declared: Sequence[Facts], rendered: Sequence[tuple[str, PriorityFacts]]) -> list[tuple[str, PriorityFacts]]:
    """Give rendered priority classes the lane they were declared for, by name."""
    lanes = {(facts.place.urn, p.name): p.kind for facts in declared for p in facts.priorities}
    return [(root, replace(p, kind=lanes.get((root, p.name), p.kind))) for root, p in rendered]
