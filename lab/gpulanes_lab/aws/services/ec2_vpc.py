"""VPC and subnet."""

from collections.abc import Iterator
from ipaddress import IPv4Network
from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.services.calls import gone, sources
from gpulanes_lab.aws.services.ec2_calls import must_find, one_of, tag_specifications, update_tags
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import REGION, TAGS, Failure, Found, Resource, computed, immutable, mutable
from gpulanes_lab.aws.tagging import mapped
from gpulanes_lab.aws.values import Document, Plain

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: EC2 CreateVpc and CreateSubnet, "between a /28 netmask and /16 netmask".
_SMALLEST: Final = 28
_LARGEST: Final = 16

_VPC_ATTRIBUTES: Final = ("enableDnsSupport", "enableDnsHostnames", "enableNetworkAddressUsageMetrics")
_VPC: Final = (
    immutable("cidrBlock", required=True),
    immutable("instanceTenancy", default="default", source="terraform-provider-aws aws_vpc: only dedicated to default"),
    mutable("enableDnsSupport", "boolean", api="", default=True),
    mutable("enableDnsHostnames", "boolean", api="", chosen=True),
    mutable("enableNetworkAddressUsageMetrics", "boolean", api="", chosen=True),
    REGION,
    *TAGS,
    computed("arn", api=""),
    computed("defaultNetworkAclId", api=""),
    computed("defaultRouteTableId", api=""),
    computed("defaultSecurityGroupId", api=""),
    computed("dhcpOptionsId"),
    computed("mainRouteTableId", api=""),
    computed("ownerId"),
)

_SUBNET_SWITCHES: Final = ("mapPublicIpOnLaunch", "assignIpv6AddressOnCreation")
_SUBNET: Final = (
    immutable("vpcId", required=True),
    immutable("cidrBlock", required=True),
    immutable("availabilityZone", chosen=True),
    immutable("availabilityZoneId", chosen=True),
    mutable("mapPublicIpOnLaunch", "boolean", default=False),
    mutable("assignIpv6AddressOnCreation", "boolean", default=False),
    REGION,
    *TAGS,
    computed("arn", api="SubnetArn"),
    computed("ownerId"),
)


def cidr_failures(path: str, text: Plain) -> Iterator[Failure]:
    """Yield what EC2 refuses of an IPv4 block for a network."""
    if not isinstance(text, str):
        return
    try:
        network = IPv4Network(text)
    except ValueError as error:
        yield Failure(path, f"{text!r} is no IPv4 block: {error}")
        return
    if not _LARGEST <= network.prefixlen <= _SMALLEST:
        yield Failure(path, f"{text}: the block must be between /{_LARGEST} and /{_SMALLEST}")


