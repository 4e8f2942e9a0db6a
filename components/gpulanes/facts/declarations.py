"""Which gpulanes component declares a resource, and what it declares about it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gpulanes.facts.declared import Declaration, read_common_tags, read_fleet, read_pool, read_storage, relative
from gpulanes.facts.model import Facts, Labels, Place, PoolFacts, StoreFacts
from gpulanes.facts.resource import PulumiResource
from gpulanes.facts.unknown import Fact
from gpulanes.facts.view import View
from gpulanes.kinds.plain import camel
from gpulanes.kinds.pool import LANE_KEY

FLEET = "gpulanes:index:GpuFleet"
POOLS = tuple(f"gpulanes:index:{kind}Pool" for kind in ("Inference", "Training", "Batch", "System"))
STORAGE = "gpulanes:index:StorageTiers"
CLUSTER = "gpulanes:index:GpuCluster"
PACKAGE = "gpulanes:"

_DECLARES = {FLEET: "pools", STORAGE: "storage", CLUSTER: "tags", **dict.fromkeys(POOLS, "pool")}
"""The property by which the inputs of a component are told from its outputs, which say other things."""


def from_component(resource: PulumiResource, *, lane_key: str = LANE_KEY) -> Facts:
    """Return what a fleet, a pool, the storage tiers or a cluster declare: everything, before any child exists."""
    place = Place(urn=resource.urn)
    declaration = Declaration(lane_key, lambda _: place)
    view = View(resource.props, spell=camel)
    if resource.token == FLEET:
        read_fleet(view, declaration)
    elif resource.token == STORAGE:
        read_storage(view.at("storage"), declaration)
    elif resource.token == CLUSTER:
        read_common_tags(view, f"cluster {resource.name}", declaration)
    else:
        read_pool(relative(view.at("pool"), "pool"), declaration)
    return declaration.facts(target=resource.name, place=place)


class Declarations:
    """The gpulanes components met so far. A component registers before its children, so it is known by then."""

    def __init__(self, lane_key: str = LANE_KEY) -> None:
        self._lane_key = lane_key
        self._parents: dict[str, str] = {}
        self._facts: dict[str, Facts] = {}

    @property
    def facts(self) -> Mapping[str, Facts]:
        """What each component declares, by URN, in the order they were met."""
        return self._facts

    def remember(self, resource: PulumiResource) -> Facts | None:
        """Keep a resource of this package; returns its facts when it declares any.

        What is remembered is replaced when the component registers again, and stays when only its
        outputs are seen.
        """
        if not resource.token.startswith(PACKAGE):
            return None
        self._parents[resource.urn] = resource.parent
        if _DECLARES.get(resource.token) not in resource.props:
            return None
        facts, common = from_component(resource, lane_key=self._lane_key), self.common_tags(resource)
        if common is not None:
            facts = replace(facts, tagged=[replace(tagged, whole=common) for tagged in facts.tagged])
        self._facts[resource.urn] = facts
        return facts

    def declaring(self, resource: PulumiResource) -> Iterator[str]:
        """Yield the URNs of the declaring components above a resource, nearest first."""
        urn, seen = resource.parent, set[str]()
        while urn and urn not in seen:
            seen.add(urn)
            if urn in self._facts:
                yield urn
            urn = self._parents.get(urn, "")

    def root(self, resource: PulumiResource) -> str:
        """Return the outermost declaring component above a resource, "" for a resource that is not ours."""
        above = list(self.declaring(resource))
        return above[-1] if above else ""

    def common_tags(self, resource: PulumiResource) -> Fact[Labels] | None:
        """Return the tags of all that the nearest fleet or cluster above a resource creates."""
        tags = (self._facts[urn].tags for urn in self.declaring(resource))
        return next((found for found in tags if found is not None), None)

    def store_of(self, resource: PulumiResource) -> StoreFacts | None:
        """Return the declared file system that a resource is: the only one of the nearest component."""
        stores = next((self._facts[urn].stores for urn in self.declaring(resource)), ())
        return stores[0] if len(stores) == 1 else None

    def pool_of(self, resource: PulumiResource) -> PoolFacts | None:
        """Return the declared pool that a resource belongs to.

        The nearest component decides: its only pool, else the one whose name the resource carries,
        the longest first.
        """
        pools = next((self._facts[urn].pools for urn in self.declaring(resource)), ())
        named = [pool for pool in pools if len(pools) == 1 or _carries(resource.name, pool.name)]
        return max(named, key=lambda pool: len(pool.name), default=None)


def _carries(name: str, pool: str) -> bool:
    """Whether a logical name has the pool's name among its dash-separated parts."""
    return f"-{pool}-" in f"-{name}-"
