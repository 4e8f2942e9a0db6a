"""Launch template: every change makes a new version, whole (moto merges no source version)."""

from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.services.calls import gone, sources
from gpulanes_lab.aws.services.ec2_calls import tag_specifications, update_tags
from gpulanes_lab.aws.services.ec2_launch_checks import CHECKS
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import (
    REGION,
    TAGS,
    Autoname,
    Field,
    Found,
    Refused,
    Resource,
    computed,
    immutable,
    mutable,
    switch,
)
from gpulanes_lab.aws.tagging import mapped
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

_EBS: Final = (
    mutable("deleteOnTermination", "text-boolean"),
    mutable("encrypted", "text-boolean"),
    mutable("iops", "integer", chosen=True),
    mutable("kmsKeyId"),
    mutable("snapshotId"),
    mutable("throughput", "integer", chosen=True),
    mutable("volumeInitializationRate", "integer", chosen=True),
    mutable("volumeSize", "integer", chosen=True),
    mutable("volumeType", chosen=True),
)
_NETWORK_INTERFACE: Final = (
    mutable("associatePublicIpAddress", "text-boolean"),
    mutable("deleteOnTermination", "text-boolean"),
    mutable("description"),
    mutable("deviceIndex", "integer"),
    mutable("interfaceType"),
    mutable("ipv4AddressCount", "integer", api="SecondaryPrivateIpAddressCount"),
    mutable("ipv4PrefixCount", "integer"),
    mutable("networkCardIndex", "integer"),
    mutable("networkInterfaceId"),
    mutable("privateIpAddress"),
    mutable("securityGroups", "strings", api="Groups", unordered=True),
    mutable("subnetId"),
)
_RESERVATION_TARGET: Final = (mutable("capacityReservationId"), mutable("capacityReservationResourceGroupArn"))
_RESERVATION: Final = (
    mutable("capacityReservationPreference"),
    mutable("capacityReservationTarget", "block", fields=_RESERVATION_TARGET),
)
_SPOT: Final = (
    mutable("blockDurationMinutes", "integer"),
    mutable("instanceInterruptionBehavior"),
    mutable("maxPrice"),
    mutable("spotInstanceType"),
)
_METADATA: Final = (
    mutable("httpEndpoint", chosen=True),
    mutable("httpProtocolIpv6", chosen=True),
    mutable("httpPutResponseHopLimit", "integer", chosen=True),
    mutable("httpTokens", chosen=True),
    mutable("instanceMetadataTags", chosen=True),
)
_PLACEMENT: Final = (
    mutable("affinity"),
    mutable("availabilityZone"),
    mutable("groupId"),
    mutable("groupName"),
    mutable("hostId"),
    mutable("partitionNumber", "integer"),
    mutable("tenancy"),
)
_DATA: Final[tuple[Field, ...]] = (
    mutable(
        "blockDeviceMappings",
        "blocks",
        fields=(
            mutable("deviceName"),
            mutable("ebs", "block", fields=_EBS),
            mutable("noDevice"),
            mutable("virtualName"),
        ),
    ),
    mutable("capacityReservationSpecification", "block", fields=_RESERVATION),
    mutable(
        "cpuOptions",
        "block",
        fields=(mutable("amdSevSnp"), mutable("coreCount", "integer"), mutable("threadsPerCore", "integer")),
    ),
    mutable("creditSpecification", "block", fields=(mutable("cpuCredits"),)),
    mutable("disableApiStop", "boolean"),
    mutable("disableApiTermination", "boolean"),
    mutable("ebsOptimized", "text-boolean"),
    mutable("enclaveOptions", "block", fields=(mutable("enabled", "boolean"),)),
    mutable("hibernationOptions", "block", fields=(mutable("configured", "boolean", required=True),)),
    mutable("iamInstanceProfile", "block", fields=(mutable("arn"), mutable("name"))),
    mutable("imageId"),
    mutable("instanceInitiatedShutdownBehavior"),
    mutable(
        "instanceMarketOptions",
        "block",
        fields=(mutable("marketType"), mutable("spotOptions", "block", fields=_SPOT)),
    ),
    mutable("instanceType"),
    mutable("keyName"),
    mutable("maintenanceOptions", "block", fields=(mutable("autoRecovery"),)),
    mutable("metadataOptions", "block", fields=_METADATA, chosen=True),
    mutable("monitoring", "block", fields=(mutable("enabled", "boolean"),)),
    mutable("networkInterfaces", "blocks", fields=_NETWORK_INTERFACE),
    mutable("placement", "block", fields=_PLACEMENT),
    mutable("tagSpecifications", "blocks", fields=(mutable("resourceType"), mutable("tags", "tags"))),
    mutable("userData"),
    mutable("vpcSecurityGroupIds", "strings", api="SecurityGroupIds", unordered=True),
)
_FIELDS: Final = (
    immutable("name", api="LaunchTemplateName", chosen=True),
    immutable("namePrefix", api=""),
    mutable("description", api="VersionDescription"),
    mutable("defaultVersion", "integer", api="", chosen=True, source="EC2 ModifyLaunchTemplate"),
    switch("updateDefaultVersion"),
    *_DATA,
    REGION,
    *TAGS,
    computed("arn", api=""),
    computed("latestVersion", "integer", api=""),
)
_DATA_NAMES: Final = frozenset(one.name for one in _DATA)


def _data(values: Document) -> Document:
    return to_api(_DATA, {name: value for name, value in values.items() if name in _DATA_NAMES})