def _check_block(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    yield from cidr_failures("cidrBlock", inputs.get("cidrBlock"))


def _check_subnet_zone(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    if inputs.get("availabilityZone") and inputs.get("availabilityZoneId"):
        yield Failure("availabilityZoneId", "conflicts with availabilityZone")


def _create_vpc(cloud: "Cloud", inputs: Document) -> str:
    ec2 = cloud.client("ec2")
    given = {one: inputs[one] for one in ("cidrBlock", "instanceTenancy")}
    answer = ec2.create_vpc(**to_api(_VPC, given), TagSpecifications=tag_specifications("vpc", inputs))
    vpc_id: str = answer["Vpc"]["VpcId"]
    _set_attributes(cloud, vpc_id, {"enableDnsSupport": True}, inputs)
    return vpc_id


def _set_attributes(cloud: "Cloud", vpc_id: str, old: Document, new: Document) -> None:
    for name in _VPC_ATTRIBUTES:
        if name in new and new[name] != old.get(name, False):
            api = name[0].upper() + name[1:]
            cloud.client("ec2").modify_vpc_attribute(VpcId=vpc_id, **{api: {"Value": new[name]}})


def _read_vpc(cloud: "Cloud", vpc_id: str, _known: Document) -> Found | None:
    vpc = one_of(cloud, "describe_vpcs", "VpcIds", "Vpcs", vpc_id)
    if vpc is None:
        return None
    ec2 = cloud.client("ec2")
    outputs = from_api(_VPC, vpc)
    for name in _VPC_ATTRIBUTES:
        api = name[0].upper() + name[1:]
        outputs[name] = ec2.describe_vpc_attribute(VpcId=vpc_id, Attribute=name)[api]["Value"]
    inside = [{"Name": "vpc-id", "Values": [vpc_id]}]
    tables = ec2.describe_route_tables(Filters=[*inside, {"Name": "association.main", "Values": ["true"]}])
    groups = ec2.describe_security_groups(Filters=[*inside, {"Name": "group-name", "Values": ["default"]}])
    acls = ec2.describe_network_acls(Filters=[*inside, {"Name": "default", "Values": ["true"]}])
    outputs |= {
        "arn": cloud.arn("ec2", f"vpc/{vpc_id}"),
        "tagsAll": mapped(vpc.get("Tags")),
        "mainRouteTableId": tables["RouteTables"][0]["RouteTableId"],
        "defaultRouteTableId": tables["RouteTables"][0]["RouteTableId"],
        "defaultSecurityGroupId": groups["SecurityGroups"][0]["GroupId"],
        "defaultNetworkAclId": acls["NetworkAcls"][0]["NetworkAclId"],
    }
    return Found(vpc_id, outputs)


def _update_vpc(cloud: "Cloud", vpc_id: str, old: Document, new: Document) -> None:
    _set_attributes(cloud, vpc_id, old, new)
    update_tags(cloud, vpc_id, old, new)


def _delete_vpc(cloud: "Cloud", vpc_id: str, _state: Document) -> None:
    gone(cloud.client("ec2").delete_vpc, VpcId=vpc_id)


def _create_subnet(cloud: "Cloud", inputs: Document) -> str:
    must_find(cloud, "describe_vpcs", "VpcIds", "Vpcs", inputs["vpcId"])
    given = {name: value for name, value in inputs.items() if name not in _SUBNET_SWITCHES}
    answer = cloud.client("ec2").create_subnet(
        **to_api(_SUBNET, given),
        TagSpecifications=tag_specifications("subnet", inputs),
    )
    subnet_id: str = answer["Subnet"]["SubnetId"]
    _set_switches(cloud, subnet_id, {}, inputs)
    return subnet_id


def _set_switches(cloud: "Cloud", subnet_id: str, old: Document, new: Document) -> None:
    for name in _SUBNET_SWITCHES:
        if new.get(name, False) != old.get(name, False):
            api = name[0].upper() + name[1:]
            cloud.client("ec2").modify_subnet_attribute(SubnetId=subnet_id, **{api: {"Value": new.get(name, False)}})


def _read_subnet(cloud: "Cloud", subnet_id: str, _known: Document) -> Found | None:
    subnet = one_of(cloud, "describe_subnets", "SubnetIds", "Subnets", subnet_id)
    if subnet is None:
        return None
    return Found(subnet_id, from_api(_SUBNET, subnet) | {"tagsAll": mapped(subnet.get("Tags"))})


def _update_subnet(cloud: "Cloud", subnet_id: str, old: Document, new: Document) -> None:
    _set_switches(cloud, subnet_id, old, new)
    update_tags(cloud, subnet_id, old, new)


def _delete_subnet(cloud: "Cloud", subnet_id: str, _state: Document) -> None:
    gone(cloud.client("ec2").delete_subnet, SubnetId=subnet_id)


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:ec2/vpc:Vpc",
        fields=_VPC,
        sources=sources("aws_vpc", "EC2 ModifyVpcAttribute"),
        request=("ec2", "CreateVpc"),
        checks=(_check_block,),
        create=_create_vpc,
        read=_read_vpc,
        update=_update_vpc,
        delete=_delete_vpc,
    ),
    Resource(
        type="aws:ec2/subnet:Subnet",
        fields=_SUBNET,
        sources=sources("aws_subnet", "EC2 ModifySubnetAttribute"),
        checks=(_check_block, _check_subnet_zone),
        create=_create_subnet,
        read=_read_subnet,
        update=_update_subnet,
        delete=_delete_subnet,
    ),
)
