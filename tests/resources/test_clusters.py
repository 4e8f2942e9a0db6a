import json
from typing import Any

import pulumi
import pytest

from builders_resources import TAGS, ZONES
from gpulanes.resources import ArgumentsError, ClusterRef, GpuCluster, connection, existing_cluster
from recording import Registrations, record

CLUSTER = "aws:eks/cluster:Cluster"
SUBNET = "aws:ec2/subnet:Subnet"


def made(**changed: Any) -> tuple[Registrations, ClusterRef]:  # noqa: ANN401
    refs: list[ClusterRef] = []
    args: Any = {"kubernetes": "1.34", "zones": list(ZONES), "tags": dict(TAGS), **changed}
    found = record(lambda: refs.append(GpuCluster("chat-test", args).ref))
    return found, refs[0]


def test_only_the_network_itself_reaches_the_api_server_unless_addresses_are_named() -> None:
    closed = made()[0].one(CLUSTER).props["vpcConfig"]
    assert (closed["endpointPrivateAccess"], closed["endpointPublicAccess"]) == (True, False)
    opened = made(api_access_cidrs=["192.0.2.0/24"])[0].one(CLUSTER).props["vpcConfig"]
    assert (opened["endpointPublicAccess"], opened["publicAccessCidrs"]) == (True, ["192.0.2.0/24"])


def test_a_cluster_is_guarded_in_pulumi_and_in_aws_unless_told_otherwise() -> None:
    guarded, free = made()[0].one(CLUSTER), made(protect=False)[0].one(CLUSTER)
    assert (guarded.protect, guarded.props["deletionProtection"]) == (True, True)
    assert (free.protect, free.props["deletionProtection"]) == (False, False)


def test_access_goes_through_the_api_and_the_log_is_kept() -> None:
    props = made()[0].one(CLUSTER).props
    assert props["accessConfig"]["authenticationMode"] == "API"
    assert "audit" in props["enabledClusterLogTypes"]
    assert props["upgradePolicy"] == {"supportType": "STANDARD"}


def test_each_zone_has_a_way_out_of_its_own() -> None:
    found = made()[0]
    assert len(found.of("aws:ec2/natGateway:NatGateway")) == len(ZONES)
    assert len(found.of(SUBNET)) == 2 * len(ZONES)
    private = {item.props["natGatewayId"] for item in found.of("aws:ec2/route:Route") if "natGatewayId" in item.props}
    assert private == {f"chat-test-{zone}-id" for zone in ZONES}


def test_adding_a_zone_moves_no_other() -> None:
    def layout(zones: list[str]) -> dict[str, str]:
        return {item.name: item.props["cidrBlock"] for item in made(zones=zones)[0].of(SUBNET)}

    few, more = layout(["us-east-1b"]), layout(["us-east-1a", "us-east-1b", "us-east-1f"])
    assert few.items() <= more.items()


def test_the_fabric_group_lets_in_and_out_all_traffic_of_its_own() -> None:
    found = made()[0]
    for type_ in ("SecurityGroupIngressRule", "SecurityGroupEgressRule"):
        rule = found.one(f"aws:vpc/s{type_[1:]}:{type_}").props
        assert rule["ipProtocol"] == "-1"
        assert rule["securityGroupId"] == rule["referencedSecurityGroupId"] == "chat-test-fabric-id"


def test_karpenter_hears_every_kind_of_interruption_on_a_queue_named_after_the_cluster() -> None:
    found = made()[0]
    assert found.one("aws:sqs/queue:Queue").props["name"] == "chat-test"
    patterns = [json.loads(item.props["eventPattern"]) for item in found.of("aws:cloudwatch/eventRule:EventRule")]
    assert {pattern["detail-type"][0] for pattern in patterns} == {
        "AWS Health Event",
        "EC2 Spot Instance Interruption Warning",
        "EC2 Instance Rebalance Recommendation",
        "EC2 Instance State-change Notification",
        "EC2 Capacity Reservation Instance Interruption Warning",
    }
    policy = json.loads(found.one("aws:sqs/queuePolicy:QueuePolicy").props["policy"])
    assert [statement["Effect"] for statement in policy["Statement"]] == ["Allow", "Deny"]


def test_nodes_may_join_by_their_role() -> None:
    entry = made()[0].one("aws:eks/accessEntry:AccessEntry").props
    assert entry["type"] == "EC2_LINUX"
    assert entry["principalArn"] == "arn:aws:test:::chat-test-nodes"


