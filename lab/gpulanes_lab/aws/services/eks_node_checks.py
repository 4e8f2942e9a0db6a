"""What EKS refuses of a node group beyond its model, from the group's own properties."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.services.eks_calls import minor
from gpulanes_lab.aws.services.eks_cluster_checks import version_failures
from gpulanes_lab.aws.services.eks_node_types import type_failures
from gpulanes_lab.aws.table import Check, Failure
from gpulanes_lab.aws.values import UNKNOWN, Document, Plain, at, inside

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: EKS CreateNodegroup and the EKS quotas; a name is a DNS-like label of 63 characters.
_NAME: Final = re.compile(r"[0-9A-Za-z][A-Za-z0-9_-]{0,62}")
# Source: Kubernetes, labels and selectors, syntax and character set.
_PART: Final = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?")
_DOMAIN: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
# Source: EKS refuses eks.amazonaws.com/; the kubelet refuses the Kubernetes domains but for these, so nodes with such a
# label never join and the group ends in CREATE_FAILED (kubernetes/kubernetes pkg/kubelet/apis/well_known_labels.go).
_KUBELET_DOMAINS: Final = ("kubelet.kubernetes.io", "node.kubernetes.io")
_KUBELET_LABELS: Final = frozenset(
    {
        "beta.kubernetes.io/arch",
        "beta.kubernetes.io/instance-type",
        "beta.kubernetes.io/os",
        "failure-domain.beta.kubernetes.io/region",
        "failure-domain.beta.kubernetes.io/zone",
        "kubernetes.io/arch",
        "kubernetes.io/hostname",
        "kubernetes.io/os",
        "node.kubernetes.io/instance-type",
        "topology.kubernetes.io/region",
        "topology.kubernetes.io/zone",
    },
)
# Source: EKS user guide, Amazon Linux 2: the last version with AL2 images is 1.32.
_LAST_AL2: Final = 32
# Source: EKS CreateNodegroup, instanceTypes ("You can specify 0-20") and taints.
_TYPES: Final = 20
_TAINTS: Final = 50


def _check_name(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    name = inputs.get("nodeGroupName")
    if isinstance(name, str) and not _NAME.fullmatch(name):
        reason = f"{name!r} ({len(name)} characters): at most 63 letters, digits, - and _, starting with no - or _"
        yield Failure("nodeGroupName", reason)


def _check_sizes(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    low, desired, high = (at(inputs, f"scalingConfig.{name}Size") for name in ("min", "desired", "max"))
    if UNKNOWN in (low, desired, high):
        return
    if low > desired:
        yield Failure("scalingConfig.minSize", f"minimum capacity {low} can't be greater than desired size {desired}")
    if desired > high:
        yield Failure("scalingConfig.desiredSize", f"desired capacity {desired} can't be greater than max size {high}")


def _check_update(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    config = inputs.get("updateConfig")
    if isinstance(config, Mapping):
        given = [name for name in ("maxUnavailable", "maxUnavailablePercentage") if config.get(name) is not None]
        if len(given) != 1:
            yield Failure("updateConfig", "exactly one of maxUnavailable and maxUnavailablePercentage is required")


def _check_repair(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    for name in ("maxParallelNodesRepaired", "maxUnhealthyNodeThreshold"):
        count, percentage = (at(inputs, f"nodeRepairConfig.{name}{unit}") for unit in ("Count", "Percentage"))
        if count is not None and percentage is not None:
            yield Failure(f"nodeRepairConfig.{name}Percentage", f"conflicts with {name}Count")


def _check_template(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    template = inputs.get("launchTemplate")
    if template is None:
        return
    for name in ("diskSize", "remoteAccess"):
        if inputs.get(name) is not None:
            yield Failure(name, f"conflicts with launchTemplate: {name} must come from the template")
    given = [name for name in ("id", "name") if at(template, name) is not None]
    if template is not UNKNOWN and len(given) != 1:
        yield Failure("launchTemplate", "exactly one of id and name is required")


def _check_labels(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    labels = inputs.get("labels")
    for label, value in labels.items() if isinstance(labels, Mapping) else ():
        for reason in _key_reasons(label):
            yield Failure(inside("labels", label), reason)
        if isinstance(value, str) and not _PART.fullmatch(value):
            yield Failure(
                inside("labels", label), f"{value!r} is no label value: at most 63 letters, digits, . _ and -"
            )


def _key_reasons(label: str) -> Iterator[str]:
    domain, _, name = label.rpartition("/")
    if not name or not _PART.fullmatch(name) or (domain and not _DOMAIN.fullmatch(domain)):
        yield "is no label key: an optional domain and /, then at most 63 letters, digits, . _ and -"
    if domain == "eks.amazonaws.com" or domain.endswith(".eks.amazonaws.com"):
        yield "label cannot contain reserved prefixes [kubernetes.io/, k8s.io/, eks.amazonaws.com/]"
    if _in(domain, ("kubernetes.io", "k8s.io")) and not (_in(domain, _KUBELET_DOMAINS) or label in _KUBELET_LABELS):
        yield f"the kubelet may not set a label of the domain {domain}: nodes never join; use a domain of your own"


def _in(domain: str, domains: tuple[str, ...]) -> bool:
    return any(domain == one or domain.endswith(f".{one}") for one in domains)


def _check_taints(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    taints = inputs.get("taints")
    if not isinstance(taints, list):
        return
    if len(taints) > _TAINTS:
        yield Failure("taints", f"{len(taints)} taints; at most {_TAINTS}")
    seen: set[tuple[Plain, Plain]] = set()
    for index, taint in enumerate(taints):
        place = (at(taint, "key"), at(taint, "effect"))
        if UNKNOWN not in place:
            if place in seen:
                yield Failure(f"taints[{index}].key", f"{place[0]} with {place[1]} is given twice")
            seen.add(place)
        value = at(taint, "value")
        if isinstance(value, str) and not _PART.fullmatch(value):
            yield Failure(f"taints[{index}].value", f"{value!r} is no taint value: letters, digits, . _ and -")


def _check_version(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    version, ami = inputs.get("version"), inputs.get("amiType")
    yield from version_failures("version", version)
    if isinstance(version, str) and isinstance(ami, str):
        yield from al2_failures(ami, version)


def al2_failures(ami: str, version: str) -> Iterator[Failure]:
    """Yield a refusal of an Amazon Linux 2 image beyond its last Kubernetes version."""
    if ami.startswith("AL2_") and version[2:].isdigit() and minor(version) > _LAST_AL2:
        yield Failure(
            "amiType", f"AMI type {ami} is only supported for Kubernetes 1.{_LAST_AL2} or earlier, not {version}"
        )


def _check_capacity_block(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    """Source: EKS user guide, capacity blocks with managed node groups."""
    if inputs.get("capacityType") != "CAPACITY_BLOCK":
        return
    if inputs.get("launchTemplate") is None:
        yield Failure("launchTemplate", "is required for CAPACITY_BLOCK: the reservation and the type stand in it")
    if inputs.get("instanceTypes"):
        yield Failure("instanceTypes", "must be left out for CAPACITY_BLOCK: the type stands in the launch template")
    subnets = inputs.get("subnetIds")
    if isinstance(subnets, list) and len(subnets) > 1:
        yield Failure("subnetIds", "a capacity block lies in one zone: give the one subnet there")


def _check_types(cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    types = inputs.get("instanceTypes")
    if isinstance(types, list):
        if len(types) > _TYPES:
            yield Failure("instanceTypes", f"{len(types)} types; at most {_TYPES}")
        known = [one for one in types if isinstance(one, str)]
        yield from type_failures(cloud, "instanceTypes", known, inputs.get("amiType"), inputs.get("capacityType"))


CHECKS: Final[tuple[Check, ...]] = (
    _check_name,
    _check_sizes,
    _check_update,
    _check_repair,
    _check_template,
    _check_labels,
    _check_taints,
    _check_version,
    _check_capacity_block,
    _check_types,
)
