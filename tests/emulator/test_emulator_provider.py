"""The provider around the types: its configuration, its tags and regions, its functions, and what it does not cover."""

import asyncio
import json
from collections.abc import Callable

import pytest
from pulumi.provider.experimental.provider import CheckRequest, ConfigureRequest, DiffRequest, InvokeRequest

from emulated_aws import Driver, RefusedInputs
from emulated_estate import TAGS, Estate, policy
from gpulanes_lab.aws.invokes import FUNCTIONS
from gpulanes_lab.aws.provider import EmulatedAws
from gpulanes_lab.aws.registry import resources
from gpulanes_lab.aws.table import Refused
from gpulanes_lab.aws.values import UNKNOWN, Document, plain_map, wrap_map

VPC = "aws:ec2/vpc:Vpc"


def _configured(aws: Driver, settings: Document) -> dict[str, str]:
    request = CheckRequest("urn:pulumi:test::p::pulumi:providers:aws::lab", {}, wrap_map(settings), b"")
    answer = asyncio.run(aws.provider.check_config(request))
    return {one.property: one.reason for one in answer.failures or []}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"region": "us-west-2", "version": "7.51.1"},
        {"region": UNKNOWN, "defaultTags": UNKNOWN, "endpoints": UNKNOWN},
        {"skipCredentialsValidation": "true", "skipRequestingAccountId": "true", "s3UsePathStyle": "true"},
        {"defaultTags": {"tags": {"owner": "ml-platform"}}},
        {"defaultTags": json.dumps({"tags": {"owner": "ml-platform"}})},
        {"endpoints": json.dumps([{"ec2": "http://127.0.0.1:5000", "eks": "http://localhost:5000"}])},
    ],
)
def test_a_provider_takes_the_settings_of_a_lab(settings: Document, aws: Driver) -> None:
    assert _configured(aws, settings) == {}


@pytest.mark.parametrize(
    ("settings", "path", "reason"),
    [
        ({"profile": "production"}, "profile", "does not take this setting"),
        ({"assumeRoles": []}, "assumeRoles", "does not take this setting"),
        ({"endpoints": [{"ec2": "https://ec2.amazonaws.com"}]}, "endpoints[0].ec2", "leaves this machine"),
        ({"endpoints": "ec2"}, "endpoints", "must be a list"),
        ({"defaultTags": {"tags": {"aws:a": "b"}}}, 'defaultTags.tags["aws:a"]', "reserved"),
        ({"defaultTags": {"owner": "b"}}, "defaultTags", "an object with tags"),
    ],
)
def test_a_setting_that_could_leave_the_lab_is_refused(
    settings: Document,
    path: str,
    reason: str,
    aws: Driver,
) -> None:
    assert reason in _configured(aws, settings)[path]


def test_a_provider_needs_a_region(aws: Driver) -> None:
    nowhere = EmulatedAws(type(aws.around)(aws.around.endpoint, aws.around.store, "", "", ""))
    request = CheckRequest("urn:pulumi:test::p::pulumi:providers:aws::lab", {}, {}, b"")

    answer = asyncio.run(nowhere.check_config(request))

    assert [one.property for one in answer.failures or []] == ["region"]


@pytest.mark.parametrize(("new", "changed"), [({"region": "eu-west-1"}, True), ({"region": "us-east-1"}, False)])
def test_a_changed_setting_updates_the_provider_and_replaces_nothing(
    new: Document,
    aws: Driver,
    *,
    changed: bool,
) -> None:
    request = DiffRequest("urn", "id", wrap_map({"region": "us-east-1"}), wrap_map(new), [])

    answer = asyncio.run(aws.provider.diff_config(request))

    assert answer.changes is changed
    assert answer.replaces == []


def test_a_provider_of_another_account_is_refused(aws: Driver) -> None:
    configure = ConfigureRequest({}, wrap_map({"allowedAccountIds": '["999999999999"]'}), True, True)  # noqa: FBT003

    with pytest.raises(Refused, match="none of allowedAccountIds 999999999999"):
        asyncio.run(aws.provider.configure(configure))


def test_default_tags_reach_every_resource_and_stay_out_of_its_own(aws_with: Callable[[Document], Driver]) -> None:
    aws = aws_with({"defaultTags": {"tags": {"project": "gpulanes", "owner": "default"}}})
    made = aws.create(VPC, "vpc", {"cidrBlock": "10.0.0.0/16", "tags": {"owner": "ml-platform"}})

    assert made.outputs["tags"] == {"owner": "ml-platform"}
    assert made.outputs["tagsAll"] == {"project": "gpulanes", "owner": "ml-platform"}
    assert aws.refresh(made)[1] == []
    described = aws.client("ec2").describe_vpcs(VpcIds=[made.id])["Vpcs"][0]["Tags"]
    assert {one["Key"]: one["Value"] for one in described} == made.outputs["tagsAll"]


def test_changed_default_tags_update_what_stands(aws_with: Callable[[Document], Driver]) -> None:
    before = aws_with({"defaultTags": {"tags": {"project": "old"}}})
    made = before.create(VPC, "vpc", {"cidrBlock": "10.0.0.0/16", "tags": TAGS})
    after = aws_with({"defaultTags": {"tags": {"project": "new"}}})
    wanted = {"cidrBlock": "10.0.0.0/16", "tags": TAGS}

    assert after.diff(made, wanted).diffs == ["tagsAll"]
    after.made.append(made)
    assert after.update(made, wanted).outputs["tagsAll"] == {"project": "new", **TAGS}


