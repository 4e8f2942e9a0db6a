"""A change made by hand is reported as exactly that change; what did not change is not reported."""

from collections.abc import Callable
from typing import Any

import pytest

from emulated_aws import Driver, Made
from emulated_estate import Estate, trust
from emulated_examples import EXAMPLES

Hand = Callable[[Any, Made], object]


def _labels(eks: Any, made: Made) -> None:  # noqa: ANN401 - a boto3 client
    cluster, name = made.id.split(":")
    eks.update_nodegroup_config(
        clusterName=cluster,
        nodegroupName=name,
        labels={"addOrUpdateLabels": {"workload": "training"}},
        scalingConfig={"desiredSize": 3},
    )


def _taints(eks: Any, made: Made) -> None:  # noqa: ANN401 - a boto3 client
    cluster, name = made.id.split(":")
    removed = [{"key": "workload", "value": "inference", "effect": "NO_SCHEDULE"}]
    eks.update_nodegroup_config(clusterName=cluster, nodegroupName=name, taints={"removeTaints": removed})


def _public_endpoint(eks: Any, made: Made) -> None:  # noqa: ANN401 - a boto3 client
    eks.update_cluster_config(name=made.id, resourcesVpcConfig={"endpointPublicAccess": False})


def _new_version(ec2: Any, made: Made) -> None:  # noqa: ANN401 - a boto3 client
    options = {"HttpTokens": "optional", "HttpPutResponseHopLimit": 1}
    latest = ec2.describe_launch_template_versions(LaunchTemplateId=made.id, Versions=["$Latest"])
    data = latest["LaunchTemplateVersions"][0]["LaunchTemplateData"] | {"MetadataOptions": options}
    ec2.create_launch_template_version(LaunchTemplateId=made.id, LaunchTemplateData=data, VersionDescription="by hand")


def _open_to_all(ec2: Any, made: Made) -> None:  # noqa: ANN401 - a boto3 client
    everyone = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
    ec2.authorize_security_group_ingress(GroupId=made.id, IpPermissions=[everyone])


