"""The launch template of a node group: disks, metadata, fabric, reservation, and tags down to the machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pulumi_aws import ec2

from gpulanes.catalog import instance
from gpulanes.clouds.aws import images
from gpulanes.clouds.names import prefix
from gpulanes.plan.names import physical_name

if TYPE_CHECKING:
    import pulumi

    from gpulanes.clouds.base import ClusterRef, Scope
    from gpulanes.kinds.pool import Pool

TEMPLATE_NAME, PLACEMENT_NAME = 125, 255

TAGGED = ("instance", "volume", "network-interface")
"""What a launch creates. Tags of the node group or of the provider reach none of them."""

HOP_LIMIT = 1
"""Pods cannot reach the instance's credentials; they get their own through Pod Identity."""


def launch_template(scope: Scope, pool: Pool, cluster: ClusterRef) -> ec2.LaunchTemplate:
    """Create the launch template. Each field has one owner: types stay with the node group, disks are here."""
    return ec2.LaunchTemplate(
        f"{scope.name}-nodes",
        name_prefix=prefix(scope.prefix, TEMPLATE_NAME),
        update_default_version=True,
        block_device_mappings=[_disk(disk) for disk in images.disks(pool)],
        metadata_options=ec2.LaunchTemplateMetadataOptionsArgs(
            http_endpoint="enabled", http_tokens="required", http_put_response_hop_limit=HOP_LIMIT
        ),
        tag_specifications=[
            ec2.LaunchTemplateTagSpecificationArgs(resource_type=kind, tags=dict(pool.tags)) for kind in _tagged(pool)
        ],
        user_data=images.user_data(pool),
        network_interfaces=_interfaces(pool, cluster) if pool.efa_interfaces else None,
        placement=_placement(scope, pool),
        capacity_reservation_specification=_reservation(pool),
        instance_market_options=_market(pool),
        instance_type=pool.instance_types[0] if "capacity-block" in pool.capacity else None,
        tags=dict(pool.tags),
        opts=scope.options(),
    )


def _tagged(pool: Pool) -> tuple[str, ...]:
    return (*TAGGED, "spot-instances-request") if "spot" in pool.capacity else TAGGED


def _disk(disk: images.Disk) -> ec2.LaunchTemplateBlockDeviceMappingArgs:
    return ec2.LaunchTemplateBlockDeviceMappingArgs(
        device_name=disk.device,
        ebs=ec2.LaunchTemplateBlockDeviceMappingEbsArgs(
            volume_size=disk.gib, volume_type="gp3", encrypted="true", delete_on_termination="true"
        ),
    )


def _interfaces(pool: Pool, cluster: ClusterRef) -> list[ec2.LaunchTemplateNetworkInterfaceArgs]:
    """Card 0 carries the node's address at device 0, as EFA where the card can; the other cards are EFA alone.

    EFA interfaces carry the security groups, so none stand at the top; the subnet is the node group's.
    """
    groups = [cluster["security_group_id"], cluster["fabric_security_group_id"]]
    cards = instance(pool.instance_types[0]).efa_cards[: pool.efa_interfaces]
    first = _interface(0, 0, "efa" if 0 in cards else "interface", groups)
    return [first, *(_interface(card, 1, "efa-only", groups) for card in cards if card)]


def _interface(
    card: int, device: int, kind: str, groups: list[pulumi.Input[str]]
) -> ec2.LaunchTemplateNetworkInterfaceArgs:
    return ec2.LaunchTemplateNetworkInterfaceArgs(
        network_card_index=card,
        device_index=device,
        interface_type=kind,
        security_groups=groups,
        delete_on_termination="true",
    )


def _placement(scope: Scope, pool: Pool) -> ec2.LaunchTemplatePlacementArgs | None:
    group = placement_group(scope, pool)
    return None if group is None else ec2.LaunchTemplatePlacementArgs(group_name=group.name)


def placement_group(scope: Scope, pool: Pool) -> ec2.PlacementGroup | None:
    """Create the cluster placement group of a pool whose nodes stand together; a reservation has its own place."""
    if pool.placement != "cluster":
        return None
    return ec2.PlacementGroup(
        f"{scope.name}-fabric",
        name=physical_name((scope.prefix, "fabric"), PLACEMENT_NAME),
        strategy="cluster",
        tags=dict(pool.tags),
        opts=scope.options(),
    )


def _reservation(pool: Pool) -> ec2.LaunchTemplateCapacityReservationSpecificationArgs | None:
    """Reservations are targeted and never spill: what is paid for is used, and nothing else is bought silently.

    A Capacity Block is taken without a preference: its market type already says where to launch.
    """
    if pool.reservation is None:
        return None
    block = "capacity-block" in pool.capacity
    return ec2.LaunchTemplateCapacityReservationSpecificationArgs(
        capacity_reservation_preference=None if block else "capacity-reservations-only",
        capacity_reservation_target=ec2.LaunchTemplateCapacityReservationSpecificationCapacityReservationTargetArgs(
            capacity_reservation_id=pool.reservation.id
        ),
    )


def _market(pool: Pool) -> ec2.LaunchTemplateInstanceMarketOptionsArgs | None:
    """Spot is the node group's to ask for; a Capacity Block is the template's."""
    if "capacity-block" not in pool.capacity:
        return None
    return ec2.LaunchTemplateInstanceMarketOptionsArgs(market_type="capacity-block")
