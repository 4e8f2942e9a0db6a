"""FSx for Lustre: the hot tier in the training zone, linked to the archive bucket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pulumi
from pulumi_aws import ec2, fsx, s3, vpc

from gpulanes.clouds.base import ClusterRef, Scope, after
from gpulanes.clouds.names import prefix

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpulanes.plan.model import LustrePlan

GROUP_NAME = 255

PORTS = ((988, 988), (1018, 1023))
"""Ports of the Lustre protocol (FSx for Lustre user guide, file system access control with Amazon VPC)."""

BACKUP_DAYS = 7
"""Backups of a file system that has no bucket behind it. FSx refuses them for a linked one and for scratch."""

IMPORTED = ("NEW", "CHANGED", "DELETED")

VERSION = "2.15"
"""The Lustre version that EFA and the metadata settings need."""


def lustre(
    scope: Scope, plan: LustrePlan, cluster: ClusterRef, archive: s3.Bucket | None, *, protect: bool
) -> fsx.LustreFileSystem:
    """Create the file system, its security group and its link to the archive."""
    linked = bool(plan.linked_prefix) and archive is not None
    persistent = plan.deployment_type.startswith("PERSISTENT")
    backed_up = persistent and not linked
    made = fsx.LustreFileSystem(
        f"{scope.name}-hot",
        deployment_type=plan.deployment_type,
        storage_type="SSD",
        storage_capacity=plan.capacity_gib,
        per_unit_storage_throughput=plan.throughput_per_tib if persistent else None,
        metadata_configuration=_metadata(plan),
        efa_enabled=True if plan.efa else None,
        file_system_type_version=VERSION,
        data_compression_type="LZ4",
        subnet_ids=cluster["subnets"][plan.zone],
        security_group_ids=[_security_group(scope, plan, cluster)],
        weekly_maintenance_start_time=plan.weekly_maintenance or None,
        automatic_backup_retention_days=BACKUP_DAYS if backed_up else 0,
        skip_final_backup=not backed_up,
        copy_tags_to_backups=True if backed_up else None,
        tags={**plan.tags, "Name": plan.name},
        opts=scope.options(pulumi.ResourceOptions(protect=protect)),
    )
    if archive is not None and linked:
        _link(scope, plan, made, archive)
    return made


def _metadata(plan: LustrePlan) -> fsx.LustreFileSystemMetadataConfigurationArgs | None:
    if not plan.metadata_iops:
        return None
    return fsx.LustreFileSystemMetadataConfigurationArgs(mode="USER_PROVISIONED", iops=plan.metadata_iops)


def _link(scope: Scope, plan: LustrePlan, system: fsx.LustreFileSystem, archive: s3.Bucket) -> None:
    """Link a folder of the file system to the bucket: what training writes there is exported as it is written."""
    folder = plan.linked_prefix.strip("/")
    exported = fsx.DataRepositoryAssociationS3AutoExportPolicyArgs(events=list(plan.export_events))
    fsx.DataRepositoryAssociation(
        f"{scope.name}-hot",
        file_system_id=system.id,
        file_system_path=f"/{folder}",
        data_repository_path=archive.bucket.apply(lambda name: f"s3://{name}/{folder}"),
        batch_import_meta_data_on_create=True,
        delete_data_in_filesystem=False,
        s3=fsx.DataRepositoryAssociationS3Args(
            auto_import_policy=fsx.DataRepositoryAssociationS3AutoImportPolicyArgs(events=list(IMPORTED)),
            auto_export_policy=exported if plan.export_events else None,
        ),
        tags=dict(plan.tags),
        opts=scope.options(),
    )


def _security_group(scope: Scope, plan: LustrePlan, cluster: ClusterRef) -> pulumi.Output[str]:
    """Create the group of the file system, open to the nodes and to itself on the ports of Lustre."""
    tags = dict(plan.tags)
    group = ec2.SecurityGroup(
        f"{scope.name}-hot",
        name_prefix=prefix(f"{scope.prefix}-hot", GROUP_NAME),
        description="Lustre between the file system and the nodes",
        vpc_id=cluster["vpc_id"],
        tags=tags,
        opts=scope.options(),
    )
    peers: dict[str, pulumi.Input[str]] = {"self": group.id, "nodes": cluster["security_group_id"]}
    if plan.efa and "fabric_security_group_id" in cluster:
        peers["fabric"] = cluster["fabric_security_group_id"]
    rules: list[pulumi.Resource] = []
    for peer, peer_id in peers.items():
        rules += _rules(scope, peer, group.id, peer_id, tags, everything=plan.efa and peer != "nodes")
    if "fabric" in peers:
        rules += _over_fabric(scope, peers["fabric"], group.id, tags)
    # The servers call their clients back.
    for low, high in PORTS:
        rules.append(_ingress(scope, f"nodes-{low}", cluster["security_group_id"], group.id, tags, low, high))
    return after(group.id, *rules)


def _over_fabric(
    scope: Scope, fabric: pulumi.Input[str], group: pulumi.Input[str], tags: Mapping[str, str]
) -> list[pulumi.Resource]:
    """Let the nodes' EFA interfaces reach the file system and hear from it.

    A rule for an address range does not cover EFA, so both groups name each other, in both directions
    (FSx for Lustre user guide, EFA-enabled security groups).
    """
    egress = vpc.SecurityGroupEgressRule(
        f"{scope.name}-hot-fabric-out",
        security_group_id=fabric,
        referenced_security_group_id=group,
        ip_protocol="-1",
        tags=tags,
        opts=scope.options(),
    )
    return [egress, _ingress(scope, "fabric-in", fabric, group, tags)]


def _rules(
    scope: Scope,
    peer: str,
    group: pulumi.Input[str],
    peer_id: pulumi.Input[str],
    tags: Mapping[str, str],
    *,
    everything: bool,
) -> list[pulumi.Resource]:
    """Let one peer in, and the file system out to it; EFA needs all protocols both ways."""
    egress = vpc.SecurityGroupEgressRule(
        f"{scope.name}-hot-to-{peer}",
        security_group_id=group,
        referenced_security_group_id=peer_id,
        ip_protocol="-1",
        tags=tags,
        opts=scope.options(),
    )
    if everything:
        return [egress, _ingress(scope, f"from-{peer}", group, peer_id, tags)]
    return [egress, *(_ingress(scope, f"from-{peer}-{low}", group, peer_id, tags, low, high) for low, high in PORTS)]


def _ingress(
    scope: Scope,
    suffix: str,
    group: pulumi.Input[str],
    peer: pulumi.Input[str],
    tags: Mapping[str, str],
    low: int | None = None,
    high: int | None = None,
) -> vpc.SecurityGroupIngressRule:
    """Create an ingress rule for a TCP range, or for everything."""
    return vpc.SecurityGroupIngressRule(
        f"{scope.name}-hot-{suffix}",
        security_group_id=group,
        referenced_security_group_id=peer,
        ip_protocol="-1" if low is None else "tcp",
        from_port=low,
        to_port=high,
        tags=tags,
        opts=scope.options(),
    )
