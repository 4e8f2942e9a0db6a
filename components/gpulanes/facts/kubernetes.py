"""Reading Kubernetes objects, from manifests or from a stack: pods, their guards, and Karpenter's pools."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gpulanes.facts.declared import read_tolerations
from gpulanes.facts.model import (
    NOWHERE,
    Expression,
    PdbFacts,
    Place,
    PriorityFacts,
    Selector,
    TaggedFacts,
    WorkloadFacts,
)
from gpulanes.facts.unknown import UNKNOWN, Fact, Unknown
from gpulanes.facts.view import View, label

REPLICATED = ("Deployment", "StatefulSet")
POD_KINDS = (*REPLICATED, "Job")
AUTOSCALERS = ("HorizontalPodAutoscaler", "ScaledObject")
SERVICE_CLASS_LABEL = "service-class"


@dataclass(frozen=True, slots=True)
class KubeObject:
    """One object: ``view`` is its root, ``name`` what people call it."""

    group: str
    kind: str
    name: str
    view: View
    place: Place = NOWHERE

    @property
    def named(self) -> bool:
        """Whether its name is known, if only to be given by the provider."""
        return not self.view.at("metadata", "name").unknown

    @property
    def namespace(self) -> Fact[str]:
        """The namespace; absent is ``default``."""
        return self.view.at("metadata", "namespace").text("default")


def kube_objects(data: object, place: Place, *, fallback: str = "") -> Iterable[KubeObject]:
    """Yield the object, or the items of a list kind. What has no kind is no object."""
    view = View(data)
    kind = view.at("kind").text().get_or("")
    if kind.endswith("List") and view.at("spec").absent:
        for item in view.at("items").known_items():
            yield from kube_objects(item.data, place)
        return
    version = view.at("apiVersion").text().get_or("")
    name = view.at("metadata", "name").text(fallback).get_or(fallback)
    if kind:
        yield KubeObject(version.rpartition("/")[0], kind, name, view, place)


def lane_of_pods(obj: KubeObject, lane_key: str) -> Fact[str]:
    """Return the lane that pods are labelled for, else the one whose nodes they select."""
    template = obj.view.at("spec", "template")
    labelled = label(template.at("metadata", "labels").labels(), lane_key)
    if labelled.value != "":
        return labelled
    selected = label(template.at("spec", "nodeSelector").labels(), lane_key)
    return labelled if selected.value == "" else selected


class Autoscalers:
    """The least replicas that a HorizontalPodAutoscaler or a KEDA ScaledObject may leave, by target."""

    def __init__(self, objects: Iterable[KubeObject]) -> None:
        self._least: dict[tuple[str, str, str], Fact[int]] = {}
        self._unsure = False
        for obj in objects:
            if obj.kind == "HorizontalPodAutoscaler":
                self._add(obj, "", obj.view.at("spec", "minReplicas").integer(1))
            elif obj.kind == "ScaledObject":
                self._add(obj, "Deployment", obj.view.at("spec", "minReplicaCount").integer(0))

    def _add(self, obj: KubeObject, default_kind: str, least: Fact[int]) -> None:
        target = obj.view.at("spec", "scaleTargetRef")
        parts = (target.at("kind").text(default_kind), target.at("name").text(), obj.namespace)
        if all(part.known for part in parts):
            kind, name, namespace = (part.get() for part in parts)
            self._least[kind, name, namespace] = least
        else:
            self._unsure = True

    def replicas(self, obj: KubeObject) -> Fact[int]:
        """Return the effective minimum: the autoscaler's, else ``replicas``, else 1; a Job holds none.

        Not known while an autoscaler may be its own but names or namespaces are not known.
        """
        if obj.kind not in REPLICATED:
            return Fact("spec.completions", 0, given=False)
        own = obj.view.at("spec", "replicas").integer(1)
        named = obj.named and obj.namespace.known
        if self._unsure or (self._least and not named):
            return Fact(own.path, UNKNOWN)
        if not named:
            return own
        return self._least.get((obj.kind, obj.name, obj.namespace.get()), own)


def read_pods(obj: KubeObject, autoscalers: Autoscalers, lane_key: str) -> WorkloadFacts:
    """Read a Deployment, a StatefulSet or a Job."""
    pod = obj.view.at("spec", "template")
    labels = pod.at("metadata", "labels").labels()
    return WorkloadFacts(
        name=obj.name,
        target=f"workload {obj.name}",
        origin="native",
        kind=lane_of_pods(obj, lane_key),
        service_class=label(labels, SERVICE_CLASS_LABEL),
        namespace=obj.namespace,
        pod_labels=labels,
        replicas=autoscalers.replicas(obj),
        priority_class=pod.at("spec", "priorityClassName").text(),
        tolerations=read_tolerations(pod.at("spec", "tolerations")),
        node_selector=pod.at("spec", "nodeSelector").labels(),
        place=obj.place,
    )


def read_pdb(obj: KubeObject) -> PdbFacts:
    """Read a PodDisruptionBudget."""
    spec = obj.view.at("spec")
    return PdbFacts(
        name=obj.name,
        target=f"PodDisruptionBudget {obj.name}",
        origin="native",
        namespace=obj.namespace,
        selector=_selector(spec.at("selector")),
        max_unavailable=spec.at("maxUnavailable").scalar(),
        min_available=spec.at("minAvailable").scalar(),
        place=obj.place,
    )


def _selector(view: View) -> Fact[Selector]:
    if view.absent:
        return Fact(view.path, Selector(none=True), given=False)
    labels, found = view.at("matchLabels").labels(), view.at("matchExpressions").items()
    if isinstance(labels.value, Unknown) or isinstance(found, Unknown):
        return Fact(view.path, UNKNOWN)
    terms = [_expression(item) for item in found]
    whole = tuple(term for term in terms if term is not None)
    return Fact(view.path, Selector(labels.value, whole) if len(whole) == len(terms) else UNKNOWN)


def _expression(view: View) -> Expression | None:
    key, operator, values = view.at("key").text(), view.at("operator").text(), view.at("values").texts()
    if not (key.known and operator.known and values.known):
        return None
    return Expression(key.get(), operator.get(), values.get())


def read_priority_class(obj: KubeObject, lane_key: str) -> PriorityFacts:
    """Read a PriorityClass; its lane label is optional, for the pods that name it tell too."""
    kind = label(obj.view.at("metadata", "labels").labels(), lane_key)
    if not obj.named:
        kind = Fact("metadata.name", UNKNOWN)
    return PriorityFacts(
        name=obj.name,
        target=f"priority class {obj.name}",
        origin="native",
        kind=kind,
        value=obj.view.at("value").integer(),
        place=obj.place,
    )


def read_node_class(obj: KubeObject) -> TaggedFacts:
    """Read what an EC2NodeClass puts on instances, volumes and interfaces."""
    return TaggedFacts(f"node class {obj.name}", "native", obj.view.at("spec", "tags").labels(), place=obj.place)


def node_class_tags(objects: Sequence[KubeObject]) -> Mapping[str, TaggedFacts]:
    """Return the tags of every node class by its name."""
    return {obj.name: read_node_class(obj) for obj in objects if obj.kind == "EC2NodeClass"}