def _shape(request: Document) -> Document:
    """Return a CreateLaunchTemplate request: the template's own members beside its data."""
    beside = ("LaunchTemplateName", "VersionDescription")
    data = {name: value for name, value in request.items() if name not in beside}
    named = {"LaunchTemplateName": "named-at-creation"} | {name: request[name] for name in beside if name in request}
    return named | {"LaunchTemplateData": data}


def _create(cloud: "Cloud", inputs: Document) -> str:
    template = cloud.client("ec2").create_launch_template(
        LaunchTemplateName=inputs["name"],
        LaunchTemplateData=_data(inputs),
        VersionDescription=inputs.get("description", ""),
        TagSpecifications=tag_specifications("launch-template", inputs),
    )
    template_id: str = template["LaunchTemplate"]["LaunchTemplateId"]
    return template_id


def _described(cloud: "Cloud", template_id: str) -> dict[str, Any] | None:
    found = cloud.client("ec2").describe_launch_templates(LaunchTemplateIds=[template_id])["LaunchTemplates"]
    return found[0] if found else None


def _version(cloud: "Cloud", template_id: str, number: int) -> dict[str, Any]:
    """Return a version; it never changes once made."""
    key = ("launch-template", template_id, str(number))
    if key not in cloud.memory:
        found = cloud.client("ec2").describe_launch_template_versions(
            LaunchTemplateId=template_id,
            Versions=[str(number)],
        )
        cloud.memory[key] = found["LaunchTemplateVersions"][0]
    version: dict[str, Any] = cloud.memory[key]
    return version


def template_data(cloud: "Cloud", reference: Document) -> Document:
    """Return the data (in EC2's shape) of the template version that a node group refers to.

    Raises:
        Refused: when there is no such template or version.
    """
    ec2 = cloud.client("ec2")
    if reference.get("id"):
        template = _described(cloud, reference["id"])
    else:
        named = ec2.describe_launch_templates(LaunchTemplateNames=[reference["name"]])["LaunchTemplates"]
        template = named[0] if named else None
    if template is None:
        message = f"InvalidLaunchTemplateId.NotFound: {reference.get('id') or reference.get('name')} does not exist"
        raise Refused(message)
    latest, default = template["LatestVersionNumber"], template["DefaultVersionNumber"]
    number = {"$Latest": latest, "$Default": default}.get(reference["version"])
    number = int(reference["version"]) if number is None else number
    if not 1 <= number <= latest:
        message = f"InvalidLaunchTemplateId.VersionNotFound: version {number} of {template['LaunchTemplateId']}"
        raise Refused(message)
    data: Document = _version(cloud, template["LaunchTemplateId"], number)["LaunchTemplateData"]
    return data


def remembered_data(cloud: "Cloud", reference: Document) -> Document:
    """Return the same without asking again, where the version has been seen: what is in it never changes."""
    seen = cloud.memory.get(("launch-template", str(reference.get("id")), reference["version"]))
    if seen is None:
        return template_data(cloud, reference)
    data: Document = seen["LaunchTemplateData"]
    return data


def _read(cloud: "Cloud", template_id: str, _known: Document) -> Found | None:
    template = _described(cloud, template_id)
    if template is None:
        return None
    latest = _version(cloud, template_id, template["LatestVersionNumber"])
    data = dict(latest["LaunchTemplateData"])
    # moto repeats the template's own tags among those of its instances.
    specified = [one for one in data.get("TagSpecifications") or [] if one["ResourceType"] != "launch-template"]
    named = [{"Name": "resource-id", "Values": [template_id]}]
    outputs = from_api(_DATA, data | {"TagSpecifications": specified or None}) | {
        "name": template["LaunchTemplateName"],
        "description": latest.get("VersionDescription") or None,
        "defaultVersion": template["DefaultVersionNumber"],
        "latestVersion": template["LatestVersionNumber"],
        "arn": cloud.arn("ec2", f"launch-template/{template_id}"),
        "tagsAll": mapped(cloud.client("ec2").describe_tags(Filters=named)["Tags"]),
    }
    return Found(template_id, outputs)


def _update(cloud: "Cloud", template_id: str, old: Document, new: Document) -> None:
    ec2 = cloud.client("ec2")
    number = old["latestVersion"]
    if _data(old) != _data(new) or old.get("description", "") != new.get("description", ""):
        answer = ec2.create_launch_template_version(
            LaunchTemplateId=template_id,
            LaunchTemplateData=_data(new),
            VersionDescription=new.get("description", ""),
        )
        number = answer["LaunchTemplateVersion"]["VersionNumber"]
    default = number if new.get("updateDefaultVersion") else new.get("defaultVersion")
    if default and default != old.get("defaultVersion"):
        ec2.modify_launch_template(LaunchTemplateId=template_id, DefaultVersion=str(default))
    update_tags(cloud, template_id, old, new)


def _delete(cloud: "Cloud", template_id: str, _state: Document) -> None:
    gone(cloud.client("ec2").delete_launch_template, LaunchTemplateId=template_id)


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:ec2/launchTemplate:LaunchTemplate",
        fields=_FIELDS,
        sources=sources("aws_launch_template", "EC2 CreateLaunchTemplateVersion"),
        request=("ec2", "CreateLaunchTemplate"),
        shape=_shape,
        envelope=("LaunchTemplateData",),
        autoname=Autoname(field="name", limit=128, prefix="namePrefix"),
        identity=("name",),
        renewed=("latestVersion",),
        renewed_by=_DATA_NAMES | {"description"},
        checks=CHECKS,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
