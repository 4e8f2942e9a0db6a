"""What must be there first is there first, and a change of it never looks like a replacement."""

import pulumi
import pulumi_aws
from pulumi.runtime.rpc import UNKNOWN

from builders_resources import plan
from gpulanes.clouds.base import after
from programs_resources import with_cluster
from recording import record


def test_nodes_join_after_their_rights_and_their_way_out_and_leave_before_them() -> None:
    found = record(with_cluster(plan()))
    group = found.one("aws:eks/nodeGroup:NodeGroup", "chat-test-chat-nodes")
    needed = [
        *(item for item in found.of("aws:iam/rolePolicyAttachment:RolePolicyAttachment") if "nodes" in item.name),
        *found.of("aws:eks/accessEntry:AccessEntry"),
        *(item for item in found.of("aws:ec2/routeTableAssociation:RouteTableAssociation") if "private" in item.name),
        found.one("aws:eks/cluster:Cluster"),
    ]
    assert {item.urn for item in needed} <= group.dependencies


def test_the_cluster_waits_until_the_plan_is_accepted() -> None:
    found = record(with_cluster(plan()))
    names = [(item.type, item.name) for item in found]
    assert names.index(("gpulanes:index:GpuFleet", "chat-test")) < names.index(
        ("gpulanes:index:GpuCluster", "chat-test")
    )
    assert found.one("gpulanes:index:GpuCluster").props["after"] == found.one("gpulanes:index:GpuFleet").urn


def test_a_value_stays_known_while_what_it_waits_for_is_not() -> None:
    def program() -> None:
        topic = pulumi_aws.sqs.Queue("later", name="later")
        ordered = after(pulumi.Output.from_input("known"), topic)
        pulumi_aws.sqs.Queue("user", name=ordered)
        pulumi_aws.sqs.Queue("other", name=topic.id)

    found = record(program, preview=True)
    user, other = found.one("aws:sqs/queue:Queue", "user"), found.one("aws:sqs/queue:Queue", "other")
    assert user.props["name"] == "known"
    assert found.one("aws:sqs/queue:Queue", "later").urn in user.dependencies
    assert other.props["name"] == UNKNOWN


def test_an_unknown_value_stays_unknown() -> None:
    def program() -> None:
        queue = pulumi_aws.sqs.Queue("later", name="later")
        pulumi_aws.sqs.Queue("user", name=after(queue.id, queue))

    found = record(program, preview=True)
    assert found.one("aws:sqs/queue:Queue", "user").props["name"] == UNKNOWN
