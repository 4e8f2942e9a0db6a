"""What AWS refuses because of something else that stands, or does not stand."""

from collections.abc import Callable

import pytest

from emulated_aws import Driver
from emulated_estate import Estate, trust
from emulated_examples import EXAMPLES
from emulated_limits import CAPACITY_BLOCK, EFA
from gpulanes_lab.aws.table import Refused
from gpulanes_lab.aws.values import Document

NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
LUSTRE = "aws:fsx/lustreFileSystem:LustreFileSystem"
LINK = "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"


@pytest.fixture
def estate(aws: Driver) -> Estate:
    """An estate of its own."""
    return Estate(aws)


def _with_template(estate: Estate, template: Document, **changed: object) -> Document:
    made = estate.aws.create(TEMPLATE, "template", template)
    return estate.node_group_inputs(launchTemplate={"id": made.id, "version": "1"}, **changed)


def _template(template: Document, **changed: object) -> Callable[[Estate], Document]:
    return lambda estate: _with_template(estate, template, **changed)


def _elsewhere(estate: Estate) -> Document:
    other = estate.part("elsewhere", "aws:ec2/vpc:Vpc", lambda: {"cidrBlock": "10.1.0.0/16"}).id
    place = {"vpcId": other, "cidrBlock": "10.1.0.0/24"}
    return estate.node_group_inputs(subnetIds=[estate.part("far", "aws:ec2/subnet:Subnet", lambda: place).id])


BLOCK: Document = {"capacityType": "CAPACITY_BLOCK", "instanceTypes": None, "amiType": "AL2023_x86_64_NVIDIA"}

NODE_GROUPS: dict[str, tuple[Callable[[Estate], Document], str]] = {
    "no cluster": (lambda estate: estate.node_group_inputs(clusterName="none"), "No cluster found"),
    "no role": (
        lambda estate: estate.node_group_inputs(nodeRoleArn="arn:aws:iam::123456789012:role/none"),
        "could not be assumed",
    ),
    "another's role": (
        lambda estate: estate.node_group_inputs(nodeRoleArn=estate.role("eks.amazonaws.com").outputs["arn"]),
        "could not be assumed",
    ),
    "no subnet": (lambda estate: estate.node_group_inputs(subnetIds=["subnet-0"]), "'subnet-0' does not exist"),
    "another network": (_elsewhere, "is not in the cluster's VPC"),
    "no template": (
        lambda estate: estate.node_group_inputs(launchTemplate={"id": "lt-00000000000000000", "version": "1"}),
        "lt-00000000000000000 does not exist",
    ),
    "no version": (
        lambda estate: estate.node_group_inputs(launchTemplate={"id": estate.template().id, "version": "7"}),
        "version 7",
    ),
    "type in two places": (_template({"instanceType": "g6e.12xlarge"}), "give the type in one place"),
    "instance profile": (_template({"iamInstanceProfile": {"name": "p"}}), "the node role takes its place"),
    "subnet in the template": (
        _template({"networkInterfaces": [{"deviceIndex": 0, "subnetId": "subnet-1"}]}),
        "the group's subnetIds take its place",
    ),
    "spot market": (_template({"instanceMarketOptions": {"marketType": "spot"}}), "set capacityType SPOT"),
    "spot on a block": (
        _template(CAPACITY_BLOCK, capacityType="SPOT", instanceTypes=None),
        "SPOT with a capacity-block launch template",
    ),
    "block without its market": (
        lambda estate: estate.node_group_inputs(**BLOCK, subnetIds=[estate.subnet("a")]),
        "needs a launch template of the capacity-block market",
    ),
    "more fabric than the type has": (
        _template({"networkInterfaces": EFA}, instanceTypes=["p5.48xlarge", "p5en.48xlarge"]),
        "p5en.48xlarge takes at most 16",
    ),
    "image and AMI type": (_template({"imageId": "ami-1"}), "when the launch template names an image"),
    "newer than the control plane": (
        lambda estate: estate.node_group_inputs(version="1.35"),
        "newer than the control plane's 1.34",
    ),
    "AL2 on a newer cluster": (
        lambda estate: estate.node_group_inputs(amiType="AL2_x86_64_GPU"),
        "1.32 or earlier",
    ),
}


