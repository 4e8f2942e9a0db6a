"""What FSx refuses of a Lustre file system beyond its model: the grids of capacity, throughput and metadata."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.table import Check, Failure
from gpulanes_lab.aws.values import UNKNOWN, Document, at

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: FSx CreateFileSystem StorageCapacity and PerUnitStorageThroughput (botocore model documentation).
_THROUGHPUT: Final = {
    ("PERSISTENT_1", "SSD"): (50, 100, 200),
    ("PERSISTENT_1", "HDD"): (12, 40),
    ("PERSISTENT_2", "SSD"): (125, 250, 500, 1000),
}
_SMALLEST: Final = 1200
_STEP: Final = 2400
_SCRATCH_1_STEP: Final = 3600
_HDD_STEP: Final = {12: 6000, 40: 1800}
# Source: FSx for Lustre user guide, EFA-enabled file systems: increments by throughput per unit of storage.
_EFA_STEP: Final = {1000: 4800, 500: 9600, 250: 19200, 125: 38400}
# Source: FSx CreateFileSystemLustreMetadataConfiguration Iops.
_METADATA: Final = (1500, 3000, 6000, *range(12000, 192001, 12000))
_TIERING_STEP: Final = 4000


def _persistent(inputs: Document) -> bool:
    return str(inputs.get("deploymentType", "")).startswith("PERSISTENT")


def _check_throughput(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    deployment, storage = inputs.get("deploymentType"), inputs.get("storageType", "SSD")
    given = inputs.get("perUnitStorageThroughput")
    if UNKNOWN in (deployment, storage, given):
        return
    if storage == "INTELLIGENT_TIERING":
        yield from _tiering(inputs)
        return
    legal = _THROUGHPUT.get((str(deployment), str(storage)))
    if legal is None:
        if _persistent(inputs):
            yield Failure("storageType", f"{deployment} has no {storage} storage")
        elif given is not None:
            yield Failure("perUnitStorageThroughput", f"cannot be given for {deployment}, only for PERSISTENT types")
    elif given is None:
        yield Failure("perUnitStorageThroughput", f"is required for {deployment} (one of {_listed(legal)} MB/s/TiB)")
    elif given not in legal:
        yield Failure("perUnitStorageThroughput", f"{given}: {deployment} {storage} takes {_listed(legal)} MB/s/TiB")


def _tiering(inputs: Document) -> Iterator[Failure]:
    if inputs.get("deploymentType") != "PERSISTENT_2":
        yield Failure("storageType", "INTELLIGENT_TIERING needs PERSISTENT_2")
    given = inputs.get("throughputCapacity")
    if given is None:
        yield Failure("throughputCapacity", "is required for INTELLIGENT_TIERING")
    elif given is not UNKNOWN and given % _TIERING_STEP:
        yield Failure("throughputCapacity", f"{given}: a multiple of {_TIERING_STEP} MB/s")
    for name in ("storageCapacity", "perUnitStorageThroughput"):
        if inputs.get(name) is not None:
            yield Failure(name, "cannot be given for INTELLIGENT_TIERING")


def _check_capacity(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    size, storage = inputs.get("storageCapacity"), inputs.get("storageType", "SSD")
    if size is UNKNOWN or storage in (UNKNOWN, "INTELLIGENT_TIERING"):
        return
    if size is None:
        if inputs.get("backupId") is None:
            yield Failure("storageCapacity", "is required")
        return
    small, step = _grid(inputs)
    if size % step and size not in small:
        legal = ", ".join(str(one) for one in small)
        legal = f"{legal} or a multiple of {step}" if legal else f"a multiple of {step}"
        above = min((one for one in (*small, -(-size // step) * step) if one >= size), default=step)
        yield Failure("storageCapacity", f"{size} GiB: {legal} GiB; the next legal size is {above}")


def _grid(inputs: Document) -> tuple[tuple[int, ...], int]:
    """Return the sizes below the grid, and the grid's step, in GiB."""
    throughput = inputs.get("perUnitStorageThroughput")
    if inputs.get("storageType") == "HDD":
        return (), _HDD_STEP.get(throughput if isinstance(throughput, int) else 0, _HDD_STEP[40])
    if inputs.get("efaEnabled") is True and throughput in _EFA_STEP:
        return (), _EFA_STEP[throughput]
    if inputs.get("deploymentType") == "SCRATCH_1":
        return (_SMALLEST, _STEP), _SCRATCH_1_STEP
    return (_SMALLEST,), _STEP


def _check_fabric(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    deployment, metadata = inputs.get("deploymentType"), inputs.get("metadataConfiguration")
    if deployment is UNKNOWN:
        return
    if inputs.get("efaEnabled") is True:
        if deployment != "PERSISTENT_2":
            yield Failure("efaEnabled", f"needs deploymentType PERSISTENT_2, not {deployment}")
        if metadata is None:
            yield Failure("metadataConfiguration", "is required with efaEnabled")
    if metadata is None:
        return
    if deployment != "PERSISTENT_2":
        yield Failure("metadataConfiguration", f"is only supported for PERSISTENT_2, not {deployment}")
    yield from _metadata_failures(inputs)


def _metadata_failures(inputs: Document) -> Iterator[Failure]:
    mode, iops = (at(inputs, f"metadataConfiguration.{name}") for name in ("mode", "iops"))
    if mode == "USER_PROVISIONED" and iops is None:
        yield Failure("metadataConfiguration.iops", "is required for USER_PROVISIONED")
    if mode == "AUTOMATIC" and iops is not None:
        yield Failure("metadataConfiguration.iops", "cannot be given for AUTOMATIC")
    if iops not in (None, UNKNOWN, *_METADATA):
        yield Failure("metadataConfiguration.iops", f"{iops}: 1500, 3000, 6000, 12000 or a multiple of 12000 to 192000")


def _check_backups(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    if not inputs.get("automaticBackupRetentionDays") or inputs.get("deploymentType") is UNKNOWN:
        for name in ("dailyAutomaticBackupStartTime",):
            if inputs.get(name) is not None and inputs.get("automaticBackupRetentionDays") == 0:
                yield Failure(name, "needs automaticBackupRetentionDays above 0")
        return
    if not _persistent(inputs):
        yield Failure("automaticBackupRetentionDays", "backups are not supported on scratch file systems")
    if inputs.get("importPath"):
        yield Failure("automaticBackupRetentionDays", "backups are not supported on file systems linked to S3")


def _check_paths(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    if inputs.get("deploymentType") == "PERSISTENT_2":
        for name in ("importPath", "exportPath"):
            if inputs.get(name):
                yield Failure(name, "is not supported for PERSISTENT_2: use a data repository association")
    if inputs.get("exportPath") and not inputs.get("importPath"):
        yield Failure("exportPath", "needs importPath")
    if inputs.get("kmsKeyId") and not _persistent(inputs) and inputs.get("deploymentType") is not UNKNOWN:
        yield Failure("kmsKeyId", "is only supported for PERSISTENT types")
    drive_cache = inputs.get("driveCacheType")
    if inputs.get("storageType") == "HDD" and drive_cache is None:
        yield Failure("driveCacheType", "is required for HDD storage")
    if inputs.get("storageType") != "HDD" and drive_cache not in (None, "NONE", UNKNOWN):
        yield Failure("driveCacheType", "is only supported for HDD storage")


def _listed(values: tuple[int, ...]) -> str:
    return ", ".join(str(one) for one in values)


CHECKS: Final[tuple[Check, ...]] = (_check_throughput, _check_capacity, _check_fabric, _check_backups, _check_paths)
