"""EKS access entry and add-on: moto has neither, so both live in the emulator's own store."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.naming import identifier
from gpulanes_lab.aws.services.calls import sources
from gpulanes_lab.aws.services.eks_calls import ACCESS_ENTRIES, ADDONS, key, must_have_cluster
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import REGION, TAGS, Failure, Found, Refused, Resource, computed, immutable, mutable, switch
from gpulanes_lab.aws.values import Document, at

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

_ENTRY: Final = (
    immutable("clusterName", required=True),
    immutable("principalArn", required=True),
    immutable("type", default="STANDARD"),
    mutable("kubernetesGroups", "strings", unordered=True, chosen=True),
    mutable("userName", api="username", chosen=True),
    REGION,
    *TAGS,
    computed("accessEntryArn"),
    computed("createdAt"),
    computed("modifiedAt"),
)
_ADDON: Final = (
    immutable("clusterName", required=True),
    immutable("addonName", required=True),
    mutable("addonVersion", chosen=True),
    mutable("configurationValues", chosen=True),
    mutable(
        "podIdentityAssociations",
        "blocks",
        unordered=True,
        fields=(mutable("roleArn", required=True), mutable("serviceAccount", required=True)),
    ),
    mutable("serviceAccountRoleArn"),
    switch("preserve"),
    switch("resolveConflictsOnCreate", "string"),
    switch("resolveConflictsOnUpdate", "string"),
    REGION,
    *TAGS,
    computed("arn", api="addonArn"),
    computed("createdAt"),
    computed("modifiedAt"),
)
# Source: EKS CreateAccessEntry: only STANDARD entries take groups and a name of their own; nodes get theirs.
_NODE_GROUPS: Final = {"EC2_LINUX": ["system:nodes"], "EC2_WINDOWS": ["system:nodes", "eks:kube-proxy-windows"]}
_RESOLVE: Final = {
    "resolveConflictsOnCreate": ("NONE", "OVERWRITE"),
    "resolveConflictsOnUpdate": ("NONE", "OVERWRITE", "PRESERVE"),
}


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _check_entry(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    if inputs.get("type") == "STANDARD":
        return
    for name in ("kubernetesGroups", "userName"):
        if inputs.get(name):
            yield Failure(name, f"cannot be given for an entry of type {inputs.get('type')}")


def _create_entry(cloud: "Cloud", inputs: Document) -> str:
    name, principal = inputs["clusterName"], inputs["principalArn"]
    mode = at(must_have_cluster(cloud, name), "accessConfig.authenticationMode")
    if mode not in ("API", "API_AND_CONFIG_MAP"):
        reason = "The cluster's authentication mode must be set to one of [API, API_AND_CONFIG_MAP]"
        message = f"InvalidRequestException: {reason} to perform this operation (it is {mode})"
        raise Refused(message)
    if cloud.store.get(ACCESS_ENTRIES, key(cloud, name, principal)):
        message = "ResourceInUseException: The specified access entry resource is already in use on this cluster."
        raise Refused(message)
    kind = inputs["type"]
    described = to_api(_ENTRY, inputs, "camel") | {
        "accessEntryArn": cloud.arn("eks", f"access-entry/{name}/{identifier('ae')}"),
        "createdAt": _now(),
        "modifiedAt": _now(),
        "tags": inputs["tagsAll"],
    }
    described.setdefault("kubernetesGroups", _NODE_GROUPS.get(kind, []))
    described.setdefault("username", principal if kind == "STANDARD" else "system:node:{{EC2PrivateDNSName}}")
    cloud.store.put(ACCESS_ENTRIES, key(cloud, name, principal), described)
    return f"{name}:{principal}"


def _read_entry(cloud: "Cloud", resource_id: str, _known: Document) -> Found | None:
    return _read(cloud, ACCESS_ENTRIES, resource_id)


def _read(cloud: "Cloud", kind: str, resource_id: str) -> Found | None:
    described = cloud.store.get(kind, key(cloud, resource_id))
    if described is None:
        return None
    fields = _ENTRY if kind == ACCESS_ENTRIES else _ADDON
    return Found(resource_id, from_api(fields, described, "camel") | {"tagsAll": described["tags"]})


def _update_entry(cloud: "Cloud", resource_id: str, _old: Document, new: Document) -> None:
    changed = {name: new[name] for name in ("kubernetesGroups",) if name in new}
    changed |= {"username": new["userName"]} if new.get("userName") else {}
    changed |= {"tags": new["tagsAll"], "modifiedAt": _now()}
    cloud.store.change(ACCESS_ENTRIES, key(cloud, resource_id), lambda was: was | changed)


def _delete_entry(cloud: "Cloud", resource_id: str, _state: Document) -> None:
    cloud.store.delete(ACCESS_ENTRIES, key(cloud, resource_id))


def _check_addon(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    for name, allowed in _RESOLVE.items():
        if isinstance(inputs.get(name), str) and inputs[name] not in allowed:
            yield Failure(name, f"{inputs[name]!r} is not one of {', '.join(allowed)}")


def _create_addon(cloud: "Cloud", inputs: Document) -> str:
    cluster, addon = inputs["clusterName"], inputs["addonName"]
    described_cluster = must_have_cluster(cloud, cluster)
    if cloud.store.get(ADDONS, key(cloud, cluster, addon)):
        message = "ResourceInUseException: Addon already exists."
        raise Refused(message)
    described = to_api(_ADDON, inputs, "camel") | {
        "addonArn": cloud.arn("eks", f"addon/{cluster}/{addon}/{identifier('a')}"),
        "createdAt": _now(),
        "modifiedAt": _now(),
        "tags": inputs["tagsAll"],
    }
    described.setdefault("addonVersion", f"v{described_cluster['version']}.0-eksbuild.1")
    cloud.store.put(ADDONS, key(cloud, cluster, addon), described)
    return f"{cluster}:{addon}"


def _read_addon(cloud: "Cloud", resource_id: str, _known: Document) -> Found | None:
    return _read(cloud, ADDONS, resource_id)


def _update_addon(cloud: "Cloud", resource_id: str, _old: Document, new: Document) -> None:
    changed = to_api(_ADDON, new, "camel") | {"tags": new["tagsAll"], "modifiedAt": _now()}
    optional = ("podIdentityAssociations", "serviceAccountRoleArn")

    def change(was: Document) -> Document:
        return {name: value for name, value in was.items() if name not in optional} | changed

    cloud.store.change(ADDONS, key(cloud, resource_id), change)


def _delete_addon(cloud: "Cloud", resource_id: str, _state: Document) -> None:
    cloud.store.delete(ADDONS, key(cloud, resource_id))


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:eks/accessEntry:AccessEntry",
        fields=_ENTRY,
        sources=sources("aws_eks_access_entry", "EKS UpdateAccessEntry"),
        spelling="camel",
        request=("eks", "CreateAccessEntry"),
        identity=("clusterName", "principalArn"),
        checks=(_check_entry,),
        create=_create_entry,
        read=_read_entry,
        update=_update_entry,
        delete=_delete_entry,
    ),
    Resource(
        type="aws:eks/addon:Addon",
        fields=_ADDON,
        sources=sources("aws_eks_addon", "EKS UpdateAddon"),
        spelling="camel",
        request=("eks", "CreateAddon"),
        identity=("clusterName", "addonName"),
        checks=(_check_addon,),
        create=_create_addon,
        read=_read_addon,
        update=_update_addon,
        delete=_delete_addon,
    ),
)
