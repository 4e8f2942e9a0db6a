"""What FSx refuses, one case per limit."""

import pytest

from emulated_aws import Driver
from emulated_limits import Case, assert_refused, named

LUSTRE_CASES = (
    Case("lustre", {"storageCapacity": 3600}, "storageCapacity", "next legal size is 4800"),
    Case("lustre", {"storageCapacity": 1000}, "storageCapacity", "next legal size is 1200"),
    Case("lustre", {"storageCapacity": None}, "storageCapacity", "is required"),
    Case("lustre", {"perUnitStorageThroughput": 50}, "perUnitStorageThroughput", "takes 125, 250, 500, 1000"),
    Case("lustre", {"perUnitStorageThroughput": None}, "perUnitStorageThroughput", "is required"),
    Case("lustre", {"deploymentType": "PERSISTENT_1"}, "perUnitStorageThroughput", "takes 50, 100, 200"),
    Case("lustre", {"deploymentType": "SCRATCH_2"}, "perUnitStorageThroughput", "cannot be given for SCRATCH_2"),
    Case("lustre", {"deploymentType": "FAST"}, "deploymentType", "is not one of"),
    Case("lustre", {"storageType": "HDD"}, "storageType", "has no HDD storage"),
    Case(
        "lustre",
        {
            "deploymentType": "PERSISTENT_1",
            "storageType": "HDD",
            "driveCacheType": "READ",
            "perUnitStorageThroughput": 40,
            "storageCapacity": 6000,
        },
        "storageCapacity",
        "a multiple of 1800",
    ),
    Case(
        "lustre",
        {
            "deploymentType": "PERSISTENT_1",
            "storageType": "HDD",
            "perUnitStorageThroughput": 12,
            "storageCapacity": 6000,
        },
        "driveCacheType",
        "is required for HDD",
    ),
    Case("lustre", {"driveCacheType": "READ"}, "driveCacheType", "only supported for HDD"),
    Case(
        "lustre",
        {"deploymentType": "SCRATCH_1", "perUnitStorageThroughput": None, "storageCapacity": 4800},
        "storageCapacity",
        "a multiple of 3600",
    ),
    Case(
        "lustre",
        {
            "deploymentType": "SCRATCH_2",
            "perUnitStorageThroughput": None,
            "metadataConfiguration": {"mode": "AUTOMATIC"},
        },
        "metadataConfiguration",
        "only supported for PERSISTENT_2",
    ),
    Case(
        "lustre",
        {"deploymentType": "PERSISTENT_1", "perUnitStorageThroughput": 50, "efaEnabled": True},
        "efaEnabled",
        "needs deploymentType PERSISTENT_2",
    ),
    Case("lustre", {"efaEnabled": True, "storageCapacity": 19200}, "metadataConfiguration", "required with efaEnabled"),
    Case(
        "lustre",
        {"efaEnabled": True, "storageCapacity": 4800, "metadataConfiguration": {"mode": "AUTOMATIC"}},
        "storageCapacity",
        "a multiple of 19200",
    ),
    Case(
        "lustre",
        {"metadataConfiguration": {"mode": "USER_PROVISIONED"}},
        "metadataConfiguration.iops",
        "is required for USER_PROVISIONED",
    ),
    Case(
        "lustre",
        {"metadataConfiguration": {"mode": "USER_PROVISIONED", "iops": 2000}},
        "metadataConfiguration.iops",
        "a multiple of 12000",
    ),
    Case(
        "lustre",
        {"metadataConfiguration": {"mode": "AUTOMATIC", "iops": 1500}},
        "metadataConfiguration.iops",
        "cannot be given for AUTOMATIC",
    ),
    Case(
        "lustre",
        {"deploymentType": "SCRATCH_2", "perUnitStorageThroughput": None, "automaticBackupRetentionDays": 7},
        "automaticBackupRetentionDays",
        "not supported on scratch",
    ),
    Case("lustre", {"automaticBackupRetentionDays": 91}, "automaticBackupRetentionDays", "maximum of 90"),
    Case("lustre", {"importPath": "s3://bucket"}, "importPath", "use a data repository association"),
    Case(
        "lustre",
        {
            "deploymentType": "PERSISTENT_1",
            "perUnitStorageThroughput": 50,
            "importPath": "s3://bucket",
            "automaticBackupRetentionDays": 7,
        },
        "automaticBackupRetentionDays",
        "linked to S3",
    ),
    Case("lustre", {"exportPath": "s3://bucket/x"}, "exportPath", "needs importPath"),
    Case(
        "lustre",
        {
            "deploymentType": "SCRATCH_2",
            "perUnitStorageThroughput": None,
            "kmsKeyId": "arn:aws:kms:us-east-1:123456789012:key/a",
        },
        "kmsKeyId",
        "only supported for PERSISTENT",
    ),
    Case("lustre", {"weeklyMaintenanceStartTime": "Sunday"}, "weeklyMaintenanceStartTime", "does not match"),
    Case(
        "lustre",
        {"storageType": "INTELLIGENT_TIERING", "storageCapacity": None, "perUnitStorageThroughput": None},
        "throughputCapacity",
        "is required",
    ),
    Case(
        "lustre",
        {"storageType": "INTELLIGENT_TIERING", "throughputCapacity": 5000, "perUnitStorageThroughput": None},
        "throughputCapacity",
        "a multiple of 4000",
    ),
    Case(
        "lustre",
        {"automaticBackupRetentionDays": 0, "dailyAutomaticBackupStartTime": "03:00"},
        "dailyAutomaticBackupStartTime",
        "above 0",
    ),
    Case("link", {"fileSystemPath": "a"}, "fileSystemPath", "start with /"),
    Case("link", {"dataRepositoryPath": "bucket"}, "dataRepositoryPath", "start with s3://"),
    Case("link", {"s3": {"autoExportPolicy": {"events": ["MOVED"]}}}, "s3.autoExportPolicy.events[0]", "is not one of"),
)


@pytest.mark.parametrize("case", LUSTRE_CASES, ids=named)
def test_what_the_real_api_refuses_is_refused_at_its_property(case: Case, aws: Driver) -> None:
    assert_refused(case, aws)
