"""EKS cluster: moto keeps the core, the emulator's store what moto drops, the lab's API server is its endpoint."""

from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.services.calls import sources
from gpulanes_lab.aws.services.eks_calls import (
    ACCESS_ENTRIES,
    ADDONS,
    CLUSTERS,
    cluster,
    key,
    must_be_assumable,
    subnets,
    tags_of,
)
from gpulanes_lab.aws.services.eks_cluster_checks import CHECKS, refuse_update
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import (
    REGION,
    TAGS,
    Autoname,
    Found,
    Refused,
    Resource,
    computed,
    immutable,
    mutable,
    switch,
)
from gpulanes_lab.aws.tagging import changes
from gpulanes_lab.aws.values import Document, at

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

_NEWEST: Final = "1.35"
"""What EKS picks when the program names no version; the lab's choice, the real one moves."""

_VPC: Final = (
    mutable("subnetIds", "strings", required=True, unordered=True),
    mutable("securityGroupIds", "strings", unordered=True),
    mutable("endpointPrivateAccess", "boolean", default=False),
    mutable("endpointPublicAccess", "boolean", default=True),
    mutable("publicAccessCidrs", "strings", unordered=True, chosen=True),
    computed("clusterSecurityGroupId"),
    computed("vpcId"),
)
_ACCESS: Final = (
    mutable("authenticationMode", chosen=True),
    immutable("bootstrapClusterCreatorAdminPermissions", "boolean", default=True),
)
_COMPUTE: Final = (
    mutable("enabled", "boolean"),
    mutable("nodePools", "strings", unordered=True),
    mutable("nodeRoleArn"),
)
_ENCRYPTION: Final = (
    mutable("provider", "block", required=True, fields=(mutable("keyArn", required=True),)),
    mutable("resources", "strings", required=True, unordered=True),
)
_ENABLED: Final = (mutable("enabled", "boolean"),)
_NETWORK: Final = (
    mutable("elasticLoadBalancing", "block", fields=_ENABLED, chosen=True),
    immutable("ipFamily", chosen=True),
    immutable("serviceIpv4Cidr", chosen=True),
    computed("serviceIpv6Cidr"),
)
_FIELDS: Final = (
    immutable("name", chosen=True),
    immutable("roleArn", required=True),
    mutable("version", chosen=True, source="EKS UpdateClusterVersion"),
    mutable("vpcConfig", "block", api="resourcesVpcConfig", required=True, fields=_VPC),
    mutable("accessConfig", "block", fields=_ACCESS, chosen=True),
    immutable("bootstrapSelfManagedAddons", "boolean", default=True),
    mutable("computeConfig", "block", fields=_COMPUTE),
    mutable("deletionProtection", "boolean", chosen=True),
    mutable("enabledClusterLogTypes", "strings", api="", unordered=True),
    mutable("encryptionConfig", "block", fields=_ENCRYPTION, source="EKS AssociateEncryptionConfig"),
    mutable("kubernetesNetworkConfig", "block", fields=_NETWORK, chosen=True),
    mutable("storageConfig", "block", fields=(mutable("blockStorage", "block", fields=_ENABLED),)),
    mutable("upgradePolicy", "block", fields=(mutable("supportType", chosen=True),), chosen=True),
    mutable("zonalShiftConfig", "block", fields=_ENABLED),
    switch("forceUpdateVersion"),
    REGION,
    *TAGS,
    computed("arn"),
    computed("certificateAuthority", "block", fields=(computed("data"),)),
    computed("createdAt", api=""),
    computed("endpoint"),
    computed("identities", "blocks", api=""),
    computed("platformVersion"),
    computed("status"),
)
# moto stores these; the rest of a cluster's configuration it drops.
_IN_MOTO: Final = frozenset(
    {"name", "version", "roleArn", "resourcesVpcConfig", "kubernetesNetworkConfig", "logging", "encryptionConfig"},
)