BY_HAND: dict[str, tuple[str, str, Hand, list[str]]] = {
    "labels and size of a node group": (
        "aws:eks/nodeGroup:NodeGroup",
        "eks",
        _labels,
        ["scalingConfig.desiredSize", "labels.workload"],
    ),
    "taints of a node group": ("aws:eks/nodeGroup:NodeGroup", "eks", _taints, ["taints[0]"]),
    "endpoint of a cluster": (
        "aws:eks/cluster:Cluster",
        "eks",
        _public_endpoint,
        ["vpcConfig.endpointPublicAccess"],
    ),
    "a new launch template version": (
        "aws:ec2/launchTemplate:LaunchTemplate",
        "ec2",
        _new_version,
        ["description", "metadataOptions.httpTokens"],
    ),
    "a rule in a security group": ("aws:ec2/securityGroup:SecurityGroup", "ec2", _open_to_all, ["ingress[2]"]),
    "tags of a network": (
        "aws:ec2/vpc:Vpc",
        "ec2",
        lambda ec2, made: ec2.create_tags(Resources=[made.id], Tags=[{"Key": "owner", "Value": "nobody"}]),
        ["tags.owner"],
    ),
    "DNS names of a network": (
        "aws:ec2/vpc:Vpc",
        "ec2",
        lambda ec2, made: ec2.modify_vpc_attribute(VpcId=made.id, EnableDnsHostnames={"Value": False}),
        ["enableDnsHostnames"],
    ),
    "trust of a role": (
        "aws:iam/role:Role",
        "iam",
        lambda iam, made: iam.update_assume_role_policy(RoleName=made.id, PolicyDocument=trust("s3.amazonaws.com")),
        ["assumeRolePolicy"],
    ),
    "versioning of a bucket": (
        "aws:s3/bucketVersioning:BucketVersioning",
        "s3",
        lambda s3, made: s3.put_bucket_versioning(Bucket=made.id, VersioningConfiguration={"Status": "Suspended"}),
        ["versioningConfiguration.status"],
    ),
    "public access of a bucket": (
        "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
        "s3",
        lambda s3, made: s3.put_public_access_block(
            Bucket=made.id,
            PublicAccessBlockConfiguration={"BlockPublicAcls": True},
        ),
        ["blockPublicPolicy"],
    ),
    "lifecycle of a bucket": (
        "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration",
        "s3",
        lambda s3, made: s3.put_bucket_lifecycle_configuration(
            Bucket=made.id,
            LifecycleConfiguration={
                "Rules": [
                    {
                        "ID": "checkpoints",
                        "Status": "Disabled",
                        "Filter": {"Prefix": "a"},
                        "Expiration": {"Days": 1},
                    },
                ],
            },
        ),
        [
            "rules[0].status",
            "rules[0].filter.and",
            "rules[0].filter.prefix",
            "rules[0].expiration",
            "rules[0].noncurrentVersionExpiration",
            "rules[0].transitions",
            "rules[1]",
        ],
    ),
    "retention of a queue": (
        "aws:sqs/queue:Queue",
        "sqs",
        lambda sqs, made: sqs.set_queue_attributes(QueueUrl=made.id, Attributes={"MessageRetentionPeriod": "60"}),
        ["messageRetentionSeconds"],
    ),
    "state of a rule": (
        "aws:cloudwatch/eventRule:EventRule",
        "events",
        lambda events, made: events.disable_rule(Name=made.id),
        ["state"],
    ),
    "tags of a file system": (
        "aws:fsx/lustreFileSystem:LustreFileSystem",
        "fsx",
        lambda fsx, made: fsx.untag_resource(ResourceARN=made.outputs["arn"], TagKeys=["owner"]),
        ["tags.owner"],
    ),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_a_change_by_hand_is_the_drift_that_a_refresh_reports(case: str, aws: Driver) -> None:
    kind, service, change, expected = BY_HAND[case]
    made = aws.create(kind, "example", EXAMPLES[kind].inputs(Estate(aws)))

    change(aws.client(service), made)
    now, drift = aws.refresh(made)

    assert sorted(drift) == sorted(expected)
    assert now is not None
    # The refreshed inputs describe the facts: refreshing again finds nothing new.
    assert aws.refresh(now)[1] == []


@pytest.mark.parametrize("case", BY_HAND)
def test_the_next_update_puts_back_what_drifted(case: str, aws: Driver) -> None:
    kind, service, change, _ = BY_HAND[case]
    estate = Estate(aws)
    wanted = EXAMPLES[kind].inputs(estate)
    made = aws.create(kind, "example", wanted)

    change(aws.client(service), made)
    drifted, _ = aws.refresh(made)
    assert drifted is not None
    restored = aws.update(drifted, wanted)

    assert aws.diff(restored, wanted).diffs == []


@pytest.mark.parametrize(
    ("kind", "document", "change", "expected"),
    [
        (
            "aws:ec2/placementGroup:PlacementGroup",
            "ec2-placement-group",
            {"Tags": {"owner": "nobody"}},
            ["tags.cost-center", "tags.environment", "tags.owner", "tags.workload"],
        ),
        ("aws:eks/addon:Addon", "eks-addon", {"addonVersion": "v9"}, ["addonVersion"]),
        ("aws:eks/accessEntry:AccessEntry", "eks-access-entry", {"kubernetesGroups": []}, ["kubernetesGroups[0]"]),
    ],
)
def test_what_only_the_store_holds_drifts_by_changing_its_document(
    kind: str,
    document: str,
    change: dict[str, object],
    expected: list[str],
    aws: Driver,
) -> None:
    made = aws.create(kind, "example", EXAMPLES[kind].inputs(Estate(aws)))
    store = aws.around.store
    (key,) = store.keys(document)

    store.change(document, key, lambda was: was | change)

    assert sorted(aws.refresh(made)[1]) == expected


def test_an_autoscalers_size_is_no_change_where_the_program_ignores_it(aws: Driver) -> None:
    estate = Estate(aws)
    inputs = estate.node_group_inputs()
    made = aws.create("aws:eks/nodeGroup:NodeGroup", "scaled", inputs)

    smaller = inputs | {"scalingConfig": {"minSize": 0, "desiredSize": 0, "maxSize": 4}}

    assert aws.diff(made, smaller).diffs == ["scalingConfig.desiredSize"]
    assert aws.diff(made, smaller, ["scalingConfig.desiredSize"]).diffs == []
    assert aws.diff(made, smaller, ["scalingConfig"]).diffs == []
    assert aws.diff(made, smaller, ["scalingConfig.*"]).diffs == []
    assert aws.diff(made, smaller, ["scalingConfig.desired"]).diffs == ["scalingConfig.desiredSize"]
