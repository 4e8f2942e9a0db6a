"""Raw AWS and Kubernetes resources of a program, and what they refer to."""

from typing import Any

import pytest

from builders_facts import pulumi_resources, read_yaml
from gpulanes.facts import UNKNOWN, Facts, PulumiResource, from_pulumi, plain_value
from gpulanes.facts.aws import LAUNCH_TEMPLATE, NODE_GROUP, SUBNET
from gpulanes.facts.from_pulumi import is_read
from gpulanes.facts.model import PoolFacts
from gpulanes.facts.provider import ami_types_for, architecture_of, is_accelerated, provider_data

SECRET = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270"}
UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"


def facts(text: str, *, whole: bool = True) -> Facts:
    return from_pulumi(pulumi_resources(read_yaml(text)), whole=whole)


def pool(text: str) -> PoolFacts:
    (found,) = facts(text).pools
    return found


def resource(token: str, called: str, **props: Any) -> PulumiResource:  # noqa: ANN401 - properties
    return PulumiResource(token, f"urn::{token}::{called}", called, props)


def test_plain_values_lose_what_only_the_wire_needs() -> None:
    assert plain_value({"a": [1.0, 2.5, True, None], "b": "text"}) == {"a": [1, 2.5, True, None], "b": "text"}
    assert plain_value({**SECRET, "value": 3.0}) == 3
    assert plain_value(UNKNOWN_TEXT) is UNKNOWN
    assert plain_value("[secret]") is UNKNOWN
    assert plain_value({**SECRET, "ciphertext": "x"}) is UNKNOWN


def test_a_node_group_takes_its_zones_from_the_subnets_it_depends_on() -> None:
    assert pool("[{like: inference node group}]").zones.value == ("us-east-1a", "us-east-1b", "us-east-1c")


def test_literal_ids_find_their_resources_too() -> None:
    subnet = resource(SUBNET, "a", id="subnet-a", availabilityZoneId="use1-az1")
    template = resource(LAUNCH_TEMPLATE, "t", id="lt-1", name="serving", instanceType="g6e.12xlarge")
    by_id = resource(NODE_GROUP, "g", subnetIds=["subnet-a"], launchTemplate={"id": "lt-1"})
    by_name = resource(NODE_GROUP, "h", subnetIds=["subnet-a", "subnet-x"], launchTemplate={"name": "serving"})
    for group in (by_id, by_name):
        (found,) = from_pulumi([subnet, template, group]).pools
        assert found.zones.value == ("use1-az1",)
        assert found.types.value == ("g6e.12xlarge",)
        assert found.accelerated.value is True


def test_a_subnet_that_does_not_tell_its_zone_leaves_the_zones_open() -> None:
    subnet = resource(SUBNET, "a", id="subnet-a", availabilityZone=UNKNOWN)
    group = resource(NODE_GROUP, "g", subnetIds=["subnet-a"])
    assert not from_pulumi([subnet, group]).pools[0].zones.known


def test_a_launch_template_by_requirements_leaves_the_types_open() -> None:
    template = resource(LAUNCH_TEMPLATE, "t", id="lt-1", instanceRequirements={"vcpuCount": {"min": 8}})
    group = resource(NODE_GROUP, "g", launchTemplate={"id": "lt-1"})
    found = from_pulumi([template, group]).pools[0]
    assert not found.types.known
    assert found.types.path == "launchTemplate.instanceRequirements"


def test_market_options_without_a_type_are_spot() -> None:
    template = resource(LAUNCH_TEMPLATE, "t", id="lt-1", instanceMarketOptions={}, tagSpecifications=UNKNOWN)
    found = from_pulumi([template, resource(NODE_GROUP, "g", launchTemplate={"id": "lt-1"})]).pools[0]
    assert found.market.value == "spot"
    assert not found.instance_tags["volume"].known


def test_a_tag_specification_of_unknown_kind_may_be_the_one() -> None:
    specifications = [{"resourceType": UNKNOWN, "tags": {"owner": "x"}}, {"resourceType": "volume", "tags": UNKNOWN}]
    template = resource(LAUNCH_TEMPLATE, "t", id="lt-1", tagSpecifications=specifications)
    found = from_pulumi([template, resource(NODE_GROUP, "g", launchTemplate={"id": "lt-1"})]).pools[0]
    assert not found.instance_tags["instance"].known
    assert not found.instance_tags["volume"].known


def test_a_link_by_literal_id_counts_and_an_unknown_export_leaves_it_open() -> None:
    text = """
    - {like: training file system, props: {id: fs-1, deploymentType: SCRATCH_2}}
    - token: aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation
      name: link
      props: {fileSystemId: fs-1, s3: {autoExportPolicy: {events: EVENTS}}}
    """
    assert facts(text.replace("EVENTS", "[NEW, CHANGED]")).stores[0].export_events.value == ("CHANGED", "NEW")
    assert not facts(text.replace("EVENTS", "[NEW, !unknown '']")).stores[0].export_events.known


def test_a_link_of_another_file_system_is_another_ones() -> None:
    found = facts("""
    - {like: training file system, props: {deploymentType: SCRATCH_2}}
    - {like: training file system, name: cold}
    - {like: repository link, file_system: cold}
    """)
    assert [store.export_events.value for store in found.stores] == [(), ("CHANGED", "DELETED", "NEW")]


def test_a_link_may_still_come_unless_the_stack_is_whole() -> None:
    text = "[{like: training file system}]"
    assert facts(text).stores[0].export_events.value == ()
    assert not facts(text, whole=False).stores[0].export_events.known