@pytest.mark.parametrize("case", NODE_GROUPS)
def test_a_node_group_that_does_not_fit_its_surroundings_is_refused(case: str, estate: Estate) -> None:
    inputs, reason = NODE_GROUPS[case]

    with pytest.raises(Refused, match=reason):
        estate.aws.create(NODE_GROUP, "refused", inputs(estate))

    assert estate.aws.client("eks").list_nodegroups(clusterName=estate.cluster())["nodegroups"] == []


def test_a_capacity_block_group_takes_its_type_from_the_template(estate: Estate) -> None:
    made = estate.aws.create(
        NODE_GROUP,
        "block",
        _with_template(estate, CAPACITY_BLOCK, **BLOCK, subnetIds=[estate.subnet("a")]),
    )

    assert made.outputs["capacityType"] == "CAPACITY_BLOCK"
    assert "instanceTypes" not in made.outputs
    assert estate.aws.refresh(made)[1] == []


def test_a_custom_image_makes_the_ami_type_custom(estate: Estate) -> None:
    made = estate.aws.create(NODE_GROUP, "custom", _with_template(estate, {"imageId": "ami-1"}, amiType=None))

    assert made.outputs["amiType"] == "CUSTOM"
    assert "releaseVersion" not in made.outputs
    with pytest.raises(Refused, match="cannot switch between a custom image and an EKS image"):
        estate.aws.update(made, estate.node_group_inputs(amiType=None))


def test_a_cluster_needs_two_zones_of_one_network(estate: Estate) -> None:
    place = {"vpcId": estate.vpc(), "cidrBlock": "10.0.9.0/24", "availabilityZone": "us-east-1a"}
    beside = estate.part("beside", "aws:ec2/subnet:Subnet", lambda: place).id
    inputs = estate.cluster_inputs()

    with pytest.raises(Refused, match="at least two different AZs"):
        estate.aws.create(
            "aws:eks/cluster:Cluster", "one", {**inputs, "vpcConfig": {"subnetIds": [estate.subnet("a"), beside]}}
        )


def test_a_cluster_with_node_groups_is_not_deleted(estate: Estate) -> None:
    estate.aws.create(NODE_GROUP, "group", estate.node_group_inputs())

    with pytest.raises(Refused, match="nodegroups attached"):
        estate.aws.delete(estate.parts["cluster"])


def test_deletion_protection_keeps_a_cluster_until_it_is_off(estate: Estate) -> None:
    kind = "aws:eks/cluster:Cluster"
    made = estate.aws.create(kind, "kept", {**estate.cluster_inputs(), "deletionProtection": True})

    with pytest.raises(Refused, match="deletion protection"):
        estate.aws.delete(made)

    freed = estate.aws.update(made, {**estate.cluster_inputs(), "deletionProtection": False})
    estate.aws.delete(freed)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"version": "1.36"}, "version update from 1.34 to 1.36"),
        ({"version": "1.33"}, "version update from 1.34 to 1.33"),
        ({"accessConfig": {"authenticationMode": "CONFIG_MAP"}}, "authentication mode update from API"),
    ],
)
def test_a_cluster_update_that_eks_would_not_make_is_refused(changed: Document, reason: str, estate: Estate) -> None:
    estate.cluster()

    with pytest.raises(Refused, match=reason):
        estate.aws.update(estate.parts["cluster"], estate.cluster_inputs() | changed)