def test_everything_that_takes_tags_carries_the_cost_tags() -> None:
    untaggable = ("Route", "RouteTableAssociation", "RolePolicyAttachment", "QueuePolicy", "EventTarget")
    for item in made()[0]:
        if item.custom and not item.type.endswith(untaggable):
            assert {**TAGS, "workload": "system"}.items() <= item.props["tags"].items(), item.name


def test_the_reference_has_what_pools_need_and_keeps_its_order() -> None:
    known: dict[str, Any] = {}

    def program() -> None:
        ref = GpuCluster("chat-test", kubernetes="1.34", zones=list(ZONES), tags=dict(TAGS)).ref
        pulumi.Output.all(**{key: value for key, value in ref.items() if key != "version"}).apply(known.update)

    record(program)
    assert known["security_group_id"] == "sg-nodes"
    assert known["certificate_authority"] == "Y2E="
    assert known["oidc_issuer"] == "https://oidc.example"
    assert known["interruption_queue"] == "chat-test"
    assert known["subnets"] == {zone: f"chat-test-{zone}-private-id" for zone in ZONES}


def test_given_subnets_are_used_and_no_network_is_made() -> None:
    subnets = {zone: f"subnet-{zone}" for zone in ZONES}
    found, ref = made(subnets=subnets, vpc_id="vpc-1")
    assert found.of("aws:ec2/vpc:Vpc") == []
    assert ref["subnets"] == subnets
    assert found.one(CLUSTER).props["vpcConfig"]["subnetIds"] == list(subnets.values())


@pytest.mark.parametrize(
    ("changed", "codes"),
    [
        ({"cidr": "10.0.0.0/24"}, ["network-cidr"]),
        ({"cidr": "ten"}, ["network-cidr"]),
        ({"zones": ["us-west-2-lax-1a"]}, ["network-zone"]),
        ({"vpc_id": "vpc-1"}, ["network-given"]),
        ({"subnets": {"us-east-1a": "subnet-a"}, "vpc_id": "vpc-1"}, ["network-given"]),
        ({"subnets": "subnet-a", "vpc_id": "vpc-1"}, ["guarded-output"]),
        ({"kubernetes": 134, "zone": [], "tags": None}, ["argument-unknown", "argument-missing", "argument"]),
    ],
)
def test_a_cluster_that_cannot_be_is_refused_before_anything_is_registered(
    changed: dict[str, Any], codes: list[str]
) -> None:
    with pytest.raises(ArgumentsError) as refused:
        made(**changed)
    assert [problem.code for problem in refused.value.problems] == codes


def test_a_zone_that_is_an_output_is_refused_with_the_reason() -> None:
    def program() -> None:
        zones: Any = [pulumi.Output.from_input("us-east-1a")]
        GpuCluster("c", kubernetes="1.34", zones=zones, tags={})

    with pytest.raises(ArgumentsError, match="a policy must see it at preview"):
        record(program)


def test_the_connection_gets_its_token_from_the_clouds_own_command() -> None:
    def program() -> None:
        connection("chat-test", GpuCluster("chat-test", kubernetes="1.34", zones=list(ZONES), tags={}).ref, "us-east-1")

    props = record(program).one("pulumi:providers:kubernetes").props
    assert props["clusterIdentifier"] == "chat-test"
    config = json.loads(props["kubeconfig"])
    assert config["users"][0]["user"]["exec"]["args"][-4:] == ["--cluster-name", "chat-test", "--region", "us-east-1"]
    assert config["clusters"][0]["cluster"]["server"] == "https://cluster.example"


def test_an_existing_cluster_is_described_with_the_outputs_of_another_stack() -> None:
    described = {
        "name": "shared",
        "endpoint": "https://e",
        "certificateAuthority": "Y2E=",
        "version": "1.34",
        "vpcId": "vpc-1",
        "subnets": {"us-east-1a": "subnet-a"},
        "securityGroupId": "sg-1",
        "nodeRoleName": "nodes",
        "nodeRoleArn": "arn",
    }
    assert existing_cluster(described)["certificate_authority"] == "Y2E="
    with pytest.raises(ArgumentsError) as refused:
        existing_cluster({"name": "shared", "subnet": {}})
    paths = {problem.path for problem in refused.value.problems}
    assert {"existing cluster: cluster.subnet", "existing cluster: cluster.subnets"} <= paths
