"""One real example of every covered type, with changes to try on it."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from emulated_estate import TAGS, Estate, policy, trust
from gpulanes_lab.aws.values import Document


@dataclass(frozen=True)
class Example:
    """A type's inputs, a change that the service makes in place, and one that replaces the resource.

    ``imported_as`` gives the id that an import takes where it is not the resource's own.
    """

    inputs: Callable[[Estate], Document]
    change: Callable[[Estate], Document] | None = None
    replacing: Callable[[Estate], Document] | None = None
    imported_as: Callable[[Document], str] | None = None


def _launch_template(_estate: Estate) -> Document:
    return {
        "description": "training on p5",
        "instanceType": "p5.48xlarge",
        "blockDeviceMappings": [
            {
                "deviceName": "/dev/xvda",
                "ebs": {"volumeSize": 200, "volumeType": "gp3", "throughput": 500, "iops": 4000, "encrypted": "true"},
            },
        ],
        "networkInterfaces": [
            {"deviceIndex": 0, "networkCardIndex": 0, "interfaceType": "efa", "deleteOnTermination": "true"},
            *({"deviceIndex": 1, "networkCardIndex": card, "interfaceType": "efa-only"} for card in range(1, 32)),
        ],
        "capacityReservationSpecification": {
            "capacityReservationPreference": "capacity-reservations-only",
            "capacityReservationTarget": {"capacityReservationId": "cr-0123456789abcdef0"},
        },
        "metadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 1},
        "placement": {"groupName": "fabric"},
        "tagSpecifications": [{"resourceType": kind, "tags": TAGS} for kind in ("instance", "volume")],
        "updateDefaultVersion": True,
        "userData": base64.b64encode(b"MIME-Version: 1.0").decode(),
        "tags": TAGS,
    }


def _lifecycle(estate: Estate, days: int = 30) -> Document:
    return {
        "bucket": estate.bucket(),
        "rules": [
            {
                "id": "checkpoints",
                "status": "Enabled",
                "filter": {"and": {"prefix": "checkpoints/", "objectSizeGreaterThan": 131072, "tags": {"a": "b"}}},
                "transitions": [{"days": days, "storageClass": "GLACIER"}],
                "noncurrentVersionExpiration": {"noncurrentDays": 7, "newerNoncurrentVersions": 2},
            },
            {
                "id": "uploads",
                "status": "Enabled",
                "filter": {},
                "abortIncompleteMultipartUpload": {"daysAfterInitiation": 3},
            },
        ],
    }


def _queue_policy(estate: Estate, action: str) -> Document:
    made = estate.queue()
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": "events.amazonaws.com"},
        "Action": action,
        "Resource": made.outputs["arn"],
    }
    return {"queueUrl": made.id, "policy": policy(statement)}


def _bucket_policy(estate: Estate, action: str) -> Document:
    name = estate.bucket()
    statement = {"Effect": "Deny", "Principal": "*", "Action": action, "Resource": f"arn:aws:s3:::{name}/*"}
    return {"bucket": name, "policy": policy(statement)}


def _security_rule(estate: Estate, **changed: object) -> Document:
    group = estate.group()
    itself = {"securityGroupId": group, "referencedSecurityGroupId": group, "ipProtocol": "-1"}
    return {**itself, "description": "fabric", "tags": TAGS, **changed}


def _egress_rule(estate: Estate, block: str) -> Document:
    return {"securityGroupId": estate.group(), "cidrIpv4": block, "ipProtocol": "tcp", "fromPort": 443, "toPort": 443}


def _access_entry(estate: Estate, **changed: object) -> Document:
    arn = "arn:aws:iam::123456789012:role/operators"
    return {"clusterName": estate.cluster(), "principalArn": arn, "kubernetesGroups": ["readers"], **changed}


def _addon(estate: Estate, **changed: object) -> Document:
    return {"clusterName": estate.cluster(), "addonName": "vpc-cni", "addonVersion": "v1.20.0-eksbuild.1", **changed}


def _file_system(estate: Estate, **changed: object) -> Document:
    return {**estate.file_system_inputs(), "weeklyMaintenanceStartTime": "3:12:00", **changed}


def _association(estate: Estate, events: list[str]) -> Document:
    return {
        "fileSystemId": estate.file_system().id,
        "fileSystemPath": "/archive",
        "dataRepositoryPath": f"s3://{estate.bucket()}/archive",
        "batchImportMetaDataOnCreate": True,
        "s3": {"autoExportPolicy": {"events": events}, "autoImportPolicy": {"events": ["NEW"]}},
        "tags": TAGS,
    }


def _target(estate: Estate, **changed: object) -> Document:
    return {"rule": estate.rule(), "arn": estate.queue().outputs["arn"], **changed}


def _encryption(estate: Estate, algorithm: str) -> Document:
    rule = {"applyServerSideEncryptionByDefault": {"sseAlgorithm": algorithm}, "bucketKeyEnabled": True}
    return {"bucket": estate.bucket(), "rules": [rule]}


def _cluster(estate: Estate, **changed: object) -> Document:
    return {**estate.cluster_inputs(), **changed}


def _tagged(inputs: Callable[[Estate], Document]) -> Callable[[Estate], Document]:
    return lambda estate: {**inputs(estate), "tags": {"owner": "someone-else", "Name": "renamed"}}


def _vpc(_estate: Estate) -> Document:
    return {"cidrBlock": "10.9.0.0/16", "enableDnsHostnames": True, "tags": TAGS}


def _subnet(estate: Estate, block: str = "10.0.7.0/24", *, public: bool = False) -> Document:
    return {"vpcId": estate.vpc(), "cidrBlock": block, "availabilityZone": "us-east-1c", "mapPublicIpOnLaunch": public}


def _table(estate: Estate, block: str) -> Document:
    return {"vpcId": estate.vpc(), "routes": [{"cidrBlock": block, "gatewayId": estate.gateway()}], "tags": TAGS}


def _nat_gateway(estate: Estate) -> Document:
    return {"subnetId": estate.subnet("a"), "allocationId": estate.address(), "tags": TAGS}


def _route(estate: Estate, block: str = "0.0.0.0/0") -> Document:
    return {"routeTableId": estate.table(), "destinationCidrBlock": block, "gatewayId": estate.gateway()}


def _security_group(estate: Estate, port: int) -> Document:
    ingress = [
        {"protocol": "tcp", "fromPort": port, "toPort": port, "cidrBlocks": ["10.0.0.0/16"], "description": "Lustre"},
        {"protocol": "-1", "fromPort": 0, "toPort": 0, "self": True},
    ]
    return {"vpcId": estate.vpc(), "description": "fabric", "ingress": ingress, "tags": TAGS}


def _role_policy(estate: Estate, action: str) -> Document:
    statement = {"Effect": "Allow", "Action": action, "Resource": "*"}
    return {"role": estate.role().outputs["name"], "policy": policy(statement)}


def _attachment(estate: Estate, name: str) -> Document:
    return {"role": estate.role().outputs["name"], "policyArn": f"arn:aws:iam::aws:policy/{name}"}


def _role(_estate: Estate, **changed: object) -> Document:
    return {"assumeRolePolicy": trust("ec2.amazonaws.com"), "description": "nodes", "tags": TAGS, **changed}


def _versioning(estate: Estate, status: str) -> Document:
    return {"bucket": estate.bucket(), "versioningConfiguration": {"status": status}}


def _public_access(estate: Estate, **changed: object) -> Document:
    return {"bucket": estate.bucket(), "blockPublicAcls": True, "blockPublicPolicy": True, **changed}


EXAMPLES: Mapping[str, Example] = {
    "aws:ec2/vpc:Vpc": Example(_vpc, _tagged(_vpc), lambda estate: {**_vpc(estate), "cidrBlock": "10.8.0.0/16"}),
    "aws:ec2/subnet:Subnet": Example(
        _subnet,
        lambda estate: _subnet(estate, public=True),
        lambda estate: _subnet(estate, "10.0.8.0/24"),
    ),
    "aws:ec2/internetGateway:InternetGateway": Example(
        lambda estate: {"vpcId": estate.vpc(), "tags": TAGS},
        _tagged(lambda estate: {"vpcId": estate.vpc()}),
    ),
    "aws:ec2/eip:Eip": Example(
        lambda _estate: {"domain": "vpc", "tags": TAGS},
        _tagged(lambda _estate: {"domain": "vpc"}),
    ),
    "aws:ec2/natGateway:NatGateway": Example(
        _nat_gateway,
        _tagged(_nat_gateway),
        lambda estate: {**_nat_gateway(estate), "subnetId": estate.subnet("b")},
    ),
    "aws:ec2/routeTable:RouteTable": Example(
        lambda estate: _table(estate, "0.0.0.0/0"),
        lambda estate: _table(estate, "192.168.0.0/16"),
    ),
    "aws:ec2/route:Route": Example(
        _route,
        None,
        lambda estate: _route(estate, "172.16.0.0/12"),
        lambda outputs: f"{outputs['routeTableId']}_{outputs['destinationCidrBlock']}",
    ),
    "aws:ec2/routeTableAssociation:RouteTableAssociation": Example(
        lambda estate: {"subnetId": estate.subnet("a"), "routeTableId": estate.table()},
        lambda estate: {"subnetId": estate.subnet("a"), "routeTableId": estate.table("other-table")},
        lambda estate: {"subnetId": estate.subnet("b"), "routeTableId": estate.table()},
        lambda outputs: f"{outputs['subnetId']}/{outputs['routeTableId']}",
    ),
    "aws:ec2/securityGroup:SecurityGroup": Example(
        lambda estate: _security_group(estate, 988),
        lambda estate: _security_group(estate, 989),
        lambda estate: {**_security_group(estate, 988), "description": "another"},
    ),
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": Example(
        _security_rule,
        lambda estate: _security_rule(estate, ipProtocol="tcp", fromPort=988, toPort=988),
        lambda estate: _security_rule(estate, securityGroupId=estate.group("other")),
    ),
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": Example(
        lambda estate: _egress_rule(estate, "10.0.0.0/16"),
        lambda estate: _egress_rule(estate, "10.1.0.0/16"),
    ),
    "aws:ec2/launchTemplate:LaunchTemplate": Example(
        _launch_template,
        lambda estate: {**_launch_template(estate), "metadataOptions": {"httpTokens": "optional"}},
        lambda estate: {**_launch_template(estate), "name": "another-name"},
    ),
    "aws:ec2/placementGroup:PlacementGroup": Example(
        lambda _estate: {"strategy": "cluster", "tags": TAGS},
        _tagged(lambda _estate: {"strategy": "cluster"}),
        lambda _estate: {"strategy": "spread"},
    ),
    "aws:iam/role:Role": Example(
        _role,
        lambda estate: _role(estate, maxSessionDuration=7200, assumeRolePolicy=trust("pods.eks.amazonaws.com")),
        lambda estate: _role(estate, path="/nodes/"),
    ),
    "aws:iam/rolePolicy:RolePolicy": Example(
        lambda estate: _role_policy(estate, "s3:GetObject"),
        lambda estate: _role_policy(estate, "s3:ListBucket"),
    ),
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": Example(
        lambda estate: _attachment(estate, "AmazonEKSWorkerNodePolicy"),
        None,
        lambda estate: _attachment(estate, "AmazonEKS_CNI_Policy"),
        lambda outputs: f"{outputs['role']}/{outputs['policyArn']}",
    ),
    "aws:iam/instanceProfile:InstanceProfile": Example(
        lambda estate: {"role": estate.role().outputs["name"], "tags": TAGS},
        lambda estate: {"role": estate.role("eks.amazonaws.com").outputs["name"], "tags": TAGS},
        lambda _estate: {"path": "/nodes/"},
    ),
    "aws:eks/cluster:Cluster": Example(
        _cluster,
        lambda estate: _cluster(estate, version="1.35", enabledClusterLogTypes=["audit"], deletionProtection=False),
        lambda estate: _cluster(estate, kubernetesNetworkConfig={"serviceIpv4Cidr": "10.100.0.0/16"}),
    ),
    "aws:eks/nodeGroup:NodeGroup": Example(
        lambda estate: estate.node_group_inputs(),
        lambda estate: estate.node_group_inputs(
            scalingConfig={"minSize": 1, "desiredSize": 2, "maxSize": 5},
            labels={"workload": "training", "pool": "new"},
            taints=[{"key": "workload", "value": "training", "effect": "NO_SCHEDULE"}],
            updateConfig={"maxUnavailablePercentage": 33},
            nodeRepairConfig={"enabled": False},
            warmPoolConfig={"minSize": 1, "poolState": "STOPPED"},
            tags={"owner": "someone-else"},
        ),
        lambda estate: estate.node_group_inputs(capacityType="SPOT"),
    ),
    "aws:eks/accessEntry:AccessEntry": Example(
        _access_entry,
        lambda estate: _access_entry(estate, kubernetesGroups=["writers"], tags=TAGS),
        lambda estate: _access_entry(estate, type="EC2_LINUX", kubernetesGroups=None),
    ),
    "aws:eks/addon:Addon": Example(
        _addon,
        lambda estate: _addon(estate, addonVersion="v1.21.0-eksbuild.1", configurationValues='{"env":{}}'),
        lambda estate: _addon(estate, addonName="kube-proxy"),
    ),
    "aws:s3/bucket:Bucket": Example(
        lambda _estate: {"tags": TAGS},
        _tagged(lambda _estate: {}),
        lambda _estate: {"bucket": "another-bucket-of-the-tests"},
    ),
    "aws:s3/bucketVersioning:BucketVersioning": Example(
        lambda estate: _versioning(estate, "Enabled"),
        lambda estate: _versioning(estate, "Suspended"),
    ),
    "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": Example(
        _public_access,
        lambda estate: _public_access(estate, restrictPublicBuckets=True),
    ),
    "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": Example(
        lambda estate: _encryption(estate, "AES256"),
        lambda estate: _encryption(estate, "aws:kms"),
    ),
    "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": Example(
        _lifecycle,
        lambda estate: _lifecycle(estate, 60),
    ),
    "aws:s3/bucketPolicy:BucketPolicy": Example(
        lambda estate: _bucket_policy(estate, "s3:GetObject"),
        lambda estate: _bucket_policy(estate, "s3:PutObject"),
    ),
    "aws:fsx/lustreFileSystem:LustreFileSystem": Example(
        _file_system,
        lambda estate: _file_system(estate, storageCapacity=9600, weeklyMaintenanceStartTime="7:03:00"),
        lambda estate: _file_system(estate, storageCapacity=2400),
    ),
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation": Example(
        lambda estate: _association(estate, ["NEW", "CHANGED"]),
        lambda estate: _association(estate, ["NEW", "CHANGED", "DELETED"]),
        lambda estate: {**_association(estate, ["NEW"]), "fileSystemPath": "/other"},
    ),
    "aws:sqs/queue:Queue": Example(
        lambda _estate: {"messageRetentionSeconds": 300, "sqsManagedSseEnabled": True, "tags": TAGS},
        _tagged(lambda _estate: {"messageRetentionSeconds": 600, "sqsManagedSseEnabled": True}),
        lambda _estate: {"name": "another-queue"},
    ),
    "aws:sqs/queuePolicy:QueuePolicy": Example(
        lambda estate: _queue_policy(estate, "sqs:SendMessage"),
        lambda estate: _queue_policy(estate, "sqs:*"),
    ),
    "aws:cloudwatch/eventRule:EventRule": Example(
        lambda _estate: {"eventPattern": json.dumps({"source": ["aws.ec2"]}), "tags": TAGS},
        lambda _estate: {"eventPattern": json.dumps({"source": ["aws.health"]}), "description": "health"},
        lambda _estate: {"eventPattern": json.dumps({"source": ["aws.ec2"]}), "name": "another-rule"},
    ),
    "aws:cloudwatch/eventTarget:EventTarget": Example(
        _target,
        lambda estate: _target(estate, retryPolicy={"maximumRetryAttempts": 3}),
        lambda estate: _target(estate, targetId="another"),
        lambda outputs: f"{outputs['rule']}/{outputs['targetId']}",
    ),
}
