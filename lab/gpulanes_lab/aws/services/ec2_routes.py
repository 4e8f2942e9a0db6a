"""Route table, route and route table association."""

import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.services.calls import gone, sources
from gpulanes_lab.aws.services.ec2_calls import must_find, one_of, tag_specifications, update_tags
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import REGION, TAGS, Failure, Found, Refused, Resource, computed, immutable, mutable
from gpulanes_lab.aws.tagging import mapped
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

_TARGETS: Final = ("gatewayId", "natGatewayId", "networkInterfaceId", "transitGatewayId", "vpcPeeringConnectionId")
_TARGET_FIELDS: Final = tuple(mutable(name, source="EC2 ReplaceRoute") for name in _TARGETS)

_INLINE_ROUTE: Final = (
    mutable("cidrBlock", api="DestinationCidrBlock", required=True, source="EC2 CreateRoute and DeleteRoute"),
    *_TARGET_FIELDS,
)
_ROUTE_TABLE: Final = (
    immutable("vpcId", required=True),
    mutable("routes", "blocks", chosen=True, unordered=True, fields=_INLINE_ROUTE, api=""),
    REGION,
    *TAGS,
    computed("arn", api=""),
    computed("ownerId"),
)
_ROUTE: Final = (
    immutable("routeTableId", required=True),
    immutable("destinationCidrBlock", required=True),
    *_TARGET_FIELDS,
    REGION,
    computed("origin"),
    computed("state"),
)
_ASSOCIATION: Final = (
    mutable("routeTableId", required=True),
    immutable("subnetId"),
    immutable("gatewayId"),
    REGION,
)


def _target_failures(given: Document, path: str = "") -> Iterator[Failure]:
    targets = [name for name in _TARGETS if given.get(name) is not None]
    if len(targets) != 1:
        said = ", ".join(targets) or "none"
        yield Failure(f"{path}{targets[-1] if targets else _TARGETS[0]}", f"a route has exactly one target, not {said}")