def test_access_entries_need_a_cluster_that_takes_them(estate: Estate) -> None:
    inputs = {**estate.cluster_inputs(), "accessConfig": {"authenticationMode": "CONFIG_MAP"}}
    name = estate.aws.create("aws:eks/cluster:Cluster", "old", inputs).id
    entry = {"clusterName": name, "principalArn": "arn:aws:iam::123456789012:role/r"}

    with pytest.raises(Refused, match="authentication mode must be set"):
        estate.aws.create("aws:eks/accessEntry:AccessEntry", "entry", entry)


@pytest.mark.parametrize(
    "kind",
    [
        "aws:eks/accessEntry:AccessEntry",
        "aws:eks/addon:Addon",
        "aws:ec2/route:Route",
        "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    ],
)
def test_the_same_thing_twice_is_refused(kind: str, estate: Estate) -> None:
    inputs = EXAMPLES[kind].inputs(estate)
    estate.aws.create(kind, "first", inputs)

    with pytest.raises(Refused, match=r"already (in use|exists)"):
        estate.aws.create(kind, "second", inputs)


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [
        ("aws:s3/bucket:Bucket", {"bucket": "taken-by-the-tests"}),
        ("aws:ec2/placementGroup:PlacementGroup", {"name": "taken", "strategy": "cluster"}),
        ("aws:iam/role:Role", {"name": "taken", "assumeRolePolicy": trust("ec2.amazonaws.com")}),
        (TEMPLATE, {"name": "taken"}),
    ],
)
def test_a_name_that_is_taken_is_refused(kind: str, inputs: Document, aws: Driver) -> None:
    aws.create(kind, "first", inputs)

    with pytest.raises(Refused, match=r"(?i)already"):
        aws.create(kind, "second", inputs)


def test_a_queue_of_the_same_attributes_is_the_same_queue_and_of_others_is_refused(aws: Driver) -> None:
    made = aws.create("aws:sqs/queue:Queue", "first", {"name": "taken", "delaySeconds": 5})

    assert aws.create("aws:sqs/queue:Queue", "second", {"name": "taken", "delaySeconds": 5}).id == made.id
    with pytest.raises(Refused, match=r"(?i)already"):
        aws.create("aws:sqs/queue:Queue", "third", {"name": "taken", "delaySeconds": 6})


def test_a_bucket_that_holds_something_is_kept_unless_force_destroy_says_otherwise(aws: Driver) -> None:
    made = aws.create("aws:s3/bucket:Bucket", "full", {})
    aws.client("s3").put_object(Bucket=made.id, Key="a", Body=b"x")

    with pytest.raises(Refused, match="BucketNotEmpty"):
        aws.delete(made)

    aws.delete(aws.update(made, {"forceDestroy": True}))


def test_a_setting_of_a_bucket_that_is_not_there_is_refused(aws: Driver) -> None:
    for kind, example in EXAMPLES.items():
        if kind.startswith("aws:s3/bucket") and kind != "aws:s3/bucket:Bucket":
            inputs = example.inputs(Estate(aws)) | {"bucket": "no-such-bucket-anywhere"}
            with pytest.raises(Refused, match="NoSuchBucket"):
                aws.create(kind, "refused", inputs)


def test_versioning_once_on_is_suspended_but_never_off(estate: Estate) -> None:
    kind = "aws:s3/bucketVersioning:BucketVersioning"
    made = estate.aws.create(kind, "v", EXAMPLES[kind].inputs(estate))

    with pytest.raises(Refused, match="suspended, not disabled"):
        estate.aws.update(made, {**made.inputs, "versioningConfiguration": {"status": "Disabled"}})


@pytest.mark.parametrize(
    ("system", "link", "reason"),
    [
        ({"automaticBackupRetentionDays": 7}, {}, "cannot have backups"),
        ({}, {"dataRepositoryPath": "s3://no-such-bucket-anywhere/a"}, "does not exist"),
        ({}, {"fileSystemId": "fs-00000000"}, "FileSystemNotFound"),
        (
            {
                "deploymentType": "SCRATCH_1",
                "perUnitStorageThroughput": None,
                "metadataConfiguration": None,
                "storageCapacity": 3600,
            },
            {},
            "not supported on SCRATCH_1",
        ),
    ],
)
def test_a_file_system_that_cannot_be_linked_is_refused(
    system: Document,
    link: Document,
    reason: str,
    estate: Estate,
) -> None:
    inputs = estate.file_system_inputs() | system
    estate.part("lustre", LUSTRE, lambda: {name: value for name, value in inputs.items() if value is not None})

    with pytest.raises(Refused, match=reason):
        estate.aws.create(LINK, "link", EXAMPLES[LINK].inputs(estate) | link)


