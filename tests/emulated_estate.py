"""What examples of AWS resources refer to: a network, roles, a cluster, stores; each made when first asked for."""

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field

from emulated_aws import Driver, Made
from gpulanes_lab.aws.values import Document

TAGS = {"workload": "training", "environment": "test", "owner": "ml-platform", "cost-center": "4711"}
_COUNT = itertools.count()


def trust(service: str) -> str:
    """Return a role's trust policy."""
    return policy({"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"})


def policy(*statements: Document) -> str:
    """Return a policy document."""
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


@dataclass
class Estate:
    """What the examples refer to; each part is made once, when first asked for."""

    aws: Driver
    parts: dict[str, Made] = field(default_factory=dict)
    serial: int = field(default_factory=lambda: next(_COUNT))

    def part(self, name: str, kind: str, inputs: Callable[[], Document]) -> Made:
        """Return a part, making it if need be."""
        if name not in self.parts:
            self.parts[name] = self.aws.create(kind, f"{name}-{self.serial}", inputs())
        return self.parts[name]

    def vpc(self) -> str:
        """A network."""
        return self.part("vpc", "aws:ec2/vpc:Vpc", lambda: {"cidrBlock": "10.0.0.0/16", "tags": TAGS}).id

    def subnet(self, zone: str) -> str:
        """A subnet in a zone."""
        block = f"10.0.{'abc'.index(zone)}.0/24"
        place = {"availabilityZone": f"us-east-1{zone}", "cidrBlock": block}
        return self.part(f"subnet-{zone}", "aws:ec2/subnet:Subnet", lambda: {"vpcId": self.vpc(), **place}).id

    def subnets(self) -> list[str]:
        """Subnets in two zones."""
        return [self.subnet("a"), self.subnet("b")]

    def gateway(self) -> str:
        """A way out."""
        kind = "aws:ec2/internetGateway:InternetGateway"
        return self.part("gateway", kind, lambda: {"vpcId": self.vpc()}).id

    def address(self) -> str:
        """An elastic IP."""
        return self.part("address", "aws:ec2/eip:Eip", lambda: {"domain": "vpc"}).id

    def table(self, name: str = "table") -> str:
        """A route table."""
        return self.part(name, "aws:ec2/routeTable:RouteTable", lambda: {"vpcId": self.vpc()}).id

    def group(self, name: str = "group") -> str:
        """A security group."""
        return self.part(name, "aws:ec2/securityGroup:SecurityGroup", lambda: {"vpcId": self.vpc()}).id

    def role(self, service: str = "ec2.amazonaws.com") -> Made:
        """A role that a service may take."""
        return self.part(f"role-{service[:3]}", "aws:iam/role:Role", lambda: {"assumeRolePolicy": trust(service)})

    def template(self) -> Made:
        """A launch template."""
        data = {"metadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 1}}
        return self.part("template", "aws:ec2/launchTemplate:LaunchTemplate", lambda: data)

    def cluster(self) -> str:
        """A cluster that takes access entries."""
        return self.part("cluster", "aws:eks/cluster:Cluster", self.cluster_inputs).id

    def cluster_inputs(self) -> Document:
        """The inputs of a cluster."""
        return {
            "version": "1.34",
            "roleArn": self.role("eks.amazonaws.com").outputs["arn"],
            "vpcConfig": {"subnetIds": self.subnets(), "endpointPrivateAccess": True},
            "accessConfig": {"authenticationMode": "API"},
            "enabledClusterLogTypes": ["audit", "api"],
            "tags": TAGS,
        }

    def node_group_inputs(self, **changed: object) -> Document:
        """The inputs of a GPU node group."""
        inputs = {
            "clusterName": self.cluster(),
            "nodeRoleArn": self.role().outputs["arn"],
            "subnetIds": list(reversed(self.subnets())),
            "scalingConfig": {"minSize": 0, "desiredSize": 1, "maxSize": 4},
            "instanceTypes": ["g6e.12xlarge"],
            "amiType": "AL2023_x86_64_NVIDIA",
            "capacityType": "ON_DEMAND",
            "labels": {"workload": "inference"},
            "taints": [
                {"key": "workload", "value": "inference", "effect": "NO_SCHEDULE"},
                {"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"},
            ],
            "launchTemplate": {"id": self.template().id, "version": "1"},
            "updateConfig": {"maxUnavailable": 1, "updateStrategy": "MINIMAL"},
            "nodeRepairConfig": {"enabled": True},
            "tags": TAGS,
        }
        return {name: value for name, value in (inputs | changed).items() if value is not None}

    def bucket(self) -> str:
        """A bucket."""
        return self.part("bucket", "aws:s3/bucket:Bucket", dict).id

    def file_system(self) -> Made:
        """A file system that can be linked."""
        return self.part("lustre", "aws:fsx/lustreFileSystem:LustreFileSystem", self.file_system_inputs)

    def file_system_inputs(self) -> Document:
        """The inputs of a file system."""
        return {
            "deploymentType": "PERSISTENT_2",
            "storageCapacity": 4800,
            "perUnitStorageThroughput": 250,
            "metadataConfiguration": {"mode": "AUTOMATIC"},
            "subnetIds": self.subnet("a"),
            "securityGroupIds": [self.group()],
            "tags": TAGS,
        }

    def queue(self) -> Made:
        """A queue."""
        return self.part("queue", "aws:sqs/queue:Queue", dict)

    def rule(self) -> str:
        """A rule on the default bus."""
        pattern = json.dumps({"source": ["aws.ec2"]})
        return self.part("rule", "aws:cloudwatch/eventRule:EventRule", lambda: {"eventPattern": pattern}).id