def _shape(request: Document) -> Document:
    """Return a CreateCluster request: encryption is a list there."""
    encryption = request.get("encryptionConfig")
    listed = {"encryptionConfig": [encryption]} if isinstance(encryption, dict) else {}
    return request | listed


def _logging(types: list[str]) -> Document:
    return {"clusterLogging": [{"types": sorted(types), "enabled": True}]} if types else {"clusterLogging": []}


def _create(cloud: "Cloud", inputs: Document) -> str:
    name: str = inputs["name"]
    must_be_assumable(cloud, inputs["roleArn"], "eks.amazonaws.com")
    found = subnets(cloud, inputs["vpcConfig"]["subnetIds"])
    if len({one["AvailabilityZone"] for one in found}) < 2:  # noqa: PLR2004 - EKS: two zones
        message = "InvalidParameterException: Subnets specified must be in at least two different AZs"
        raise Refused(message)
    if len({one["VpcId"] for one in found}) != 1:
        message = "InvalidParameterException: Subnets must be in the same VPC"
        raise Refused(message)
    request = _shape(to_api(_FIELDS, inputs, "camel"))
    request.setdefault("version", _NEWEST)
    logging = _logging(inputs.get("enabledClusterLogTypes") or [])
    in_moto = {member: value for member, value in request.items() if member in _IN_MOTO}
    cloud.client("eks").create_cluster(**in_moto, logging=logging, tags=inputs["tagsAll"])
    _remember(cloud, name, request, found[0]["VpcId"])
    return name


def _remember(cloud: "Cloud", name: str, request: Document, vpc_id: str) -> None:
    """Store what moto drops, with EKS's own choices where the program made none."""
    kept = {member: value for member, value in request.items() if member not in _IN_MOTO}
    ec2 = cloud.client("ec2")
    group_id = ec2.create_security_group(
        GroupName=f"eks-cluster-sg-{name}",
        Description="EKS created security group applied to ENI that is attached to EKS Control Plane master nodes",
        VpcId=vpc_id,
    )["GroupId"]
    to_itself = {"IpProtocol": "-1", "UserIdGroupPairs": [{"GroupId": group_id}]}
    ec2.authorize_security_group_ingress(GroupId=group_id, IpPermissions=[to_itself])
    balancing = at(request, "kubernetesNetworkConfig.elasticLoadBalancing") or {"enabled": False}
    document = {
        "accessConfig": {"authenticationMode": "CONFIG_MAP", "bootstrapClusterCreatorAdminPermissions": True}
        | kept.get("accessConfig", {}),
        "upgradePolicy": {"supportType": "EXTENDED"} | kept.get("upgradePolicy", {}),
        "deletionProtection": kept.get("deletionProtection", False),
        "resourcesVpcConfig": {
            "vpcId": vpc_id,
            "clusterSecurityGroupId": group_id,
            "endpointPublicAccess": True,
            "endpointPrivateAccess": False,
            "publicAccessCidrs": ["0.0.0.0/0"],
        }
        | request["resourcesVpcConfig"],
        "kubernetesNetworkConfig": {
            "ipFamily": "ipv4",
            "serviceIpv4Cidr": "172.20.0.0/16",
            "elasticLoadBalancing": balancing,
        },
    }
    cloud.store.put(CLUSTERS, key(cloud, name), kept | document)


def _read(cloud: "Cloud", name: str, _known: Document) -> Found | None:
    described = cluster(cloud, name)
    if described is None:
        return None
    encryption = described.pop("encryptionConfig", None)
    described["encryptionConfig"] = encryption[0] if encryption else None
    logs = [log for log in described["logging"].get("clusterLogging", []) if log["enabled"]]
    outputs = from_api(_FIELDS, described, "camel") | {
        "createdAt": described["createdAt"].strftime("%Y-%m-%dT%H:%M:%SZ"),
        "enabledClusterLogTypes": [kind for log in logs for kind in log["types"]],
        "identities": [{"oidcs": [{"issuer": described["identity"]["oidc"]["issuer"]}]}],
        "tagsAll": tags_of(described),
    }
    around = cloud.around
    if around.kube_endpoint:
        outputs["endpoint"] = around.kube_endpoint
    if around.kube_ca:
        outputs["certificateAuthority"] = {"data": around.kube_ca}
    return Found(name, outputs)


