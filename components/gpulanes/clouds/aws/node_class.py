"""A Karpenter pool on AWS: its EC2NodeClass and the NodePool that refers to it."""

from collections.abc import Iterator, Sequence
from typing import Any

import pulumi

from gpulanes.clouds.aws import images
from gpulanes.clouds.aws.launch_template import HOP_LIMIT, placement_group
from gpulanes.clouds.base import ClusterRef, Scope
from gpulanes.clouds.kube.apply import apply, labels
from gpulanes.clouds.kube.karpenter import NodeClassRef, node_pool
from gpulanes.errors import Problem
from gpulanes.kinds.pool import Pool, Reservation
from gpulanes.plan.names import physical_name

Manifest = dict[str, Any]

OBJECT_NAME = 63
"""The pool's name becomes a label value on its nodes, so it stays inside a label's length."""


def node_class_problems(pool: Pool, cluster: ClusterRef) -> Iterator[Problem]:
    """Yield why Karpenter cannot run a pool in this cluster."""
    if pool.disruption is None:
        allowed = "Karpenter's default would consolidate nodes at once"
        yield Problem("disruption", f"pools.{pool.name}.disruption", "", allowed, "state a disruption policy")
    queue = cluster.get("interruption_queue", "")
    if isinstance(queue, str) and (not queue or ":" in queue or "/" in queue):
        allowed = "the name of the queue that Karpenter reads: neither its ARN nor its URL"
        name = queue.replace("/", ":").rpartition(":")[2]
        fix = f"use {name}" if name else "create one (GpuCluster does) and name it"
        yield Problem("interruption-queue", "cluster.interruption_queue", queue, allowed, fix)


def karpenter_pool(scope: Scope, pool: Pool, cluster: ClusterRef) -> None:
    """Create the node class, then the NodePool that needs it."""
    name = physical_name((scope.prefix,), OBJECT_NAME)
    group = placement_group(scope, pool)
    owned = labels(pool.kind)
    manifest = _node_class(pool, name, cluster, None if group is None else group.name, owned)
    node_class = apply(scope, manifest, f"{scope.name}-class")
    ref = NodeClassRef("karpenter.k8s.aws", "EC2NodeClass", name)
    options = pulumi.ResourceOptions(depends_on=[node_class])
    apply(scope, node_pool(pool, name, ref, owned), f"{scope.name}-nodes", options)


def _node_class(
    pool: Pool, name: str, cluster: ClusterRef, group: pulumi.Input[str] | None, owned: dict[str, str]
) -> Manifest:
    """Network interfaces are left out: Karpenter adds a card per ``vpc.amazonaws.com/efa`` that the pods request."""
    spec: Manifest = {
        "role": cluster["node_role_name"],
        "amiSelectorTerms": [{"alias": images.alias(pool)}],
        "subnetSelectorTerms": _ids([cluster["subnets"][zone] for zone in pool.zones]),
        "securityGroupSelectorTerms": _ids(_groups(pool, cluster)),
        "blockDeviceMappings": _disks(pool),
        "metadataOptions": {
            "httpEndpoint": "enabled",
            "httpTokens": "required",
            "httpPutResponseHopLimit": HOP_LIMIT,
        },
        "tags": dict(pool.tags),
    }
    if pool.local_nvme_gb:
        spec["instanceStorePolicy"] = "RAID0"
    if pool.reservation is not None:
        spec["capacityReservationSelectorTerms"] = [_reservation(pool.reservation)]
    if group is not None:
        spec["placementGroupSelector"] = {"name": group}
    metadata = {"name": name, "labels": owned}
    return {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": metadata, "spec": spec}


def _ids(ids: Sequence[pulumi.Input[str]]) -> list[Manifest]:
    return [{"id": item} for item in ids]


def _groups(pool: Pool, cluster: ClusterRef) -> list[pulumi.Input[str]]:
    nodes = cluster["security_group_id"]
    return [nodes, cluster["fabric_security_group_id"]] if pool.efa_interfaces else [nodes]


def _disks(pool: Pool) -> list[Manifest]:
    """The last disk is the one that images and pods use; Karpenter counts its size as the node's storage."""
    *first, last = [_disk(disk) for disk in images.disks(pool)]
    return [*first, {**last, "rootVolume": True}]


def _disk(disk: images.Disk) -> Manifest:
    ebs = {"volumeSize": f"{disk.gib}Gi", "volumeType": "gp3", "encrypted": True, "deleteOnTermination": True}
    return {"deviceName": disk.device, "ebs": ebs}


def _reservation(reservation: Reservation) -> Manifest:
    return {"id": reservation.id} if reservation.id else {"tags": dict(reservation.tags)}
