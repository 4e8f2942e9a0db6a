"""The limits of the real API, case by case: a base that is accepted, and changes that are not."""

from typing import NamedTuple

import pytest

from emulated_aws import Driver, RefusedInputs
from emulated_estate import policy, trust
from gpulanes_lab.aws.values import Document

SUBNETS = ["subnet-0123456789abcdef0", "subnet-0123456789abcdef1"]
NODE_GROUP: Document = {
    "clusterName": "fleet",
    "nodeRoleArn": "arn:aws:iam::123456789012:role/nodes",
    "subnetIds": SUBNETS,
    "scalingConfig": {"minSize": 1, "desiredSize": 1, "maxSize": 2},
    "instanceTypes": ["g6e.12xlarge"],
    "amiType": "AL2023_x86_64_NVIDIA",
}
CLUSTER: Document = {
    "roleArn": "arn:aws:iam::123456789012:role/control",
    "vpcConfig": {"subnetIds": SUBNETS},
    "version": "1.34",
}
LUSTRE: Document = {
    "deploymentType": "PERSISTENT_2",
    "storageCapacity": 2400,
    "perUnitStorageThroughput": 250,
    "subnetIds": SUBNETS[0],
}
RULE: Document = {"securityGroupId": "sg-1", "cidrIpv4": "10.0.0.0/8", "ipProtocol": "-1"}
LIFECYCLE: Document = {"id": "a", "status": "Enabled", "filter": {"prefix": ""}, "expiration": {"days": 90}}
EFA = [
    {"deviceIndex": 0, "networkCardIndex": 0, "interfaceType": "efa"},
    *({"deviceIndex": 1, "networkCardIndex": card, "interfaceType": "efa-only"} for card in range(1, 32)),
]
CAPACITY_BLOCK: Document = {
    "instanceMarketOptions": {"marketType": "capacity-block"},
    "instanceType": "p5.48xlarge",
    "capacityReservationSpecification": {"capacityReservationTarget": {"capacityReservationId": "cr-1"}},
}

BASES: dict[str, tuple[str, Document]] = {
    "node group": ("aws:eks/nodeGroup:NodeGroup", NODE_GROUP),
    "cluster": ("aws:eks/cluster:Cluster", CLUSTER),
    "template": ("aws:ec2/launchTemplate:LaunchTemplate", {}),
    "lustre": ("aws:fsx/lustreFileSystem:LustreFileSystem", LUSTRE),
    "group": ("aws:ec2/securityGroup:SecurityGroup", {}),
    "rule": ("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", RULE),
    "placement": ("aws:ec2/placementGroup:PlacementGroup", {"strategy": "cluster"}),
    "vpc": ("aws:ec2/vpc:Vpc", {"cidrBlock": "10.0.0.0/16"}),
    "subnet": ("aws:ec2/subnet:Subnet", {"vpcId": "vpc-1", "cidrBlock": "10.0.0.0/24"}),
    "nat": ("aws:ec2/natGateway:NatGateway", {"subnetId": SUBNETS[0], "allocationId": "eipalloc-1"}),
    "route": (
        "aws:ec2/route:Route",
        {"routeTableId": "rtb-1", "destinationCidrBlock": "0.0.0.0/0", "gatewayId": "igw"},
    ),
    "table": ("aws:ec2/routeTable:RouteTable", {"vpcId": "vpc-1"}),
    "association": ("aws:ec2/routeTableAssociation:RouteTableAssociation", {"routeTableId": "rtb-1", "subnetId": "s"}),
    "role": ("aws:iam/role:Role", {"assumeRolePolicy": trust("ec2.amazonaws.com")}),
    "profile": ("aws:iam/instanceProfile:InstanceProfile", {}),
    "role policy": ("aws:iam/rolePolicy:RolePolicy", {"role": "r", "policy": policy({"Effect": "Allow"})}),
    "entry": ("aws:eks/accessEntry:AccessEntry", {"clusterName": "fleet", "principalArn": "arn:aws:iam::1:role/r"}),
    "addon": ("aws:eks/addon:Addon", {"clusterName": "fleet", "addonName": "vpc-cni"}),
    "bucket": ("aws:s3/bucket:Bucket", {}),
    "versioning": (
        "aws:s3/bucketVersioning:BucketVersioning",
        {"bucket": "b", "versioningConfiguration": {"status": "Enabled"}},
    ),
    "encryption": (
        "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
        {"bucket": "b", "rules": [{"applyServerSideEncryptionByDefault": {"sseAlgorithm": "AES256"}}]},
    ),
    "lifecycle": (
        "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration",
        {"bucket": "b", "rules": [LIFECYCLE]},
    ),
    "bucket policy": ("aws:s3/bucketPolicy:BucketPolicy", {"bucket": "b", "policy": policy({"Effect": "Deny"})}),
    "link": (
        "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation",
        {"fileSystemId": "fs-01234567", "fileSystemPath": "/a", "dataRepositoryPath": "s3://bucket"},
    ),
    "queue": ("aws:sqs/queue:Queue", {}),
    "queue policy": ("aws:sqs/queuePolicy:QueuePolicy", {"queueUrl": "u", "policy": policy({"Effect": "Allow"})}),
    "event rule": ("aws:cloudwatch/eventRule:EventRule", {"eventPattern": '{"source":["aws.ec2"]}'}),
    "target": ("aws:cloudwatch/eventTarget:EventTarget", {"rule": "r", "arn": "arn:aws:sqs:us-east-1:1:q"}),
}


class Case(NamedTuple):
    """A base with changes, where it is refused, and a piece of the reason."""

    base: str
    changes: Document
    path: str
    reason: str


def sizes(low: int, desired: int, high: int) -> Document:
    """Return a node group's sizes."""
    return {"scalingConfig": {"minSize": low, "desiredSize": desired, "maxSize": high}}


def nics(*interfaces: Document) -> Document:
    """Return a template's network interfaces."""
    return {"networkInterfaces": list(interfaces)}


def volume(**ebs: object) -> Document:
    """Return a template's one volume."""
    return {"blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": ebs}]}


def rules(*changed: Document) -> Document:
    """Return lifecycle rules, each the base's with changes."""
    return {"rules": [{**LIFECYCLE, **one} for one in changed]}


def inputs_of(base: str, changes: Document) -> tuple[str, Document]:
    """Return a base's type and its inputs with changes; None takes a property away."""
    kind, inputs = BASES[base]
    return kind, {name: value for name, value in (inputs | changes).items() if value is not None}


def assert_refused(case: Case, aws: Driver) -> None:
    """Check that the provider refuses a case at its property and for its reason."""
    kind, inputs = inputs_of(case.base, case.changes)

    with pytest.raises(RefusedInputs) as refused:
        aws.check(kind, "refused", inputs)

    assert case.reason in refused.value.found.get(case.path, ""), refused.value.found


def named(case: Case) -> str:
    """Return a case's name in a test's id."""
    return f"{case.base}-{case.path}-{case.reason}"[:90]
