"""Facts of Kubernetes manifests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpulanes.facts.karpenter import read_node_pool
from gpulanes.facts.kubernetes import (
    POD_KINDS,
    Autoscalers,
    kube_objects,
    node_class_tags,
    read_node_class,
    read_pdb,
    read_pods,
    read_priority_class,
)
from gpulanes.facts.model import Facts, Place
from gpulanes.kinds.pool import LANE_KEY


@dataclass(frozen=True, slots=True)
class Manifest:
    """One YAML document and where it begins."""

    data: Mapping[str, object]
    file: str = ""
    line: int = 0


def from_manifests(docs: Sequence[Manifest], *, lane_key: str = LANE_KEY) -> Facts:
    """Return the facts of manifests that belong together, list kinds included.

    What is not among them does not exist: pods without a PodDisruptionBudget beside them have none.
    Raises nothing; other kinds are passed over.
    """
    objects = [obj for doc in docs for obj in kube_objects(doc.data, Place(file=doc.file, line=doc.line))]
    scaled, classes = Autoscalers(objects), node_class_tags(objects)
    of = {kind: [obj for obj in objects if obj.kind == kind] for kind in {obj.kind for obj in objects}}
    pools = [obj for obj in of.get("NodePool", []) if obj.group == "karpenter.sh"]
    return Facts(
        pools=[read_node_pool(obj, classes, lane_key) for obj in pools],
        workloads=[read_pods(obj, scaled, lane_key) for obj in objects if obj.kind in POD_KINDS],
        pdbs=[read_pdb(obj) for obj in of.get("PodDisruptionBudget", [])],
        priorities=[read_priority_class(obj, lane_key) for obj in of.get("PriorityClass", [])],
        tagged=[read_node_class(obj) for obj in of.get("EC2NodeClass", [])],
        whole=True,
        target="manifests",
    )
