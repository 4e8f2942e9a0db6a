"""Reading a Karpenter NodePool: its requirements, its limits, and the defaults of what it leaves out."""

from collections.abc import Mapping

from gpulanes.facts.declared import read_budgets, read_taint
from gpulanes.facts.kubernetes import SERVICE_CLASS_LABEL, KubeObject
from gpulanes.facts.matching import Requirement, resolve
from gpulanes.facts.model import Labels, PoolFacts, TaggedFacts, Taint
from gpulanes.facts.provider import is_accelerated, section
from gpulanes.facts.unknown import UNKNOWN, Fact, Unknown
from gpulanes.facts.view import View, label

CAPACITY_TYPE = "karpenter.sh/capacity-type"
ZONE = "topology.kubernetes.io/zone"
INSTANCE_TYPE = "node.kubernetes.io/instance-type"
INSTANCE_FAMILY = "karpenter.k8s.aws/instance-family"
INSTANCE_CATEGORY = "karpenter.k8s.aws/instance-category"


class Requirements:
    """The requirements of one NodePool together with its template labels, which are requirements too."""

    def __init__(self, spec: View, labels: Fact[Labels]) -> None:
        terms = _terms(spec.at("template", "spec", "requirements"))
        self.path = spec.at("template", "spec", "requirements").path
        self.known = not isinstance(terms, Unknown) and labels.known
        self._terms = [] if isinstance(terms, Unknown) else terms
        self._labels = labels.get_or({})

    def values(self, key: str, universe: tuple[str, ...] | None = None) -> Fact[tuple[str, ...]]:
        """Return what is left open for ``key``; () when an open set is not restricted."""
        path = f"{self.path}[{key}]"
        if not self.known or isinstance(self._labels.get(key), Unknown):
            return Fact(path, UNKNOWN)
        labels = {k: v for k, v in self._labels.items() if isinstance(v, str)}
        found = resolve(self._terms, labels, key, universe)
        return Fact(path, () if found is None else found, given=self._restricts(key))

    def _restricts(self, key: str) -> bool:
        return key in self._labels or any(name == key for name, _, _ in self._terms)

    def accelerated(self) -> Fact[bool]:
        """Whether the requirements ask for GPUs or other accelerators: by type, family, category or device."""
        data = section("accelerators")
        if any(self._restricts(key) for key in data["requirement_keys"]):
            return Fact(self.path, value=True)
        named = [self.values(key) for key in (INSTANCE_TYPE, INSTANCE_FAMILY, INSTANCE_CATEGORY)]
        types, families, categories = (fact.get_or(()) for fact in named)
        found = any(map(is_accelerated, (*types, *families))) or any(c in data["categories"] for c in categories)
        return Fact(self.path, UNKNOWN if not found and not all(fact.known for fact in named) else found)


def _terms(view: View) -> list[Requirement] | Unknown:
    found = view.items()
    if isinstance(found, Unknown):
        return UNKNOWN
    terms: list[Requirement] = []
    for item in found:
        key, operator = item.at("key").text(), item.at("operator").text()
        if not (key.known and operator.known):
            return UNKNOWN
        terms.append((key.get(), operator.get(), item.at("values").texts().value))
    return terms


def read_node_pool(obj: KubeObject, classes: Mapping[str, TaggedFacts], lane_key: str) -> PoolFacts:
    """Read a NodePool; ``classes`` are the node classes that can be seen beside it."""
    spec, defaults = obj.view.at("spec"), section("karpenter")
    labels = spec.at("template", "metadata", "labels").labels()
    wants = Requirements(spec, labels)
    cut = spec.at("disruption")
    tags = _class_tags(spec, classes)
    lane, replicas = label(labels, lane_key), spec.at("replicas").integer()
    return PoolFacts(
        name=obj.name,
        target=f"pool {obj.name}",
        origin="native",
        provisioner="karpenter",
        kind=lane,
        lane_label=lane,
        service_class=label(labels, SERVICE_CLASS_LABEL),
        accelerated=wants.accelerated(),
        types=wants.values(INSTANCE_TYPE),
        capacity=wants.values(CAPACITY_TYPE, tuple(defaults["capacity_types"])),
        zones=wants.values(ZONE),
        min_nodes=replicas,
        max_nodes=replicas,
        capped=_capped(spec.at("limits")),
        labels=labels,
        taints=_taints(spec.at("template", "spec", "taints")),
        consolidation_policy=cut.at("consolidationPolicy").text(defaults["consolidation_policy"]),
        consolidate_after=cut.at("consolidateAfter").text(defaults["consolidate_after"]),
        budgets=read_budgets(cut.at("budgets")),
        expire_after=spec.at("template", "spec", "expireAfter").text(defaults["expire_after"]),
        ami_type=Fact("spec.template.spec.nodeClassRef", "", given=False),
        architecture=Fact("spec.template.spec.requirements", "", given=False),
        image=Fact("spec.template.spec.nodeClassRef", "", given=False),
        market=Fact("spec.template.spec.nodeClassRef", "", given=False),
        tags=tags,
        instance_tags=dict.fromkeys(section("node_group")["tag_specifications"], tags),
        place=obj.place,
    )


def _capped(limits: View) -> Fact[bool]:
    """Whether the limits hold a count of accelerators or of nodes; a key that is there counts, known or not."""
    names = limits.labels()
    if isinstance(names.value, Unknown):
        return Fact(limits.path, UNKNOWN)
    counted = [names.value[key] for key in section("accelerators")["resources"] if key in names.value]
    return Fact(limits.path, bool(counted), given=names.given)


def _taints(view: View) -> Fact[tuple[Taint, ...]]:
    found = view.items()
    return Fact(view.path, UNKNOWN if isinstance(found, Unknown) else tuple(map(read_taint, found)))


def _class_tags(spec: View, classes: Mapping[str, TaggedFacts]) -> Fact[Labels]:
    """Return the tags of the node class, which Karpenter puts on all that it launches."""
    name = spec.at("template", "spec", "nodeClassRef", "name").text()
    found = classes.get(name.get_or(""))
    return Fact(name.path, UNKNOWN) if found is None else found.tags
