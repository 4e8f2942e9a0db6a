"""What EKS refuses, one case per limit."""

import pytest

from emulated_aws import Driver
from emulated_limits import SUBNETS, Case, assert_refused, named, sizes

NODE_GROUP_CASES = (
    Case("node group", sizes(2, 1, 3), "scalingConfig.minSize", "can't be greater than desired size"),
    Case("node group", sizes(0, 4, 3), "scalingConfig.desiredSize", "can't be greater than max size"),
    Case("node group", sizes(0, 0, 0), "scalingConfig.maxSize", "below the minimum of 1"),
    Case("node group", sizes(-1, 0, 1), "scalingConfig.minSize", "below the minimum of 0"),
    Case("node group", {"amiType": "AL2023_NVIDIA"}, "amiType", "is not one of"),
    Case("node group", {"capacityType": "RESERVED"}, "capacityType", "is not one of"),
    Case(
        "node group",
        {"taints": [{"key": "a", "value": "b", "effect": "NoSchedule"}]},
        "taints[0].effect",
        "is not one of",
    ),
    Case("node group", {"taints": [{"key": "a", "effect": "NO_EXECUTE"}] * 2}, "taints[1].key", "given twice"),
    Case(
        "node group",
        {"taints": [{"key": f"k{n}", "effect": "NO_EXECUTE"} for n in range(51)]},
        "taints",
        "at most 50",
    ),
    Case("node group", {"taints": [{"key": "k" * 64, "effect": "NO_EXECUTE"}]}, "taints[0].key", "maximum of 63"),
    Case(
        "node group", {"taints": [{"key": "a", "value": "b c", "effect": "NO_EXECUTE"}]}, "taints[0].value", "no taint"
    ),
    Case("node group", {"labels": {"a": "b" * 64}}, "labels.a", "63"),
    Case("node group", {"labels": {"a" * 64: "b"}}, f"labels.{'a' * 64}", "63"),
    Case(
        "node group",
        {"labels": {"node-role.kubernetes.io/gpu": "x"}},
        'labels["node-role.kubernetes.io/gpu"]',
        "kubelet",
    ),
    Case("node group", {"labels": {"k8s.io/a": "x"}}, 'labels["k8s.io/a"]', "kubelet"),
    Case("node group", {"labels": {"eks.amazonaws.com/a": "x"}}, 'labels["eks.amazonaws.com/a"]', "reserved prefixes"),
    Case("node group", {"labels": {"bad key": "x"}}, 'labels["bad key"]', "no label key"),
    Case("node group", {"instanceTypes": ["p9.large"]}, "instanceTypes[0]", "do not exist"),
    Case("node group", {"instanceTypes": ["m7g.large"]}, "instanceTypes[0]", "the type is arm64"),
    Case("node group", {"instanceTypes": ["m7i.large"]}, "instanceTypes[0]", "no NVIDIA GPU"),
    Case("node group", {"instanceTypes": ["inf2.xlarge"]}, "instanceTypes[0]", "no NVIDIA GPU"),
    Case("node group", {"amiType": "AL2023_ARM_64_NVIDIA"}, "instanceTypes[0]", "the type is x86_64"),
    Case("node group", {"amiType": "AL2023_x86_64_NEURON"}, "instanceTypes[0]", "no Neuron device"),
    Case("node group", {"amiType": "AL2_x86_64_GPU", "version": "1.33"}, "amiType", "1.32 or earlier"),
    Case("node group", {"version": "latest"}, "version", "a Kubernetes version"),
    Case("node group", {"instanceTypes": [f"g6e.{n}xlarge" for n in range(21)]}, "instanceTypes", "20"),
    Case(
        "node group",
        {"launchTemplate": {"id": "lt-1", "version": "1"}, "diskSize": 200},
        "diskSize",
        "conflicts with launchTemplate",
    ),
    Case(
        "node group",
        {"launchTemplate": {"id": "lt-1", "version": "1"}, "remoteAccess": {"ec2SshKey": "k"}},
        "remoteAccess",
        "conflicts with launchTemplate",
    ),
    Case("node group", {"launchTemplate": {"version": "1"}}, "launchTemplate", "exactly one of id and name"),
    Case("node group", {"launchTemplate": {"id": "lt-1"}}, "launchTemplate.version", "is required"),
    Case("node group", {"updateConfig": {}}, "updateConfig", "exactly one"),
    Case(
        "node group",
        {"updateConfig": {"maxUnavailable": 1, "maxUnavailablePercentage": 10}},
        "updateConfig",
        "exactly one",
    ),
    Case("node group", {"updateConfig": {"maxUnavailable": 0}}, "updateConfig.maxUnavailable", "minimum of 1"),
    Case(
        "node group",
        {"updateConfig": {"maxUnavailable": 1, "updateStrategy": "FAST"}},
        "updateConfig.updateStrategy",
        "is not one of",
    ),
    Case(
        "node group",
        {"nodeRepairConfig": {"maxUnhealthyNodeThresholdCount": 1, "maxUnhealthyNodeThresholdPercentage": 1}},
        "nodeRepairConfig.maxUnhealthyNodeThresholdPercentage",
        "conflicts",
    ),
    Case("node group", {"nodeGroupName": "n" * 64}, "nodeGroupName", "at most 63"),
    Case("node group", {"capacityType": "CAPACITY_BLOCK"}, "launchTemplate", "is required for CAPACITY_BLOCK"),
    Case("node group", {"capacityType": "CAPACITY_BLOCK"}, "subnetIds", "in one zone"),
    Case("node group", {"capacityType": "CAPACITY_BLOCK"}, "instanceTypes", "must be left out"),
    Case(
        "node group",
        {"capacityType": "SPOT", "instanceTypes": ["mac2.metal"], "amiType": None},
        "instanceTypes[0]",
        "is not offered as spot",
    ),
    Case("node group", {"subnetIds": None}, "subnetIds", "is required"),
    Case("node group", {"tags": {f"k{n}": "v" for n in range(51)}}, "tags", "at most 50"),
    Case("node group", {"tags": {"AWS:x": "v"}}, 'tags["AWS:x"]', "reserved for AWS"),
    Case("node group", {"tags": {"k": "v" * 257}}, "tags.k", "at most 256"),
    Case("node group", {"tags": {"k" * 129: "v"}}, f"tags.{'k' * 129}", "1 to 128"),
    Case("node group", {"tags": {"cost&center": "v"}}, 'tags["cost&center"]', "letters"),
    Case("node group", {"tags": {"k": "a&b"}}, "tags.k", "letters"),
    Case(
        "node group",
        {"scalingConfig": {"minSize": 1, "desiredSize": "1", "maxSize": 2}},
        "scalingConfig.desiredSize",
        "whole",
    ),
    Case("node group", {"labels": ["a"]}, "labels", "a map of strings"),
    Case("node group", {"taints": ["a"]}, "taints[0]", "must be an object"),
    Case("node group", {"arn": "arn:aws:eks"}, "arn", "output of the service"),
    Case("node group", {"label": {}}, "label", "did you mean labels?"),
    Case("node group", {"scalingConfig": {"minsize": 1}}, "scalingConfig.minsize", "did you mean minSize?"),
)

