"""EKS managed node group: moto keeps it; what moto cannot change afterwards lives in the emulator's store."""

from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.services.calls import found, gone, sources
from gpulanes_lab.aws.services.eks_calls import NODE_GROUPS, key, must_be_assumable, must_have_cluster, tags_of
from gpulanes_lab.aws.services.eks_node_checks import CHECKS
from gpulanes_lab.aws.services.eks_node_launch import refuse_launch, refuse_versions, template_of
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import REGION, TAGS, Autoname, Found, Resource, computed, immutable, mutable, switch
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

_VERSION: Final = "EKS UpdateNodegroupVersion"
_LAUNCH_TEMPLATE: Final = (
    immutable("id", chosen=True),
    immutable("name", chosen=True),
    mutable("version", required=True, source=_VERSION),
)
_OVERRIDE: Final = (
    mutable("minRepairWaitTimeMins", "integer", required=True),
    mutable("nodeMonitoringCondition", required=True),
    mutable("nodeUnhealthyReason", required=True),
    mutable("repairAction", required=True),
)
_REPAIR: Final = (
    mutable("enabled", "boolean", default=False),
    mutable("maxParallelNodesRepairedCount", "integer"),
    mutable("maxParallelNodesRepairedPercentage", "integer"),
    mutable("maxUnhealthyNodeThresholdCount", "integer"),
    mutable("maxUnhealthyNodeThresholdPercentage", "integer"),
    mutable("nodeRepairConfigOverrides", "blocks", unordered=True, fields=_OVERRIDE),
)
_SCALING: Final = (
    mutable("desiredSize", "integer", required=True),
    mutable("maxSize", "integer", required=True),
    mutable("minSize", "integer", required=True),
)
_TAINT: Final = (mutable("effect", required=True), mutable("key", required=True), mutable("value"))
_UPDATE: Final = (
    mutable("maxUnavailable", "integer"),
    mutable("maxUnavailablePercentage", "integer"),
    mutable("updateStrategy", chosen=True),
)
_WARM_POOL: Final = (
    mutable("maxGroupPreparedCapacity", "integer"),
    mutable("minSize", "integer"),
    mutable("poolState", chosen=True),
    mutable("reuseOnScaleIn", "boolean"),
)
_REMOTE_ACCESS: Final = (
    immutable("ec2SshKey"),
    immutable("sourceSecurityGroupIds", "strings", api="sourceSecurityGroups", unordered=True),
)
_FIELDS: Final = (
    immutable("clusterName", required=True),
    immutable("nodeGroupName", api="nodegroupName", chosen=True),
    immutable("nodeGroupNamePrefix", api=""),
    immutable("nodeRoleArn", api="nodeRole", required=True),
    immutable("subnetIds", "strings", api="subnets", required=True, unordered=True),
    mutable("scalingConfig", "block", required=True, fields=_SCALING),
    immutable("amiType", chosen=True),
    immutable("capacityType", chosen=True),
    immutable("diskSize", "integer", chosen=True),
    immutable("instanceTypes", "strings", chosen=True),
    mutable("labels", "map"),
    mutable("launchTemplate", "block", fields=_LAUNCH_TEMPLATE, source=_VERSION),
    mutable("nodeRepairConfig", "block", fields=_REPAIR, chosen=True),
    mutable("releaseVersion", chosen=True, source=_VERSION),
    immutable("remoteAccess", "block", fields=_REMOTE_ACCESS),
    mutable("taints", "blocks", fields=_TAINT, unordered=True),
    mutable("updateConfig", "block", fields=_UPDATE, chosen=True),
    mutable("version", chosen=True, source=_VERSION),
    mutable("warmPoolConfig", "block", fields=_WARM_POOL),
    switch("forceUpdateVersion"),
    REGION,
    *TAGS,
    computed("arn", api="nodegroupArn"),
    computed("resources", "blocks", api=""),
    computed("status"),
)
# What moto drops at creation, but takes in UpdateNodegroupConfig.
_LATE: Final = ("updateConfig", "nodeRepairConfig")
_NOT_IN_MOTO: Final = ("warmPoolConfig",)
# moto's fillings for what was never given.
_MOTO_KEY: Final = "eksKeypair"
_DEFAULT_AMI: Final = "AL2023_x86_64_STANDARD"
_CHOICES: Final = {"capacityType": "ON_DEMAND", "instanceTypes": ["t3.medium"], "diskSize": 20}
_DEFAULTS: Final = {"updateConfig": {"maxUnavailable": 1}, "nodeRepairConfig": {"enabled": False}}


def _shape(request: Document) -> Document:
    """Return a CreateNodegroup request: a warm pool is switched on by its presence."""
    pool = request.get("warmPoolConfig")
    switched = {"warmPoolConfig": {"enabled": True} | pool} if isinstance(pool, dict) else {}
    return {"nodegroupName": "named"} | request | switched


def _create(cloud: "Cloud", inputs: Document) -> str:
    name, cluster_name = inputs["nodeGroupName"], inputs["clusterName"]
    cluster = must_have_cluster(cloud, cluster_name)
    must_be_assumable(cloud, inputs["nodeRoleArn"], "ec2.amazonaws.com")
    template = template_of(cloud, inputs)
    refuse_launch(cloud, inputs, template, cluster)
    request = _shape(to_api(_FIELDS, inputs, "camel"))
    if template is not None and template.get("ImageId"):
        request |= {"amiType": "CUSTOM"}
    else:
        version = request.setdefault("version", cluster["version"])
        request.setdefault("amiType", _DEFAULT_AMI)
        request.setdefault("releaseVersion", f"{version}.0-20260101")
    at_once = {member: value for member, value in request.items() if member not in (*_LATE, *_NOT_IN_MOTO)}
    eks = cloud.client("eks")
    eks.create_nodegroup(**at_once, tags=inputs["tagsAll"])
    if late := {member: request[member] for member in _LATE if member in request}:
        eks.update_nodegroup_config(clusterName=cluster_name, nodegroupName=name, **late)
    kept = {member: request[member] for member in _NOT_IN_MOTO if member in request}
    if kept or cloud.store.get(NODE_GROUPS, key(cloud, cluster_name, name)):
        cloud.store.put(NODE_GROUPS, key(cloud, cluster_name, name), kept)
    return f"{cluster_name}:{name}"


