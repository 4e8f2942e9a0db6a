"""FSx for Lustre file system: moto stores what was asked, the emulator's store what was changed since."""

from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.services.calls import gone, sources
from gpulanes_lab.aws.services.eks_calls import subnets
from gpulanes_lab.aws.services.fsx_checks import CHECKS
from gpulanes_lab.aws.shapes import from_api, member, to_api
from gpulanes_lab.aws.table import REGION, TAGS, Found, Refused, Resource, computed, immutable, mutable, switch
from gpulanes_lab.aws.tagging import changes, listed, mapped
from gpulanes_lab.aws.values import Document, at

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

STORE: Final = "fsx-file-system"
ASSOCIATIONS: Final = "fsx-data-repository-association"

_LOGS: Final = (mutable("destination", chosen=True), mutable("level"))
_METADATA: Final = (mutable("iops", "integer", chosen=True), mutable("mode", chosen=True))
_SQUASH: Final = (mutable("noSquashNids", "strings", unordered=True), mutable("rootSquash"))
_READ_CACHE: Final = (mutable("size", "integer", api="SizeGiB"), mutable("sizingMode", required=True))
_LUSTRE: Final = (
    mutable("autoImportPolicy", chosen=True),
    mutable("automaticBackupRetentionDays", "integer", chosen=True),
    immutable("copyTagsToBackups", "boolean", default=False),
    mutable("dailyAutomaticBackupStartTime", chosen=True),
    mutable("dataCompressionType", default="NONE"),
    mutable("dataReadCacheConfiguration", "block", fields=_READ_CACHE, chosen=True),
    immutable("deploymentType", default="SCRATCH_1"),
    immutable("driveCacheType"),
    immutable("efaEnabled", "boolean", chosen=True),
    immutable("exportPath", chosen=True),
    immutable("importPath"),
    immutable("importedFileChunkSize", "integer", chosen=True),
    mutable("logConfiguration", "block", fields=_LOGS, chosen=True),
    mutable("metadataConfiguration", "block", fields=_METADATA, chosen=True),
    mutable("perUnitStorageThroughput", "integer"),
    mutable("rootSquashConfiguration", "block", fields=_SQUASH),
    mutable("throughputCapacity", "integer"),
    mutable("weeklyMaintenanceStartTime", chosen=True),
)
_SYSTEM: Final = (
    immutable("backupId"),
    immutable("fileSystemTypeVersion", chosen=True),
    immutable("kmsKeyId", chosen=True),
    immutable("securityGroupIds", "strings", unordered=True),
    mutable("storageCapacity", "integer"),
    immutable("storageType", default="SSD"),
)
_FIELDS: Final = (
    immutable("subnetIds", api="SubnetIds", required=True),
    *_SYSTEM,
    *_LUSTRE,
    switch("finalBackupTags", "map"),
    switch("skipFinalBackup", default=True),
    REGION,
    *TAGS,
    computed("arn", api="ResourceARN"),
    computed("dnsName", api="DNSName"),
    computed("mountName", api=""),
    computed("networkInterfaceIds", "strings", api=""),
    computed("ownerId", api=""),
    computed("vpcId", api=""),
)
_SYSTEM_MEMBERS: Final = frozenset(member(one, "pascal") for one in _SYSTEM) - {"BackupId"}
# What goes away when the program no longer names it; the rest is FSx's choice then.
_OPTIONAL: Final = tuple(member(one, "pascal") for one in _LUSTRE if one.change == "mutable" and not one.chosen)
# FSx's own choices. Source: FSx CreateFileSystem and the FSx for Lustre user guide.
_CHOICES: Final = {"WeeklyMaintenanceStartTime": "1:00:00"}


def _shape(request: Document) -> Document:
    """Return a CreateFileSystem request: Lustre's own settings in their envelope, the one subnet as a list."""
    subnet = request.get("SubnetIds")
    system = {name: request[name] for name in _SYSTEM_MEMBERS if name in request}
    beside = (*_SYSTEM_MEMBERS, "SubnetIds", "BackupId")
    lustre = {name: value for name, value in request.items() if name not in beside}
    return {"FileSystemType": "LUSTRE", "SubnetIds": [subnet], "LustreConfiguration": lustre} | system


def _create(cloud: "Cloud", inputs: Document) -> str:
    subnet = subnets(cloud, [inputs["subnetIds"]])[0]
    if inputs.get("backupId"):
        message = f"BackupNotFound: {inputs['backupId']} (the lab keeps no backups)"
        raise Refused(message)
    answer = cloud.client("fsx").create_file_system(**_shape(to_api(_FIELDS, inputs)), Tags=listed(inputs["tagsAll"]))
    system_id: str = answer["FileSystem"]["FileSystemId"]
    scratch_1 = inputs["deploymentType"] == "SCRATCH_1"
    document = {
        "VpcId": subnet["VpcId"],
        "FileSystemTypeVersion": inputs.get("fileSystemTypeVersion", "2.15"),
        "MountName": "fsx" if scratch_1 else system_id.removeprefix("fs-"),
        "Lifecycle": "AVAILABLE",
        "SecurityGroupIds": inputs.get("securityGroupIds", []),
        "Lustre": {},
    }
    cloud.store.put(STORE, f"{cloud.region}:{system_id}", document)
    return system_id