def test_a_resource_may_live_in_another_region(aws: Driver) -> None:
    made = aws.create(VPC, "far", {"cidrBlock": "10.0.0.0/16", "region": "eu-west-1"})

    assert made.outputs["region"] == "eu-west-1"
    assert made.outputs["arn"].startswith("arn:aws:ec2:eu-west-1:")
    assert aws.client("ec2").describe_vpcs(Filters=[{"Name": "vpc-id", "Values": [made.id]}])["Vpcs"] == []
    assert aws.refresh(made)[1] == []
    assert aws.diff(made, {"cidrBlock": "10.0.0.0/16", "region": "us-west-2"}).replaces == ["region"]


def test_a_provider_that_moves_replaces_what_it_made(aws_with: Callable[[Document], Driver]) -> None:
    made = aws_with({"region": "us-east-1"}).create(VPC, "vpc", {"cidrBlock": "10.0.0.0/16"})

    assert aws_with({"region": "us-west-2"}).diff(made, {"cidrBlock": "10.0.0.0/16"}).replaces == ["region"]


def test_a_bucket_of_another_region_says_so(aws: Driver) -> None:
    made = aws.create("aws:s3/bucket:Bucket", "far", {"region": "eu-west-1"})

    assert made.outputs["bucketRegion"] == "eu-west-1"
    assert made.outputs["bucketRegionalDomainName"] == f"{made.id}.s3.eu-west-1.amazonaws.com"


def test_an_emulated_cluster_answers_with_the_labs_api_server(aws: Driver) -> None:
    estate = Estate(aws)
    estate.cluster()
    outputs = estate.parts["cluster"].outputs

    assert outputs["endpoint"] == aws.around.kube_endpoint
    assert outputs["certificateAuthority"] == {"data": aws.around.kube_ca}
    assert outputs["identities"][0]["oidcs"][0]["issuer"].startswith("https://oidc.eks.")
    assert outputs["vpcConfig"]["vpcId"] == estate.vpc()
    group = outputs["vpcConfig"]["clusterSecurityGroupId"]
    assert aws.client("ec2").describe_security_groups(GroupIds=[group])["SecurityGroups"]


@pytest.mark.parametrize(
    "kind", ["aws:rds/instance:Instance", "aws:ec2/instance:Instance", "aws:eks/nodeGroup:nodegroup"]
)
def test_a_type_that_is_not_covered_is_refused_by_name_with_those_that_are(kind: str, aws: Driver) -> None:
    with pytest.raises(Refused) as refused:
        aws.check(kind, "other", {})

    assert str(refused.value).startswith(f"{kind} is not covered by the emulated aws provider")
    for covered in resources():
        assert covered in str(refused.value)


def test_a_property_that_is_not_covered_is_refused_never_ignored(aws: Driver) -> None:
    with pytest.raises(RefusedInputs) as refused:
        aws.check("aws:s3/bucket:Bucket", "b", {"websites": [], "acl": "private"})

    assert set(refused.value.found) == {"websites", "acl"}


def _invoked(aws: Driver, token: str, arguments: Document) -> Document:
    return plain_map(asyncio.run(aws.provider.invoke(InvokeRequest(token, wrap_map(arguments)))).return_value or {})


def test_the_provider_says_who_and_where_it_is(aws: Driver) -> None:
    identity = _invoked(aws, "aws:index/getCallerIdentity:getCallerIdentity", {})
    region = _invoked(aws, "aws:index/getRegion:getRegion", {})
    partition = _invoked(aws, "aws:index/getPartition:getPartition", {})
    zones = _invoked(aws, "aws:index/getAvailabilityZones:getAvailabilityZones", {"state": "available"})

    assert identity["accountId"] == "123456789012"
    assert region["region"] == region["name"] == "us-east-1"
    assert partition["partition"] == "aws"
    assert zones["names"][:2] == ["us-east-1a", "us-east-1b"]
    assert len(zones["zoneIds"]) == len(zones["names"])


def test_a_policy_document_is_written_as_iam_reads_it(aws: Driver) -> None:
    statement = {
        "sid": "Read",
        "actions": ["s3:GetObject"],
        "resources": ["a", "b"],
        "principals": [{"type": "Service", "identifiers": ["ec2.amazonaws.com"]}],
        "conditions": [{"test": "StringEquals", "variable": "aws:a", "values": ["b"]}],
    }

    answer = _invoked(aws, "aws:iam/getPolicyDocument:getPolicyDocument", {"statements": [statement]})

    assert json.loads(answer["json"])["Statement"] == [
        {
            "Effect": "Allow",
            "Sid": "Read",
            "Action": "s3:GetObject",
            "Resource": ["a", "b"],
            "Principal": {"Service": "ec2.amazonaws.com"},
            "Condition": {"StringEquals": {"aws:a": ["b"]}},
        },
    ]
    assert json.loads(answer["minifiedJson"]) == json.loads(answer["json"])


def test_a_function_that_is_not_covered_is_refused_by_name(aws: Driver) -> None:
    with pytest.raises(Refused) as refused:
        _invoked(aws, "aws:ec2/getAmi:getAmi", {})

    assert "aws:ec2/getAmi:getAmi is not covered" in str(refused.value)
    for covered in FUNCTIONS:
        assert covered in str(refused.value)


def test_an_argument_that_a_function_does_not_cover_is_refused(aws: Driver) -> None:
    with pytest.raises(Refused, match="sourcePolicyDocuments is not covered"):
        _invoked(aws, "aws:iam/getPolicyDocument:getPolicyDocument", {"sourcePolicyDocuments": [policy()]})