CLUSTER_CASES = (
    Case("cluster", {"vpcConfig": {"subnetIds": SUBNETS[:1]}}, "vpcConfig.subnetIds", "two zones"),
    Case(
        "cluster",
        {"vpcConfig": {"subnetIds": SUBNETS, "endpointPublicAccess": False}},
        "vpcConfig.endpointPrivateAccess",
        "cannot both be off",
    ),
    Case("cluster", {"enabledClusterLogTypes": ["apiserver"]}, "enabledClusterLogTypes[0]", "is not one of"),
    Case(
        "cluster", {"accessConfig": {"authenticationMode": "IAM"}}, "accessConfig.authenticationMode", "is not one of"
    ),
    Case("cluster", {"version": "1.x"}, "version", "a Kubernetes version"),
    Case("cluster", {"name": "-fleet"}, "name", "does not match"),
    Case("cluster", {"name": "f" * 101}, "name", "maximum of 100"),
    Case("cluster", {"upgradePolicy": {"supportType": "NEVER"}}, "upgradePolicy.supportType", "is not one of"),
    Case("cluster", {"computeConfig": {"enabled": True}}, "storageConfig.blockStorage.enabled", "all on or all off"),
    Case("entry", {"type": "EC2_LINUX", "kubernetesGroups": ["a"]}, "kubernetesGroups", "cannot be given"),
    Case("addon", {"resolveConflictsOnUpdate": "MERGE"}, "resolveConflictsOnUpdate", "is not one of"),
    Case("addon", {"serviceAccountRoleArn": ""}, "serviceAccountRoleArn", "minimum of 1"),
)


@pytest.mark.parametrize("case", [*NODE_GROUP_CASES, *CLUSTER_CASES], ids=named)
def test_what_the_real_api_refuses_is_refused_at_its_property(case: Case, aws: Driver) -> None:
    assert_refused(case, aws)
