"""An EKS cluster that pools can join: roles, endpoint, fabric group and interruption queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pulumi
from pulumi_aws import ec2, eks, vpc

from gpulanes.clouds.aws import iam
from gpulanes.clouds.aws.interruption import interruption_queue
from gpulanes.clouds.aws.network import network
from gpulanes.clouds.base import ClusterRef, ClusterRequest, Scope, after
from gpulanes.clouds.names import prefix
from gpulanes.kinds.pool import LANE_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LOGS = ("api", "audit", "scheduler")
CLUSTER_POLICIES = ("AmazonEKSClusterPolicy",)
NODE_POLICIES = (
    "AmazonEKSWorkerNodePolicy",
    "AmazonEKS_CNI_Policy",
    "AmazonEC2ContainerRegistryPullOnly",
    "AmazonSSMManagedInstanceCore",
)
GROUP_NAME = 255
"""Longest security group name."""


def cluster(scope: Scope, request: ClusterRequest) -> ClusterRef:
    """Create the cluster and return what pools need of it."""
    tags = {**request.tags, LANE_KEY: "system"}
    net = network(scope, request, tags)
    control = iam.role(scope, "control-plane", iam.trust("eks.amazonaws.com"), tags, CLUSTER_POLICIES)
    nodes = iam.role(scope, "nodes", iam.trust("ec2.amazonaws.com"), tags, NODE_POLICIES)
    made = _control_plane(scope, request, control, list(net.subnets.values()), tags)
    entry = eks.AccessEntry(
        f"{scope.name}-nodes",
        cluster_name=made.name,
        principal_arn=nodes.resource.arn,
        type="EC2_LINUX",
        tags=tags,
        opts=scope.options(),
    )
    return ClusterRef(
        name=made.name,
        endpoint=made.endpoint,
        certificate_authority=made.certificate_authority.apply(lambda authority: authority.data or ""),
        version=request.kubernetes,
        vpc_id=net.vpc_id,
        subnets=dict(net.subnets),
        security_group_id=made.vpc_config.apply(lambda config: config.cluster_security_group_id or ""),
        fabric_security_group_id=_fabric(scope, net.vpc_id, tags),
        node_role_name=after(nodes.name, entry),
        node_role_arn=after(nodes.arn, entry),
        interruption_queue=interruption_queue(scope, request.name, tags),
        oidc_issuer=made.identities.apply(_issuer),
    )


def _issuer(identities: Sequence[eks.outputs.ClusterIdentity]) -> str:
    return next((oidc.issuer or "" for identity in identities for oidc in identity.oidcs or ()), "")


def _control_plane(
    scope: Scope,
    request: ClusterRequest,
    role: iam.Role,
    subnets: list[pulumi.Input[str]],
    tags: Mapping[str, str],
) -> eks.Cluster:
    """Create the control plane: private endpoint always, public endpoint only for the addresses that were named."""
    return eks.Cluster(
        scope.name,
        name=request.name,
        version=request.kubernetes,
        role_arn=role.arn,
        access_config=eks.ClusterAccessConfigArgs(
            authentication_mode="API", bootstrap_cluster_creator_admin_permissions=True
        ),
        vpc_config=eks.ClusterVpcConfigArgs(
            subnet_ids=subnets,
            endpoint_private_access=True,
            endpoint_public_access=bool(request.api_access_cidrs),
            public_access_cidrs=list(request.api_access_cidrs) or None,
        ),
        enabled_cluster_log_types=list(LOGS),
        upgrade_policy=eks.ClusterUpgradePolicyArgs(support_type="STANDARD"),
        deletion_protection=request.protect,
        tags=dict(tags),
        opts=scope.options(pulumi.ResourceOptions(protect=request.protect)),
    )


def _fabric(scope: Scope, vpc_id: pulumi.Input[str], tags: Mapping[str, str]) -> pulumi.Output[str]:
    """Create the group of EFA interfaces.

    EFA traffic needs all protocols from and to the group itself; a rule for an address range does not cover it.
    """
    group = ec2.SecurityGroup(
        f"{scope.name}-fabric",
        name_prefix=prefix(f"{scope.prefix}-fabric", GROUP_NAME),
        description="EFA traffic between the nodes of a pool",
        vpc_id=vpc_id,
        tags=dict(tags),
        opts=scope.options(),
    )
    ingress = vpc.SecurityGroupIngressRule(
        f"{scope.name}-fabric-in",
        security_group_id=group.id,
        referenced_security_group_id=group.id,
        ip_protocol="-1",
        tags=dict(tags),
        opts=scope.options(),
    )
    egress = vpc.SecurityGroupEgressRule(
        f"{scope.name}-fabric-out",
        security_group_id=group.id,
        referenced_security_group_id=group.id,
        ip_protocol="-1",
        tags=dict(tags),
        opts=scope.options(),
    )
    return after(group.id, ingress, egress)
