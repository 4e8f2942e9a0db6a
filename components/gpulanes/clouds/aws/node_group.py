"""An EKS managed node group with its launch template."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pulumi
from pulumi_aws import eks

from gpulanes.clouds.aws.launch_template import launch_template
from gpulanes.clouds.names import prefix
from gpulanes.errors import Problem
from gpulanes.kinds.invariants import beyond_node_group

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gpulanes.clouds.base import ClusterRef, Scope
    from gpulanes.kinds.pool import Pool, Taint

GROUP_NAME = 63

CAPACITY_TYPES: Mapping[str, str] = {
    "on-demand": "ON_DEMAND",
    "reserved": "ON_DEMAND",  # a reservation is on-demand capacity that the launch template targets
    "spot": "SPOT",
    "capacity-block": "CAPACITY_BLOCK",
}
EFFECTS: Mapping[str, str] = {
    "NoSchedule": "NO_SCHEDULE",
    "PreferNoSchedule": "PREFER_NO_SCHEDULE",
    "NoExecute": "NO_EXECUTE",
}
PAID_FOR = frozenset({"reserved", "capacity-block"})
"""Options without spare capacity: a replacement can only start in the place of what it replaces."""


def node_group_problems(pool: Pool) -> Iterator[Problem]:
    """Yield why a managed node group cannot express a pool."""
    path = f"pools.{pool.name}"
    if len(pool.capacity) != 1:
        written = ", ".join(pool.capacity)
        yield Problem("one-option", f"{path}.capacity", written, "a node group buys one way", "make a pool per option")
    yield from (replace(problem, path=f"{path}.{problem.path}") for problem in beyond_node_group(pool))


def node_group(scope: Scope, pool: Pool, cluster: ClusterRef) -> eks.NodeGroup:
    """Create the node group.

    Its name is generated, so that a replacement starts before the old group ends. All three sizes are
    written out: an omitted one would start nodes nobody asked for.
    """
    template = launch_template(scope, pool, cluster)
    block = "capacity-block" in pool.capacity
    return eks.NodeGroup(
        f"{scope.name}-nodes",
        node_group_name_prefix=prefix(scope.prefix, GROUP_NAME),
        cluster_name=cluster["name"],
        version=cluster["version"],
        node_role_arn=cluster["node_role_arn"],
        subnet_ids=[cluster["subnets"][zone] for zone in pool.zones],
        ami_type=pool.ami_type,
        capacity_type=CAPACITY_TYPES[pool.capacity[0]],
        instance_types=None if block else list(pool.instance_types),
        launch_template=eks.NodeGroupLaunchTemplateArgs(id=template.id, version=template.latest_version.apply(str)),
        labels=dict(pool.labels),
        taints=[_taint(taint) for taint in pool.taints],
        scaling_config=eks.NodeGroupScalingConfigArgs(
            min_size=pool.nodes.min, desired_size=pool.nodes.desired, max_size=pool.nodes.max
        ),
        update_config=eks.NodeGroupUpdateConfigArgs(
            max_unavailable=pool.max_unavailable,
            update_strategy="MINIMAL" if PAID_FOR.intersection(pool.capacity) else "DEFAULT",
        ),
        node_repair_config=eks.NodeGroupNodeRepairConfigArgs(enabled=True),
        tags=dict(pool.tags),
        opts=scope.options(_lifecycle(pool)),
    )


def _taint(taint: Taint) -> eks.NodeGroupTaintArgs:
    return eks.NodeGroupTaintArgs(key=taint.key, value=taint.value or None, effect=EFFECTS[taint.effect])


def _lifecycle(pool: Pool) -> pulumi.ResourceOptions:
    """An autoscaler owns the live size; training on paid-for capacity is replaced in place of the old group."""
    return pulumi.ResourceOptions(
        ignore_changes=["scalingConfig.desiredSize"] if pool.autoscaled else None,
        delete_before_replace=(bool(PAID_FOR.intersection(pool.capacity)) and pool.kind != "inference") or None,
    )
