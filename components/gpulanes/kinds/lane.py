"""The contract of a lane: the labels, taints and tags that every pool of a kind carries."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gpulanes.kinds.hardware import Hardware
from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.pool import GPU_RESOURCE, Disruption, Kind, Pool, Provisioner, ServiceClass, Taint

GPU_TAINT = Taint(GPU_RESOURCE, "present")
"""Value ``present`` is what feature discovery tolerates by default; any other value leaves nodes without GPUs."""

Placement = Literal["none", "cluster", "reservation"]


@dataclass(frozen=True, slots=True)
class Choices:
    """What a kind decides beyond the intent."""

    provisioner: Provisioner
    disruption: Disruption
    placement: Placement = "none"
    service_class: ServiceClass | None = None
    max_unavailable: int = 1


def beside(lane_key: str, name: str) -> str:
    """Return a label key in the lane key's own domain: ``example.com/workload`` → ``example.com/<name>``."""
    domain, slash, _ = lane_key.rpartition("/")
    return f"{domain}{slash}{name}"


def workload_key(lane_key: str) -> str:
    """Return the label key that says which workload a pool was made for."""
    return beside(lane_key, "workload-name")


def tag_key(lane_key: str) -> str:
    """Return the lane's cost tag: the lane key without its domain, which a GCP label key cannot hold."""
    return lane_key.rpartition("/")[2]


def labels(intent: PoolIntent, hardware: Hardware) -> Mapping[str, str]:
    """Lane, workload, and on GPU pools the accelerator and the capacity type, so that queues can tell pools apart."""
    found: dict[str, str] = {intent.lane_key: intent.kind}
    if len(intent.workloads) == 1:
        found[workload_key(intent.lane_key)] = intent.workloads[0]
    if hardware.gpus:
        found[beside(intent.lane_key, "accelerator")] = hardware.accelerator
        found[beside(intent.lane_key, "capacity-type")] = intent.capacity[0]
    return found


def taints(kind: Kind, lane_key: str) -> tuple[Taint, ...]:
    """Return the lane's taint and the GPU vendor's; the system lane has neither."""
    return () if kind == "system" else (Taint(lane_key, kind), GPU_TAINT)


def tolerations(kind: Kind, lane_key: str) -> tuple[Mapping[str, str], ...]:
    """Return what a pod needs to run on the lane: each taint, exactly."""
    return tuple(
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in taints(kind, lane_key)
    )


def tags(kind: Kind, fleet: Mapping[str, str], lane_key: str) -> Mapping[str, str]:
    """Return the fleet's tags with the lane's own, by key."""
    return dict(sorted({**fleet, tag_key(lane_key): kind}.items()))


def complete(intent: PoolIntent, hardware: Hardware, choices: Choices) -> Pool:
    """Put the pool together from what was stated, what the types are and what the kind decides."""
    provisioner = intent.provisioner or choices.provisioner
    karpenter = provisioner == "karpenter"
    return Pool(
        name=intent.name,
        kind=intent.kind,
        provisioner=provisioner,
        instance_types=intent.instance_types,
        architecture=hardware.architecture,
        capacity=intent.capacity,
        zones=intent.zones,
        nodes=intent.nodes,
        gpus_per_node=hardware.gpus,
        labels=labels(intent, hardware),
        taints=taints(intent.kind, intent.lane_key),
        disruption=choices.disruption if karpenter else None,
        ami_type=hardware.ami_type,
        disk_gib=intent.disk_gib,
        tags=tags(intent.kind, intent.tags, intent.lane_key),
        workloads=intent.workloads,
        service_class=choices.service_class,
        priority_class=intent.priority_class,
        # A node group with a range belongs to Cluster Autoscaler: without one the range would mean nothing.
        autoscaled=karpenter or intent.autoscaled or intent.nodes.min < intent.nodes.max,
        weight=intent.weight,
        local_nvme_gb=hardware.nvme_gb,
        efa_interfaces=hardware.efa if intent.multi_node else 0,
        placement=choices.placement,
        max_unavailable=choices.max_unavailable,
        warm_nodes=intent.warm_nodes,
        reservation=intent.reservation,
        checkpoint=intent.checkpoint,
    )