def _described(cloud: "Cloud", cluster_name: str, name: str) -> dict[str, Any] | None:
    answer = found(cloud.client("eks").describe_nodegroup, clusterName=cluster_name, nodegroupName=name)
    if answer is None:
        return None
    kept = cloud.store.get(NODE_GROUPS, key(cloud, cluster_name, name)) or {}
    described: dict[str, Any] = _DEFAULTS | answer["nodegroup"] | kept
    return described


def _read(cloud: "Cloud", resource_id: str, known: Document) -> Found | None:
    cluster_name, _, name = resource_id.partition(":")
    described = _described(cloud, cluster_name, name)
    if described is None:
        return None
    outputs = from_api(_FIELDS, described, "camel") | {
        "resources": [
            {
                "autoscalingGroups": described["resources"]["autoScalingGroups"],
                "remoteAccessSecurityGroupId": described["resources"]["remoteAccessSecurityGroup"],
            },
        ],
        "tagsAll": tags_of(described),
    }
    return Found(resource_id, _without_fillings(cloud, outputs, known))


def _without_fillings(cloud: "Cloud", outputs: Document, known: Document) -> Document:
    """Drop what moto made up and the real service leaves out."""
    if outputs.get("remoteAccess", {}).get("ec2SshKey") == _MOTO_KEY:
        del outputs["remoteAccess"]
    if outputs.get("launchTemplate"):
        outputs.pop("diskSize", None)
        template = template_of(cloud, outputs, again=True) or {}
        if template.get("InstanceType") and not known.get("instanceTypes"):
            del outputs["instanceTypes"]
        if template.get("ImageId"):
            outputs.pop("version", None)
            outputs.pop("releaseVersion", None)
    if not outputs.get("labels"):
        outputs.pop("labels", None)
    return outputs


def _update(cloud: "Cloud", resource_id: str, old: Document, new: Document) -> None:
    cluster_name, _, name = resource_id.partition(":")
    refuse_versions(cloud, old, new)
    request = to_api(_FIELDS, new, "camel")
    before = to_api(_FIELDS, old, "camel")
    changed = {
        member: request.get(member, _DEFAULTS.get(member))
        for member in ("scalingConfig", *_LATE)
        if request.get(member, before.get(member)) != before.get(member)
    }
    changed |= _label_changes(old.get("labels") or {}, new.get("labels") or {})
    changed |= _taint_changes(before.get("taints") or [], request.get("taints") or [])
    if changed:
        cloud.client("eks").update_nodegroup_config(clusterName=cluster_name, nodegroupName=name, **changed)
    document = key(cloud, cluster_name, name)
    cloud.store.change(NODE_GROUPS, document, lambda was: _kept(was, old, new, _shape(request)))


def _kept(was: Document, old: Document, new: Document, request: Document) -> Document:
    """Return a group's document after an update: what moto has no call for."""
    document = {member: value for member, value in was.items() if member not in _NOT_IN_MOTO}
    document |= {member: request[member] for member in _NOT_IN_MOTO if member in request}
    if old.get("tagsAll") != new.get("tagsAll"):
        document["tags"] = new["tagsAll"]
    for member in ("version", "releaseVersion"):
        if member in new:
            document[member] = new[member]
    if "launchTemplate" in new:
        document["launchTemplate"] = {**(old.get("launchTemplate") or {}), **new["launchTemplate"]}
    return document


def _label_changes(old: Document, new: Document) -> Document:
    put = {name: value for name, value in new.items() if old.get(name) != value}
    removed = [name for name in old if name not in new]
    change = ({"addOrUpdateLabels": put} if put else {}) | ({"removeLabels": removed} if removed else {})
    return {"labels": change} if change else {}


def _taint_changes(old: list[Document], new: list[Document]) -> Document:
    """Return a taint change; a taint is the same one while key and effect are."""
    places = [(one["key"], one["effect"]) for one in new]
    removed = [one for one in old if (one["key"], one["effect"]) not in places]
    put = [one for one in new if one not in old]
    change = ({"addOrUpdateTaints": put} if put else {}) | ({"removeTaints": removed} if removed else {})
    return {"taints": change} if change else {}


def _delete(cloud: "Cloud", resource_id: str, _state: Document) -> None:
    cluster_name, _, name = resource_id.partition(":")
    gone(cloud.client("eks").delete_nodegroup, clusterName=cluster_name, nodegroupName=name)
    cloud.store.delete(NODE_GROUPS, key(cloud, cluster_name, name))


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:eks/nodeGroup:NodeGroup",
        fields=_FIELDS,
        sources=sources("aws_eks_node_group", "EKS UpdateNodegroupConfig"),
        spelling="camel",
        request=("eks", "CreateNodegroup"),
        shape=_shape,
        autoname=Autoname(field="nodeGroupName", limit=255, prefix="nodeGroupNamePrefix"),
        identity=("clusterName", "nodeGroupName"),
        imported=("amiType", "capacityType", "instanceTypes", "launchTemplate.id"),
        checks=CHECKS,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
