"""The standard network: per zone a private and a public subnet, one way out per zone so that a zone fails alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pulumi_aws import ec2

from gpulanes.clouds.aws.addresses import blocks
from gpulanes.clouds.base import ClusterRequest, Scope, after

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pulumi

ANYWHERE = "0.0.0.0/0"


@dataclass(frozen=True, slots=True)
class Network:
    """A VPC and its private subnets by zone."""

    vpc_id: pulumi.Input[str]
    subnets: Mapping[str, pulumi.Input[str]]


def network(scope: Scope, request: ClusterRequest, tags: Mapping[str, str]) -> Network:
    """Return the subnets that were given, or a new network over the zones."""
    if request.subnets and request.vpc_id is not None:
        return Network(request.vpc_id, dict(request.subnets))
    vpc = ec2.Vpc(
        f"{scope.name}-vpc",
        cidr_block=request.cidr,
        enable_dns_hostnames=True,
        enable_dns_support=True,
        tags=_named(tags, scope.prefix),
        opts=scope.options(),
    )
    entrance = _entrance(scope, vpc, tags)
    return Network(vpc.id, {zone: _zone(scope, request, vpc, entrance, zone, tags) for zone in request.zones})


def _entrance(scope: Scope, vpc: ec2.Vpc, tags: Mapping[str, str]) -> pulumi.Output[str]:
    """Create the internet gateway and the route table of every public subnet; a NAT gateway fails without either."""
    gateway = ec2.InternetGateway(
        f"{scope.name}-igw", vpc_id=vpc.id, tags=_named(tags, scope.prefix), opts=scope.options()
    )
    return _routes(scope, "public", vpc, tags, gateway_id=gateway.id)


def _zone(
    scope: Scope,
    request: ClusterRequest,
    vpc: ec2.Vpc,
    entrance: pulumi.Input[str],
    zone: str,
    tags: Mapping[str, str],
) -> pulumi.Output[str]:
    """Create one zone's subnets and its NAT gateway; return the private subnet, usable while it has a way out.

    What uses the subnet is gone before the way out is: Karpenter ends its instances through it.
    """
    place = blocks(request.cidr, zone)
    public = _subnet(scope, vpc, zone, "public", place.public, {**tags, "kubernetes.io/role/elb": "1"})
    private = _subnet(scope, vpc, zone, "private", place.private, {**tags, "kubernetes.io/role/internal-elb": "1"})
    address = ec2.Eip(
        f"{scope.name}-{zone}-nat", domain="vpc", tags=_named(tags, f"{scope.prefix}-{zone}-nat"), opts=scope.options()
    )
    nat = ec2.NatGateway(
        f"{scope.name}-{zone}",
        allocation_id=address.allocation_id,
        subnet_id=after(public.id, _associated(scope, f"{zone}-public", public, entrance)),
        tags=_named(tags, f"{scope.prefix}-{zone}"),
        opts=scope.options(),
    )
    exit_table = _routes(scope, f"{zone}-private", vpc, tags, nat_gateway_id=nat.id)
    return after(private.id, _associated(scope, f"{zone}-private", private, exit_table))


def _subnet(scope: Scope, vpc: ec2.Vpc, zone: str, side: str, cidr: str, tags: Mapping[str, str]) -> ec2.Subnet:
    return ec2.Subnet(
        f"{scope.name}-{zone}-{side}",
        vpc_id=vpc.id,
        availability_zone=zone,
        cidr_block=cidr,
        map_public_ip_on_launch=False,
        tags=_named(tags, f"{scope.prefix}-{zone}-{side}"),
        opts=scope.options(),
    )


def _routes(
    scope: Scope,
    suffix: str,
    vpc: ec2.Vpc,
    tags: Mapping[str, str],
    *,
    gateway_id: pulumi.Input[str] | None = None,
    nat_gateway_id: pulumi.Input[str] | None = None,
) -> pulumi.Output[str]:
    """Create a route table whose default route leads to one of the gateways; return its id, for users of the route."""
    table = ec2.RouteTable(
        f"{scope.name}-{suffix}", vpc_id=vpc.id, tags=_named(tags, f"{scope.prefix}-{suffix}"), opts=scope.options()
    )
    route = ec2.Route(
        f"{scope.name}-{suffix}",
        route_table_id=table.id,
        destination_cidr_block=ANYWHERE,
        gateway_id=gateway_id,
        nat_gateway_id=nat_gateway_id,
        opts=scope.options(),
    )
    return after(table.id, route)


def _associated(
    scope: Scope, suffix: str, subnet: ec2.Subnet, table_id: pulumi.Input[str]
) -> ec2.RouteTableAssociation:
    return ec2.RouteTableAssociation(
        f"{scope.name}-{suffix}", subnet_id=subnet.id, route_table_id=table_id, opts=scope.options()
    )


def _named(tags: Mapping[str, str], name: str) -> dict[str, str]:
    return {**tags, "Name": name}
