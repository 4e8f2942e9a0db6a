"""What a rule reads: pools, workloads, guards and stores, whatever they were described in.

Every field that a rule may judge is a :class:`Fact`: it knows its own path, whether the source gave
it, and whether it is known at all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from gpulanes.facts.unknown import Fact, Unknown
from gpulanes.kinds.pool import Budget

T = TypeVar("T")
Text = str | Unknown
Labels = Mapping[str, Text]
Origin = Literal["declared", "native"]
"""``declared``: a plan, or the props of a gpulanes component. ``native``: a provider's resource or a manifest."""

FLEET = "fleet"
"""What findings call a plan as a whole."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a described thing is found: ``urn`` in a stack, ``file`` and ``line`` in text."""

    urn: str = ""
    file: str = ""
    line: int = 0


NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class Taint:
    """A taint, effect in Kubernetes spelling."""

    key: Text
    value: Text
    effect: Text


@dataclass(frozen=True, slots=True)
class Toleration:
    """A toleration; an empty ``key`` or ``effect`` matches all."""

    key: str = ""
    operator: str = "Equal"
    value: str = ""
    effect: str = ""


@dataclass(frozen=True, slots=True)
class PoolFacts:
    """One set of nodes.

    ``kind`` is the lane it is declared for ("" when nobody says), ``lane_label`` the value of the lane
    label on its nodes. No ``zones`` means any zone of the cluster. ``image`` and ``market`` are the image
    and the purchase that a launch template asks for beside the pool ("" for nothing). ``tags`` are the
    pool's own, ``instance_tags`` those that reach instances, volumes and interfaces, by that name; a
    declaration has none, since they follow from its tags.
    """

    name: str
    target: str
    origin: Origin
    provisioner: Literal["node-group", "karpenter"]
    kind: Fact[str]
    lane_label: Fact[str]
    service_class: Fact[str]
    accelerated: Fact[bool]
    types: Fact[tuple[str, ...]]
    capacity: Fact[tuple[str, ...]]
    zones: Fact[tuple[str, ...]]
    min_nodes: Fact[int]
    max_nodes: Fact[int]
    capped: Fact[bool]
    labels: Fact[Labels]
    taints: Fact[tuple[Taint, ...]]
    consolidation_policy: Fact[str]
    consolidate_after: Fact[str]
    budgets: Fact[tuple[Budget, ...]]
    expire_after: Fact[str]
    ami_type: Fact[str]
    architecture: Fact[str]
    image: Fact[str]
    market: Fact[str]
    tags: Fact[Labels]
    instance_tags: Mapping[str, Fact[Labels]] = field(default_factory=dict)
    warm_nodes: int = 0
    workloads: tuple[str, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class WorkloadFacts:
    """Pods that run for long: ``replicas`` is the least that an autoscaler may leave."""

    name: str
    target: str
    origin: Origin
    kind: Fact[str]
    service_class: Fact[str]
    namespace: Fact[str]
    pod_labels: Fact[Labels]
    replicas: Fact[int]
    priority_class: Fact[str]
    tolerations: Fact[tuple[Toleration, ...]]
    node_selector: Fact[Labels]
    pools: tuple[str, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Selector:
    """A label selector. ``none`` is the null selector, which matches nothing; no terms match everything."""

    labels: Labels = field(default_factory=dict)
    expressions: tuple["Expression", ...] = ()
    none: bool = False


@dataclass(frozen=True, slots=True)
class Expression:
    """One term of ``matchExpressions``."""

    key: str
    operator: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PdbFacts:
    """A PodDisruptionBudget; limits as written: ``1`` or ``25%``, "" when absent."""

    name: str
    target: str
    origin: Origin
    namespace: Fact[str]
    selector: Fact[Selector]
    max_unavailable: Fact[str]
    min_available: Fact[str]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class PriorityFacts:
    """A PriorityClass; ``kind`` is the lane it is declared for, "" when only its users tell."""

    name: str
    target: str
    origin: Origin
    kind: Fact[str]
    value: Fact[int]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """A Lustre file system; ``export_events`` are what its link writes back to object storage, () without a link."""

    name: str
    target: str
    origin: Origin
    kind: Fact[str]
    deployment_type: Fact[str]
    export_events: Fact[tuple[str, ...]]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class TaggedFacts:
    """Something that costs money and carries tags; ``lane`` says whether it belongs to one lane.

    ``whole`` are the tags that its fleet or cluster gives to all it creates: what those lack is lacking there.
    """

    target: str
    origin: Origin
    tags: Fact[Labels]
    lane: bool = True
    whole: Fact[Labels] | None = None
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A rendered field that differs from what its gpulanes component declares, or cannot be compared."""

    target: str
    rendered: Fact[str]
    declared: str
    place: Place = NOWHERE
    origin: Origin = "native"


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of a declaration that is not known as a whole, so that no rule can look inside it."""

    target: str
    fact: Fact[str]
    place: Place = NOWHERE
    origin: Origin = "declared"


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything known about one fleet, or about one resource.

    ``whole`` says that nothing is missing: what is not here does not exist. Without it, a companion
    that is not found may still come.
    """

    pools: Sequence[PoolFacts] = ()
    workloads: Sequence[WorkloadFacts] = ()
    pdbs: Sequence[PdbFacts] = ()
    priorities: Sequence[PriorityFacts] = ()
    stores: Sequence[StoreFacts] = ()
    tagged: Sequence[TaggedFacts] = ()
    mismatches: Sequence[Mismatch] = ()
    unread: Sequence[Unread] = ()
    tags: Fact[Labels] | None = None
    whole: bool = False
    target: str = FLEET
    origin: Origin = "native"
    place: Place = NOWHERE
    derived: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What joins over all of it found, kept by :meth:`once` so that a rule need not look at all pairs."""

    def once(self, name: str, make: Callable[["Facts"], T]) -> T:
        """Return what ``make`` finds in these facts, made the first time it is asked for."""
        if name not in self.derived:
            self.derived[name] = make(self)
        found: T = self.derived[name]
        return found