def described(cloud: "Cloud", system_id: str) -> dict[str, Any] | None:
    """Return a file system as FSx describes it now (moto gives no life cycle), or None when there is none."""
    found = cloud.client("fsx").describe_file_systems(FileSystemIds=[system_id])["FileSystems"]
    if not found:
        return None
    kept = cloud.store.get(STORE, f"{cloud.region}:{system_id}") or {}
    system: dict[str, Any] = {"Lifecycle": "AVAILABLE"} | found[0]
    lustre = {**_CHOICES, **system["LustreConfiguration"], **kept.get("Lustre", {})}
    system |= {name: value for name, value in kept.items() if name != "Lustre"}
    return system | {"LustreConfiguration": lustre}


def _read(cloud: "Cloud", system_id: str, _known: Document) -> Found | None:
    system = described(cloud, system_id)
    if system is None or system["Lifecycle"] != "AVAILABLE":
        return None
    flat = {**system, **system["LustreConfiguration"]}
    metadata = flat.get("MetadataConfiguration")
    if metadata and metadata.get("Mode") == "AUTOMATIC":
        flat["MetadataConfiguration"] = {"Iops": _automatic_iops(system["StorageCapacity"])} | metadata
    outputs = from_api(_FIELDS, flat) | {
        "subnetIds": system["SubnetIds"][0],
        "mountName": system.get("MountName", system_id.removeprefix("fs-")),
        "networkInterfaceIds": [f"eni-{system_id.removeprefix('fs-')}"],
        "ownerId": cloud.account,
        "vpcId": system.get("VpcId") or subnets(cloud, system["SubnetIds"])[0]["VpcId"],
        "tagsAll": mapped(system.get("Tags")),
    }
    return Found(system_id, outputs)


def _automatic_iops(capacity: int) -> int:
    """Source: FSx for Lustre user guide, metadata IOPS in Automatic mode by storage capacity."""
    for most, iops in ((1200, 1500), (2400, 3000), (9600, 6000), (45600, 12000)):
        if capacity <= most:
            return iops
    return 12000 * -(-capacity // 24000)


def _update(cloud: "Cloud", system_id: str, old: Document, new: Document) -> None:
    """Change a file system: moto has no UpdateFileSystem, so the change lives in the emulator's store."""
    if old.get("efaEnabled") and old.get("perUnitStorageThroughput") != new.get("perUnitStorageThroughput"):
        message = "BadRequest: the throughput of an EFA-enabled file system cannot be changed"
        raise Refused(message)
    days = new.get("automaticBackupRetentionDays")
    if days and linked(cloud, system_id):
        message = "BadRequest: automatic backups are not supported on file systems linked to S3"
        raise Refused(message)
    wanted = to_api([one for one in _LUSTRE if one.change == "mutable"], new)

    def change(was: Document) -> Document:
        lustre = {**was.get("Lustre", {}), **dict.fromkeys(_OPTIONAL), **wanted}
        return was | {"Lustre": lustre, "StorageCapacity": new.get("storageCapacity", old.get("storageCapacity"))}

    cloud.store.change(STORE, f"{cloud.region}:{system_id}", change)
    put, removed = changes(old, new)
    fsx = cloud.client("fsx")
    if put:
        fsx.tag_resource(ResourceARN=old["arn"], Tags=listed(put))
    if removed:
        fsx.untag_resource(ResourceARN=old["arn"], TagKeys=removed)


def linked(cloud: "Cloud", system_id: str) -> list[Document]:
    """Return the data repository associations of a file system."""
    every = (cloud.store.get(ASSOCIATIONS, one) for one in cloud.store.keys(ASSOCIATIONS))
    return [one for one in every if one and one["FileSystemId"] == system_id]


def _delete(cloud: "Cloud", system_id: str, _state: Document) -> None:
    gone(cloud.client("fsx").delete_file_system, FileSystemId=system_id)
    cloud.store.delete(STORE, f"{cloud.region}:{system_id}")
    for one in linked(cloud, system_id):
        cloud.store.delete(ASSOCIATIONS, f"{cloud.region}:{one['AssociationId']}")


def _forces(old: Document, new: Document) -> frozenset[str]:
    """Source: terraform-provider-aws aws_fsx_lustre_file_system CustomizeDiff."""
    forced = set()
    before, after = old.get("storageCapacity"), new.get("storageCapacity")
    shrinks = isinstance(before, int) and isinstance(after, int) and after < before
    if shrinks or (before != after and new.get("deploymentType") == "SCRATCH_1"):
        forced.add("storageCapacity")
    was, wanted = at(old, "metadataConfiguration.iops"), at(new, "metadataConfiguration.iops")
    if isinstance(was, int) and isinstance(wanted, int) and wanted < was:
        forced.add("metadataConfiguration.iops")
    return frozenset(forced)


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:fsx/lustreFileSystem:LustreFileSystem",
        fields=_FIELDS,
        sources=sources("aws_fsx_lustre_file_system", "FSx UpdateFileSystem"),
        request=("fsx", "CreateFileSystem"),
        shape=_shape,
        envelope=("LustreConfiguration",),
        forces=_forces,
        checks=CHECKS,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