def test_links_do_not_overlap_and_are_at_most_eight(estate: Estate) -> None:
    inputs = EXAMPLES[LINK].inputs(estate)
    for number in range(8):
        place = {"fileSystemPath": f"/{number}", "dataRepositoryPath": f"s3://{estate.bucket()}/{number}"}
        estate.aws.create(LINK, f"link-{number}", inputs | place)

    with pytest.raises(Refused, match=r"at most 8 associations.*/3/below overlaps /3"):
        estate.aws.create(LINK, "ninth", inputs | {"fileSystemPath": "/3/below"})


def test_backups_are_not_switched_on_once_a_file_system_is_linked(estate: Estate) -> None:
    estate.aws.create(LINK, "link", EXAMPLES[LINK].inputs(estate))

    with pytest.raises(Refused, match="linked to S3"):
        estate.aws.update(
            estate.file_system(),
            {**estate.file_system_inputs(), "automaticBackupRetentionDays": 7},
        )


def test_the_throughput_of_an_efa_file_system_is_frozen(estate: Estate) -> None:
    inputs = {**estate.file_system_inputs(), "efaEnabled": True, "storageCapacity": 38400}
    made = estate.aws.create(LUSTRE, "efa", inputs)

    with pytest.raises(Refused, match="cannot be changed"):
        estate.aws.update(made, {**inputs, "perUnitStorageThroughput": 125})


def test_a_security_group_that_another_refers_to_is_kept(estate: Estate) -> None:
    kind = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
    referred = estate.group("referred")
    place = {"securityGroupId": estate.group(), "referencedSecurityGroupId": referred, "ipProtocol": "-1"}
    estate.aws.create(kind, "rule", place)

    with pytest.raises(Refused, match="DependencyViolation"):
        estate.aws.delete(estate.parts["referred"])


def test_a_rules_peer_does_not_change_its_kind(estate: Estate) -> None:
    kind = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
    made = estate.aws.create(kind, "rule", EXAMPLES[kind].inputs(estate))

    with pytest.raises(Refused, match="make another rule"):
        estate.aws.update(made, {"securityGroupId": estate.group(), "cidrIpv4": "10.0.0.0/8", "ipProtocol": "-1"})


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("aws:ec2/subnet:Subnet", {"vpcId": "vpc-00000000"}),
        ("aws:ec2/natGateway:NatGateway", {"subnetId": "subnet-00000000"}),
        ("aws:ec2/securityGroup:SecurityGroup", {"vpcId": "vpc-00000000"}),
        ("aws:ec2/routeTableAssociation:RouteTableAssociation", {"subnetId": "subnet-00000000"}),
        (
            "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
            {"policyArn": "arn:aws:iam::aws:policy/NoSuch"},
        ),
        ("aws:iam/rolePolicy:RolePolicy", {"role": "no-such-role"}),
        ("aws:cloudwatch/eventTarget:EventTarget", {"rule": "no-such-rule"}),
        ("aws:sqs/queuePolicy:QueuePolicy", {"queueUrl": "http://127.0.0.1/123456789012/none"}),
    ],
)
def test_a_reference_to_what_is_not_there_is_refused(kind: str, change: Document, estate: Estate) -> None:
    inputs = EXAMPLES[kind].inputs(estate) | change

    with pytest.raises(Refused, match=r"does not exist|NoSuch|NotFound|NonExistent|cannot be found"):
        estate.aws.create(kind, "refused", inputs)