def _update(cloud: "Cloud", name: str, old: Document, new: Document) -> None:
    refuse_update(old, new)
    eks = cloud.client("eks")
    wanted = _shape(to_api(_FIELDS, new, "camel"))
    vpc = at(new, "vpcConfig")
    if vpc != old.get("vpcConfig"):
        subnets(cloud, vpc["subnetIds"])
        eks.update_cluster_config(name=name, resourcesVpcConfig=wanted["resourcesVpcConfig"])
    types = new.get("enabledClusterLogTypes") or []
    if sorted(types) != sorted(old.get("enabledClusterLogTypes") or []):
        # moto ignores an empty list: an entry that is off says the same.
        off = {"clusterLogging": [{"types": old.get("enabledClusterLogTypes"), "enabled": False}]}
        eks.update_cluster_config(name=name, logging=_logging(types) if types else off)
    kept = {member: value for member, value in wanted.items() if member not in _IN_MOTO}
    kept |= {member: wanted[member] for member in ("version", "encryptionConfig") if member in wanted}
    cloud.store.change(CLUSTERS, key(cloud, name), lambda was: _changed(was, kept, wanted))
    put, removed = changes(old, new)
    arn = old["arn"]
    if put:
        eks.tag_resource(resourceArn=arn, tags=put)
    if removed:
        eks.untag_resource(resourceArn=arn, tagKeys=removed)


def _changed(was: Document, kept: Document, wanted: Document) -> Document:
    """Return a cluster's document after an update: blocks keep what the program leaves to EKS."""
    blocks = ("resourcesVpcConfig", "kubernetesNetworkConfig")
    optional = ("computeConfig", "storageConfig", "zonalShiftConfig", "encryptionConfig")
    document = {name: value for name, value in was.items() if name not in optional}
    for name, value in kept.items():
        document[name] = {**document.get(name, {}), **value} if isinstance(value, dict) else value
    for name in blocks:
        document[name] = document[name] | wanted.get(name, {})
    return document


def _delete(cloud: "Cloud", name: str, _state: Document) -> None:
    described = cluster(cloud, name)
    if described is None:
        return
    if described.get("deletionProtection"):
        message = f"InvalidRequestException: Cluster {name} has deletion protection on; turn it off first"
        raise Refused(message)
    cloud.client("eks").delete_cluster(name=name)
    group_id = at(described, "resourcesVpcConfig.clusterSecurityGroupId")
    if group_id:
        cloud.client("ec2").delete_security_group(GroupId=group_id)
    cloud.store.delete(CLUSTERS, key(cloud, name))
    for kind in (ACCESS_ENTRIES, ADDONS):
        for one in cloud.store.keys(kind):
            if one.startswith(f"{key(cloud, name)}:"):
                cloud.store.delete(kind, one)


def _forces(old: Document, new: Document) -> frozenset[str]:
    """Source: terraform-provider-aws aws_eks_cluster CustomizeDiff."""
    forced = set()
    if old.get("encryptionConfig") and not new.get("encryptionConfig"):
        forced.add("encryptionConfig")
    before = at(old, "computeConfig.nodeRoleArn")
    if before and new.get("computeConfig") and at(new, "computeConfig.nodeRoleArn") != before:
        forced.add("computeConfig.nodeRoleArn")
    return frozenset(forced)


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:eks/cluster:Cluster",
        fields=_FIELDS,
        sources=sources("aws_eks_cluster", "EKS UpdateClusterConfig"),
        spelling="camel",
        request=("eks", "CreateCluster"),
        shape=_shape,
        autoname=Autoname(field="name", limit=100),
        identity=("name",),
        forces=_forces,
        checks=CHECKS,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
