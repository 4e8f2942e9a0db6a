"""What the real API takes is accepted, known or not yet known: the limits do not reach too far."""

import pytest

from emulated_aws import Driver
from emulated_limits import BASES, CAPACITY_BLOCK, EFA, inputs_of, nics, rules, sizes, volume
from gpulanes_lab.aws.values import UNKNOWN, Document

ACCEPTED = (
    ("node group", {"labels": {"node.kubernetes.io/pool": "training", "example.com/role": "training"}}),
    ("node group", {"instanceTypes": ["m7i.large"], "amiType": "AL2023_x86_64_STANDARD"}),
    ("node group", {"amiType": "BOTTLEROCKET_x86_64_NVIDIA"}),
    ("node group", {"amiType": "AL2_x86_64_GPU", "version": "1.32"}),
    ("node group", {"instanceTypes": ["m7g.large"], "amiType": "AL2023_ARM_64_STANDARD"}),
    ("node group", {"instanceTypes": ["trn1.32xlarge"], "amiType": "AL2023_x86_64_NEURON"}),
    ("node group", sizes(0, 0, 1)),
    ("node group", {"taints": [{"key": "nvidia.com/gpu", "effect": "NO_SCHEDULE"}]}),
    ("node group", {"subnetIds": UNKNOWN, "clusterName": UNKNOWN, "nodeRoleArn": UNKNOWN}),
    ("node group", {"scalingConfig": UNKNOWN, "taints": UNKNOWN, "labels": UNKNOWN, "launchTemplate": UNKNOWN}),
    ("template", {**nics(*EFA), "instanceType": "p5.48xlarge"}),
    ("template", {**nics(EFA[0]), "instanceType": "g6.8xlarge"}),
    ("template", CAPACITY_BLOCK),
    ("template", volume(volumeType="gp3", volumeSize=500, throughput=600, iops=6000)),
    ("template", {"networkInterfaces": UNKNOWN, "blockDeviceMappings": UNKNOWN, "tagSpecifications": UNKNOWN}),
    ("lustre", {"storageCapacity": 1200}),
    ("lustre", {"storageCapacity": 4800, "perUnitStorageThroughput": 500}),
    (
        "lustre",
        {
            "deploymentType": "PERSISTENT_1",
            "storageType": "HDD",
            "driveCacheType": "NONE",
            "perUnitStorageThroughput": 12,
            "storageCapacity": 12000,
        },
    ),
    (
        "lustre",
        {
            "efaEnabled": True,
            "perUnitStorageThroughput": 1000,
            "storageCapacity": 4800,
            "metadataConfiguration": {"mode": "USER_PROVISIONED", "iops": 24000},
        },
    ),
    ("lustre", {"deploymentType": "SCRATCH_2", "perUnitStorageThroughput": None}),
    ("lustre", {"deploymentType": UNKNOWN, "storageCapacity": UNKNOWN, "perUnitStorageThroughput": UNKNOWN}),
    ("lifecycle", rules({"filter": {}, "transitions": [{"days": 30, "storageClass": "STANDARD_IA"}]})),
    ("queue", {"fifoQueue": True, "contentBasedDeduplication": True}),
    ("bucket", {"bucket": "checkpoints.prod-1"}),
)


@pytest.mark.parametrize("base", BASES)
def test_the_base_of_the_cases_is_accepted(base: str, aws: Driver) -> None:
    aws.check(BASES[base][0], "base", BASES[base][1])


@pytest.mark.parametrize(("base", "changes"), ACCEPTED)
def test_what_the_real_api_takes_is_accepted(base: str, changes: Document, aws: Driver) -> None:
    kind, inputs = inputs_of(base, changes)

    aws.check(kind, "accepted", inputs)