def _check_inline(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    for index, route in enumerate(inputs.get("routes") or []):
        if isinstance(route, Mapping):
            yield from _target_failures(dict(route), f"routes[{index}].")


def _check_target(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    yield from _target_failures(inputs)


def _check_association(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    if (inputs.get("subnetId") is None) == (inputs.get("gatewayId") is None):
        yield Failure("subnetId", "exactly one of subnetId and gatewayId is required")


def _create_route_table(cloud: "Cloud", inputs: Document) -> str:
    answer = cloud.client("ec2").create_route_table(
        VpcId=inputs["vpcId"],
        TagSpecifications=tag_specifications("route-table", inputs),
    )
    table_id: str = answer["RouteTable"]["RouteTableId"]
    for route in inputs.get("routes") or []:
        cloud.client("ec2").create_route(RouteTableId=table_id, **to_api(_INLINE_ROUTE, route))
    return table_id


def _described_table(cloud: "Cloud", table_id: str) -> dict[str, Any] | None:
    return one_of(cloud, "describe_route_tables", "RouteTableIds", "RouteTables", table_id)


def _read_route_table(cloud: "Cloud", table_id: str, _known: Document) -> Found | None:
    table = _described_table(cloud, table_id)
    if table is None:
        return None
    routes = [route for route in table["Routes"] if route.get("Origin") == "CreateRoute"]
    outputs = from_api(_ROUTE_TABLE, table) | {
        "arn": cloud.arn("ec2", f"route-table/{table_id}"),
        "routes": [from_api(_INLINE_ROUTE, route) for route in routes],
        "tagsAll": mapped(table.get("Tags")),
    }
    return Found(table_id, outputs)


def _update_route_table(cloud: "Cloud", table_id: str, old: Document, new: Document) -> None:
    if "routes" in new:
        before = {route["cidrBlock"]: route for route in old.get("routes") or []}
        after = {route["cidrBlock"]: route for route in new["routes"]}
        ec2 = cloud.client("ec2")
        for block in [block for block in before if block not in after]:
            gone(ec2.delete_route, RouteTableId=table_id, DestinationCidrBlock=block)
        for block, route in after.items():
            if route != before.get(block):
                change = ec2.replace_route if block in before else ec2.create_route
                change(RouteTableId=table_id, **to_api(_INLINE_ROUTE, route))
    update_tags(cloud, table_id, old, new)


def _delete_route_table(cloud: "Cloud", table_id: str, _state: Document) -> None:
    gone(cloud.client("ec2").delete_route_table, RouteTableId=table_id)


def _route_id(table_id: str, destination: str) -> str:
    """Source: terraform-provider-aws routeCreateID, ``r-`` plus table plus a hash of the destination."""
    return f"r-{table_id}{zlib.crc32(destination.encode())}"


def _create_route(cloud: "Cloud", inputs: Document) -> str:
    table_id, destination = inputs["routeTableId"], inputs["destinationCidrBlock"]
    table = must_find(cloud, "describe_route_tables", "RouteTableIds", "RouteTables", table_id)
    if any(route.get("DestinationCidrBlock") == destination for route in table["Routes"]):
        message = f"RouteAlreadyExists: the route identified by {destination} already exists in {table_id}"
        raise Refused(message)
    cloud.client("ec2").create_route(**to_api(_ROUTE, inputs))
    return _route_id(table_id, destination)


def _read_route(cloud: "Cloud", resource_id: str, known: Document) -> Found | None:
    """Read a route; an import names it ``TABLE_DESTINATION``."""
    table_id, _, destination = resource_id.partition("_")
    if not destination:
        table_id, destination = known["routeTableId"], known["destinationCidrBlock"]
    table = _described_table(cloud, table_id)
    for route in table["Routes"] if table else []:
        if route.get("DestinationCidrBlock") == destination:
            outputs = from_api(_ROUTE, route) | {"routeTableId": table_id}
            return Found(_route_id(table_id, destination), outputs)
    return None


def _update_route(cloud: "Cloud", _route: str, _old: Document, new: Document) -> None:
    cloud.client("ec2").replace_route(**to_api(_ROUTE, new))


def _delete_route(cloud: "Cloud", _route: str, state: Document) -> None:
    arguments = {"RouteTableId": state["routeTableId"], "DestinationCidrBlock": state["destinationCidrBlock"]}
    gone(cloud.client("ec2").delete_route, **arguments)


def _create_association(cloud: "Cloud", inputs: Document) -> str:
    if inputs.get("subnetId"):
        must_find(cloud, "describe_subnets", "SubnetIds", "Subnets", inputs["subnetId"])
    association: str = cloud.client("ec2").associate_route_table(**to_api(_ASSOCIATION, inputs))["AssociationId"]
    return association


def _association_of(cloud: "Cloud", resource_id: str, known: Document) -> dict[str, Any] | None:
    """Find an association by its id, by an import's ``SUBNET/TABLE``, or by its subnet.

    A change of table gives the association a new id, which an update cannot tell the engine.
    """
    subnet, _, table = resource_id.partition("/")
    if table:
        return next((one for one in _associated(cloud, "subnet-id", subnet) if one["RouteTableId"] == table), None)
    named = _associated(cloud, "route-table-association-id", resource_id)
    found = next((one for one in named if one["RouteTableAssociationId"] == resource_id), None)
    if found is None and known.get("subnetId"):
        moved = _associated(cloud, "subnet-id", known["subnetId"])
        found = next((one for one in moved if one.get("SubnetId") == known["subnetId"]), None)
    return found


def _associated(cloud: "Cloud", name: str, value: str) -> Iterator[dict[str, Any]]:
    tables = cloud.client("ec2").describe_route_tables(Filters=[{"Name": f"association.{name}", "Values": [value]}])
    for table in tables["RouteTables"]:
        yield from (one for one in table["Associations"] if not one["Main"])


def _read_association(cloud: "Cloud", resource_id: str, known: Document) -> Found | None:
    found = _association_of(cloud, resource_id, known)
    return None if found is None else Found(found["RouteTableAssociationId"], from_api(_ASSOCIATION, found))


def _update_association(cloud: "Cloud", resource_id: str, old: Document, new: Document) -> None:
    found = _association_of(cloud, resource_id, old)
    if found is None:
        message = f"InvalidAssociationID.NotFound: {resource_id}"
        raise Refused(message)
    cloud.client("ec2").replace_route_table_association(
        AssociationId=found["RouteTableAssociationId"],
        RouteTableId=new["routeTableId"],
    )


def _delete_association(cloud: "Cloud", resource_id: str, state: Document) -> None:
    found = _association_of(cloud, resource_id, state)
    if found is not None:
        gone(cloud.client("ec2").disassociate_route_table, AssociationId=found["RouteTableAssociationId"])


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:ec2/routeTable:RouteTable",
        fields=_ROUTE_TABLE,
        sources=sources("aws_route_table", "EC2 CreateRoute, ReplaceRoute and DeleteRoute"),
        checks=(_check_inline,),
        create=_create_route_table,
        read=_read_route_table,
        update=_update_route_table,
        delete=_delete_route_table,
    ),
    Resource(
        type="aws:ec2/route:Route",
        fields=_ROUTE,
        sources=sources("aws_route", "EC2 ReplaceRoute"),
        request=("ec2", "CreateRoute"),
        identity=("routeTableId", "destinationCidrBlock"),
        checks=(_check_target,),
        create=_create_route,
        read=_read_route,
        update=_update_route,
        delete=_delete_route,
    ),
    Resource(
        type="aws:ec2/routeTableAssociation:RouteTableAssociation",
        fields=_ASSOCIATION,
        sources=sources("aws_route_table_association", "EC2 ReplaceRouteTableAssociation"),
        request=("ec2", "AssociateRouteTable"),
        checks=(_check_association,),
        create=_create_association,
        read=_read_association,
        update=_update_association,
        delete=_delete_association,
    ),
)
