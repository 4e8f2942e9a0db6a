"""Internet gateway, elastic IP and NAT gateway."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.services.calls import gone, sources
from gpulanes_lab.aws.services.ec2_calls import must_find, one_of, tag_specifications, update_tags
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import REGION, TAGS, Failure, Found, Resource, computed, immutable, mutable
from gpulanes_lab.aws.tagging import mapped
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

_INTERNET_GATEWAY: Final = (
    mutable("vpcId", chosen=True, api=""),
    REGION,
    *TAGS,
    computed("arn", api=""),
    computed("ownerId"),
)

_EIP: Final = (
    immutable("domain", chosen=True),
    immutable("networkBorderGroup", chosen=True),
    immutable("publicIpv4Pool", chosen=True),
    REGION,
    *TAGS,
    computed("allocationId"),
    computed("arn", api=""),
    computed("associationId"),
    computed("privateIp", api="PrivateIpAddress"),
    computed("publicDns", api=""),
    computed("publicIp"),
)

_NAT_GATEWAY: Final = (
    immutable(
        "subnetId", required=True, source="EC2 CreateNatGateway: a zonal gateway (the only kind covered) has one"
    ),
    immutable("allocationId", api=""),
    immutable("connectivityType", default="public"),
    immutable("privateIp", api="", chosen=True),
    REGION,
    *TAGS,
    computed("associationId", api=""),
    computed("networkInterfaceId", api=""),
    computed("publicIp", api=""),
)


def _create_internet_gateway(cloud: "Cloud", inputs: Document) -> str:
    answer = cloud.client("ec2").create_internet_gateway(
        TagSpecifications=tag_specifications("internet-gateway", inputs),
    )
    gateway_id: str = answer["InternetGateway"]["InternetGatewayId"]
    _move(cloud, gateway_id, None, inputs.get("vpcId"))
    return gateway_id


def _move(cloud: "Cloud", gateway_id: str, old: str | None, new: str | None) -> None:
    if old and old != new:
        gone(cloud.client("ec2").detach_internet_gateway, InternetGatewayId=gateway_id, VpcId=old)
    if new and old != new:
        cloud.client("ec2").attach_internet_gateway(InternetGatewayId=gateway_id, VpcId=new)


def _read_internet_gateway(cloud: "Cloud", gateway_id: str, _known: Document) -> Found | None:
    described = one_of(cloud, "describe_internet_gateways", "InternetGatewayIds", "InternetGateways", gateway_id)
    if described is None:
        return None
    outputs = from_api(_INTERNET_GATEWAY, described) | {
        "arn": cloud.arn("ec2", f"internet-gateway/{gateway_id}"),
        "tagsAll": mapped(described.get("Tags")),
    }
    if described["Attachments"]:
        outputs["vpcId"] = described["Attachments"][0]["VpcId"]
    return Found(gateway_id, outputs)


def _update_internet_gateway(cloud: "Cloud", gateway_id: str, old: Document, new: Document) -> None:
    _move(cloud, gateway_id, old.get("vpcId"), new.get("vpcId", old.get("vpcId")))
    update_tags(cloud, gateway_id, old, new)


def _delete_internet_gateway(cloud: "Cloud", gateway_id: str, state: Document) -> None:
    _move(cloud, gateway_id, state.get("vpcId"), None)
    gone(cloud.client("ec2").delete_internet_gateway, InternetGatewayId=gateway_id)


def _create_eip(cloud: "Cloud", inputs: Document) -> str:
    answer = cloud.client("ec2").allocate_address(
        **{"Domain": "vpc"} | to_api(_EIP, inputs),
        TagSpecifications=tag_specifications("elastic-ip", inputs),
    )
    allocation_id: str = answer["AllocationId"]
    return allocation_id


def _read_eip(cloud: "Cloud", allocation_id: str, _known: Document) -> Found | None:
    described = one_of(cloud, "describe_addresses", "AllocationIds", "Addresses", allocation_id)
    if described is None:
        return None
    outputs = from_api(_EIP, described) | {
        "arn": cloud.arn("ec2", f"elastic-ip/{allocation_id}"),
        "publicDns": f"ec2-{described['PublicIp'].replace('.', '-')}.compute-1.amazonaws.com",
        "tagsAll": mapped(described.get("Tags")),
    }
    return Found(allocation_id, outputs)


def _delete_eip(cloud: "Cloud", allocation_id: str, _state: Document) -> None:
    gone(cloud.client("ec2").release_address, AllocationId=allocation_id)


def _check_nat_address(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    public = inputs.get("connectivityType", "public") == "public"
    if public and not inputs.get("allocationId"):
        yield Failure("allocationId", "is required for a public NAT gateway")
    if not public and inputs.get("allocationId"):
        yield Failure("allocationId", "a private NAT gateway has no address to allocate")


def _create_nat_gateway(cloud: "Cloud", inputs: Document) -> str:
    must_find(cloud, "describe_subnets", "SubnetIds", "Subnets", inputs["subnetId"])
    request = to_api(_NAT_GATEWAY, inputs)
    if inputs.get("allocationId"):
        must_find(cloud, "describe_addresses", "AllocationIds", "Addresses", inputs["allocationId"])
        request["AllocationId"] = inputs["allocationId"]
    if inputs.get("privateIp"):
        request["PrivateIpAddress"] = inputs["privateIp"]
    answer = cloud.client("ec2").create_nat_gateway(
        **request, TagSpecifications=tag_specifications("natgateway", inputs)
    )
    gateway_id: str = answer["NatGateway"]["NatGatewayId"]
    return gateway_id


def _read_nat_gateway(cloud: "Cloud", gateway_id: str, known: Document) -> Found | None:
    described = one_of(cloud, "describe_nat_gateways", "NatGatewayIds", "NatGateways", gateway_id)
    if described is None or described["State"] in ("deleting", "deleted"):
        return None
    address = described["NatGatewayAddresses"][0] if described["NatGatewayAddresses"] else {}
    outputs = from_api(_NAT_GATEWAY, described) | {
        "allocationId": address.get("AllocationId"),
        "associationId": address.get("AssociationId"),
        "connectivityType": described.get("ConnectivityType", known.get("connectivityType", "public")),
        "networkInterfaceId": address.get("NetworkInterfaceId"),
        "privateIp": address.get("PrivateIp"),
        "publicIp": address.get("PublicIp"),
        "tagsAll": mapped(described.get("Tags")),
    }
    return Found(gateway_id, outputs)


def _delete_nat_gateway(cloud: "Cloud", gateway_id: str, _state: Document) -> None:
    gone(cloud.client("ec2").delete_nat_gateway, NatGatewayId=gateway_id)


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:ec2/internetGateway:InternetGateway",
        fields=_INTERNET_GATEWAY,
        sources=sources("aws_internet_gateway", "EC2 AttachInternetGateway and DetachInternetGateway"),
        create=_create_internet_gateway,
        read=_read_internet_gateway,
        update=_update_internet_gateway,
        delete=_delete_internet_gateway,
    ),
    Resource(
        type="aws:ec2/eip:Eip",
        fields=_EIP,
        sources=sources("aws_eip", "EC2 AssociateAddress"),
        request=("ec2", "AllocateAddress"),
        create=_create_eip,
        read=_read_eip,
        update=update_tags,
        delete=_delete_eip,
    ),
    Resource(
        type="aws:ec2/natGateway:NatGateway",
        fields=_NAT_GATEWAY,
        sources=sources("aws_nat_gateway", "EC2 CreateTags"),
        request=("ec2", "CreateNatGateway"),
        checks=(_check_nat_address,),
        create=_create_nat_gateway,
        read=_read_nat_gateway,
        update=update_tags,
        delete=_delete_nat_gateway,
    ),
)