@pytest.mark.parametrize(
    ("requirement", "accelerated"),
    [
        ("{key: karpenter.k8s.aws/instance-category, operator: In, values: [g, p]}", True),
        ("{key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m]}", False),
        ("{key: karpenter.k8s.aws/instance-family, operator: In, values: [p5]}", True),
        ("{key: karpenter.k8s.aws/instance-gpu-memory, operator: Gt, values: ['20480']}", True),
        ("{key: node.kubernetes.io/instance-type, operator: In, values: [m7i.xlarge]}", False),
    ],
)
def test_a_node_pool_has_gpus_when_its_requirements_ask_for_them(requirement: str, accelerated: bool) -> None:  # noqa: FBT001
    found = pool(f"""
    - token: kubernetes:karpenter.sh/v1:NodePool
      name: some
      props: {{spec: {{template: {{spec: {{requirements: [{requirement}]}}}}}}}}
    """)
    assert found.accelerated.value is accelerated
    assert found.capacity.value == ("reserved", "spot", "on-demand")


def test_requirements_that_cannot_be_read_leave_everything_open() -> None:
    found = pool("""
    - token: kubernetes:karpenter.sh/v1:NodePool
      name: some
      props: {spec: {template: {spec: {requirements: [{key: !unknown '', operator: In, values: [x]}]}}}}
    """)
    assert not found.accelerated.known
    assert not found.capacity.known


def test_a_template_label_that_is_not_known_leaves_its_key_open() -> None:
    found = pool("""
    - token: kubernetes:karpenter.sh/v1:NodePool
      name: some
      props: {spec: {template: {metadata: {labels: {karpenter.sh/capacity-type: !unknown ''}}}}}
    """)
    assert not found.capacity.known


def test_list_kinds_are_opened_and_patches_are_left_alone() -> None:
    found = facts("""
    - token: kubernetes:policy/v1:PodDisruptionBudgetList
      name: all
      props: {items: [{kind: PodDisruptionBudget, metadata: {name: chat}}, {metadata: {name: no-kind}}]}
    - {token: "kubernetes:policy/v1:PodDisruptionBudgetPatch", name: patch, props: {}}
    """)
    assert [pdb.name for pdb in found.pdbs] == ["chat"]


def test_a_workload_that_selects_a_lane_belongs_to_it() -> None:
    found = facts("""
    - token: kubernetes:apps/v1:Deployment
      name: chat
      props: {spec: {template: {spec: {nodeSelector: {workload: inference}}}}}
    """)
    assert found.workloads[0].kind.value == "inference"


def test_without_a_known_namespace_no_autoscaler_is_its_own() -> None:
    deployment = """
    - token: kubernetes:apps/v1:Deployment
      name: chat
      props: {metadata: {name: chat, namespace: !unknown ''}, spec: {replicas: 3}}
    """
    assert facts(deployment).workloads[0].replicas.value == 3
    scaled = """
    - token: kubernetes:autoscaling/v2:HorizontalPodAutoscaler
      name: chat
      props: {metadata: {namespace: chat}, spec: {scaleTargetRef: {kind: Deployment, name: chat}}}
    """
    assert not facts(deployment + scaled).workloads[0].replicas.known


def test_an_expression_that_cannot_be_read_leaves_the_selector_open() -> None:
    found = facts("""
    - token: kubernetes:policy/v1:PodDisruptionBudget
      name: chat
      props: {spec: {selector: {matchExpressions: [{key: !unknown '', operator: Exists}]}}}
    - token: kubernetes:policy/v1:PodDisruptionBudget
      name: team
      props: {spec: {selector: {matchLabels: !unknown ''}}}
    """)
    assert [pdb.selector.known for pdb in found.pdbs] == [False, False]


@pytest.mark.parametrize(
    ("token", "read"),
    [
        ("gpulanes:index:GpuFleet", True),
        ("aws:eks/nodeGroup:NodeGroup", True),
        ("aws:ec2/subnet:Subnet", True),
        ("aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation", True),
        ("aws:ec2/route:Route", False),
        ("kubernetes:karpenter.sh/v1:NodePool", True),
        ("kubernetes:policy/v1:PodDisruptionBudgetList", True),
        ("kubernetes:core/v1:List", True),
        ("kubernetes:core/v1:ConfigMap", False),
        ("pulumi:pulumi:Stack", False),
    ],
)
def test_only_what_rules_read_is_converted(token: str, read: bool) -> None:  # noqa: FBT001
    assert is_read(token) is read


def test_accelerated_types_are_told_by_their_family() -> None:
    names = ("p5.48xlarge", "p10.48xlarge", "g6e.xlarge", "gr6.4xlarge", "trn2.48xlarge", "inf2.xlarge", "dl1.24xlarge")
    assert all(map(is_accelerated, names))
    assert not any(map(is_accelerated, ("m7i.xlarge", "c7g.large", "p2.xlarge", "i4i.large")))
    assert architecture_of(["g5g.xlarge"]) == "arm64"
    assert architecture_of(["g5g.xlarge", "g6.xlarge"]) is UNKNOWN
    assert ami_types_for(["trn2.48xlarge"], "x86_64") == ("AL2023_x86_64_NEURON",)


def test_every_table_of_provider_facts_has_a_date_and_a_source() -> None:
    for name, table in provider_data().items():
        assert table["as_of"] > "2026", name
        assert table["source"], name


def test_a_node_class_in_a_stack_carries_tags_and_its_pools_have_them() -> None:
    found = facts("""
    - token: kubernetes:karpenter.k8s.aws/v1:EC2NodeClass
      name: serving
      props: {like: EC2NodeClass}
    - token: kubernetes:karpenter.sh/v1:NodePool
      name: serving
      props: {like: inference NodePool}
    """)
    assert [tagged.target for tagged in found.tagged] == ["node class serving"]
    assert found.pools[0].instance_tags["volume"].value == found.tagged[0].tags.value
