"""A node group against its cluster, subnets and launch template: what EKS refuses when it creates or updates."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.services.ec2_launch_checks import EFA, fabric_failures
from gpulanes_lab.aws.services.ec2_launch_template import remembered_data, template_data
from gpulanes_lab.aws.services.eks_calls import minor, must_have_cluster, subnets
from gpulanes_lab.aws.services.eks_node_checks import al2_failures
from gpulanes_lab.aws.services.eks_node_types import type_failures
from gpulanes_lab.aws.table import Failure, Refused
from gpulanes_lab.aws.values import Document, at

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: EKS user guide, launch templates: settings that cannot be used with a managed node group.
_FORBIDDEN: Final = {
    "IamInstanceProfile": "the node role takes its place",
    "InstanceInitiatedShutdownBehavior": "EKS controls the life of the instances",
    "HibernationOptions": "EKS controls the life of the instances",
}


def template_of(cloud: "Cloud", values: Document, *, again: bool = False) -> dict[str, Any] | None:
    """Return the data of the group's launch template, or None without one; ``again`` takes what was seen before."""
    reference = values.get("launchTemplate")
    if not reference:
        return None
    one_name = {"id": reference["id"]} if reference.get("id") else {"name": reference["name"]}
    find = remembered_data if again else template_data
    return find(cloud, {**one_name, "version": reference["version"]})


def refuse_launch(cloud: "Cloud", inputs: Document, template: dict[str, Any] | None, cluster: dict[str, Any]) -> None:
    """Check a new group against what it refers to.

    Raises:
        Refused: with everything that EKS would refuse.
    """
    found = [
        *_network_failures(cloud, inputs, cluster),
        *_version_failures(inputs, template, cluster),
        *(_template_failures(cloud, inputs, template) if template is not None else ()),
        *(_market_failures(inputs, template or {})),
    ]
    if found:
        message = "InvalidParameterException: " + "; ".join(f"{one.path}: {one.reason}" for one in found)
        raise Refused(message)


def _network_failures(cloud: "Cloud", inputs: Document, cluster: dict[str, Any]) -> Iterator[Failure]:
    vpc = cluster["resourcesVpcConfig"].get("vpcId")
    for subnet in subnets(cloud, inputs["subnetIds"]):
        if vpc and subnet["VpcId"] != vpc:
            yield Failure("subnetIds", f"{subnet['SubnetId']} is not in the cluster's VPC {vpc}")


def _version_failures(
    inputs: Document,
    template: dict[str, Any] | None,
    cluster: dict[str, Any],
) -> Iterator[Failure]:
    version = inputs.get("version", cluster["version"])
    if minor(version) > minor(cluster["version"]):
        yield Failure("version", f"{version} is newer than the control plane's {cluster['version']}")
    yield from al2_failures(inputs.get("amiType", ""), version)
    if template and template.get("ImageId"):
        for name in ("amiType", "version", "releaseVersion"):
            if inputs.get(name) not in (None, "CUSTOM"):
                yield Failure(name, "must be left out when the launch template names an image")


def _template_failures(cloud: "Cloud", inputs: Document, template: dict[str, Any]) -> Iterator[Failure]:
    own, types = template.get("InstanceType"), inputs.get("instanceTypes") or []
    if own and types:
        yield Failure("instanceTypes", f"the launch template already names {own}: give the type in one place")
    for member, reason in _FORBIDDEN.items():
        if template.get(member):
            yield Failure("launchTemplate", f"{member} cannot be used with a managed node group: {reason}")
    interfaces = template.get("NetworkInterfaces") or []
    if any(one.get("SubnetId") for one in interfaces):
        yield Failure("launchTemplate", "a network interface names a subnet: the group's subnetIds take its place")
    if own:
        yield from type_failures(cloud, "launchTemplate", [own], inputs.get("amiType"), inputs.get("capacityType"))
    if any(one.get("InterfaceType") in EFA for one in interfaces):
        yield from _fabric(cloud, types, interfaces)


def _fabric(cloud: "Cloud", types: list[str], interfaces: list[Mapping[str, Any]]) -> Iterator[Failure]:
    given = [
        {"interfaceType": one.get("InterfaceType", "interface"), "networkCardIndex": one.get("NetworkCardIndex", 0)}
        for one in interfaces
    ]
    for name in types:
        for one in fabric_failures(name, cloud.instance_type(name)["NetworkInfo"], given):
            yield Failure(f"launchTemplate.{one.path}", one.reason)


def _market_failures(inputs: Document, template: dict[str, Any]) -> Iterator[Failure]:
    market, capacity = at(template, "InstanceMarketOptions.MarketType"), inputs.get("capacityType", "ON_DEMAND")
    if market == "spot":
        yield Failure("launchTemplate", "a Spot market cannot be used with a managed node group: set capacityType SPOT")
    if market == "capacity-block" and capacity != "CAPACITY_BLOCK":
        yield Failure("capacityType", f"{capacity} with a capacity-block launch template: set CAPACITY_BLOCK")
    if capacity == "CAPACITY_BLOCK" and market != "capacity-block":
        yield Failure("launchTemplate", "CAPACITY_BLOCK needs a launch template of the capacity-block market")


def refuse_versions(cloud: "Cloud", old: Document, new: Document) -> None:
    """Check an update of versions.

    Raises:
        Refused: as UpdateNodegroupVersion does.
    """
    if new.get("launchTemplate") and old.get("launchTemplate"):
        before, after = template_of(cloud, old) or {}, template_of(cloud, new) or {}
        if bool(before.get("ImageId")) != bool(after.get("ImageId")):
            message = "InvalidParameterException: cannot switch between a custom image and an EKS image by an update"
            raise Refused(message)
    if bool(new.get("launchTemplate")) != bool(old.get("launchTemplate")):
        message = "InvalidParameterException: a launch template can only be given at creation"
        raise Refused(message)
    version = new.get("version")
    if version and version != old.get("version"):
        cluster = must_have_cluster(cloud, new["clusterName"])
        if minor(version) > minor(cluster["version"]):
            message = f"InvalidParameterException: {version} is newer than the control plane's {cluster['version']}"
            raise Refused(message)
