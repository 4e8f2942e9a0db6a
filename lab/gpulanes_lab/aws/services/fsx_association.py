"""FSx data repository association: moto has none, so it lives in the emulator's own store."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.naming import identifier
from gpulanes_lab.aws.services.calls import found, sources
from gpulanes_lab.aws.services.fsx import ASSOCIATIONS, described, linked
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import REGION, TAGS, Failure, Found, Refused, Resource, computed, immutable, mutable, switch
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: FSx for Lustre user guide, "a maximum of 8 data repository associations".
_MOST: Final = 8

_EVENTS: Final = (mutable("events", "strings", unordered=True),)
_S3: Final = (
    mutable("autoExportPolicy", "block", fields=_EVENTS, chosen=True),
    mutable("autoImportPolicy", "block", fields=_EVENTS, chosen=True),
)
_FIELDS: Final = (
    immutable("fileSystemId", required=True),
    immutable("fileSystemPath", required=True),
    immutable("dataRepositoryPath", required=True),
    immutable("batchImportMetaDataOnCreate", "boolean", default=False),
    mutable("importedFileChunkSize", "integer", chosen=True),
    mutable("s3", "block", api="S3", fields=_S3, chosen=True),
    switch("deleteDataInFilesystem", default=False),
    REGION,
    *TAGS,
    computed("arn", api="ResourceARN"),
    computed("associationId"),
)


def _check_paths(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    path, repository = inputs.get("fileSystemPath"), inputs.get("dataRepositoryPath")
    if isinstance(path, str) and not path.startswith("/"):
        yield Failure("fileSystemPath", f"{path!r} must start with /")
    if isinstance(repository, str) and not repository.startswith("s3://"):
        yield Failure("dataRepositoryPath", f"{repository!r} must start with s3://")


def _refuse(cloud: "Cloud", inputs: Document, system: dict[str, Any]) -> Iterator[str]:
    """Yield why FSx would not link the file system. Source: FSx CreateDataRepositoryAssociation."""
    lustre = system["LustreConfiguration"]
    if lustre.get("DeploymentType") == "SCRATCH_1":
        yield "data repository associations are not supported on SCRATCH_1"
    if system.get("StorageType") == "INTELLIGENT_TIERING":
        yield "data repository associations are not supported on INTELLIGENT_TIERING"
    if lustre.get("AutomaticBackupRetentionDays"):
        yield "automatic backups are on: file systems linked to S3 cannot have backups"
    yield from _refuse_beside(inputs, linked(cloud, inputs["fileSystemId"]))
    bucket = inputs["dataRepositoryPath"].removeprefix("s3://").split("/", 1)[0]
    if found(cloud.client("s3").head_bucket, Bucket=bucket) is None:
        yield f"bucket {bucket} does not exist"


def _refuse_beside(inputs: Document, others: list[Document]) -> Iterator[str]:
    if len(others) >= _MOST:
        yield f"a file system has at most {_MOST} associations"
    for other in others:
        if _overlap(inputs["fileSystemPath"], other["FileSystemPath"]):
            yield f"fileSystemPath {inputs['fileSystemPath']} overlaps {other['FileSystemPath']}"
        if _overlap(inputs["dataRepositoryPath"], other["DataRepositoryPath"]):
            yield f"dataRepositoryPath {inputs['dataRepositoryPath']} overlaps {other['DataRepositoryPath']}"


def _overlap(one: str, other: str) -> bool:
    first, second = one.rstrip("/") + "/", other.rstrip("/") + "/"
    return first.startswith(second) or second.startswith(first)


def _create(cloud: "Cloud", inputs: Document) -> str:
    system = described(cloud, inputs["fileSystemId"])
    if system is None:
        message = f"FileSystemNotFound: {inputs['fileSystemId']}"
        raise Refused(message)
    if reasons := list(_refuse(cloud, inputs, system)):
        message = f"BadRequest: {'; '.join(reasons)}"
        raise Refused(message)
    association_id = identifier("dra")
    document = to_api(_FIELDS, inputs) | {
        "AssociationId": association_id,
        "ResourceARN": cloud.arn("fsx", f"association/{inputs['fileSystemId']}/{association_id}"),
        "Lifecycle": "AVAILABLE",
        "Tags": inputs["tagsAll"],
    }
    document.setdefault("ImportedFileChunkSize", 1024)
    cloud.store.put(ASSOCIATIONS, f"{cloud.region}:{association_id}", document)
    return association_id


def _read(cloud: "Cloud", association_id: str, _known: Document) -> Found | None:
    document = cloud.store.get(ASSOCIATIONS, f"{cloud.region}:{association_id}")
    if document is None:
        return None
    return Found(association_id, from_api(_FIELDS, document) | {"tagsAll": document["Tags"]})


def _update(cloud: "Cloud", association_id: str, _old: Document, new: Document) -> None:
    changed = to_api(_FIELDS, {name: new[name] for name in ("importedFileChunkSize", "s3") if name in new})
    changed |= {"Tags": new["tagsAll"]}
    cloud.store.change(ASSOCIATIONS, f"{cloud.region}:{association_id}", lambda was: was | changed)


def _delete(cloud: "Cloud", association_id: str, _state: Document) -> None:
    cloud.store.delete(ASSOCIATIONS, f"{cloud.region}:{association_id}")


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation",
        fields=_FIELDS,
        sources=sources("aws_fsx_data_repository_association", "FSx UpdateDataRepositoryAssociation"),
        request=("fsx", "CreateDataRepositoryAssociation"),
        identity=("fileSystemId", "fileSystemPath"),
        checks=(_check_paths,),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
