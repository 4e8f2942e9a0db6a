"""What is needed to take nodes away outlives the nodes, and what is needed to reach the internet is there first."""

from builders_resources import plan, pool, spot_pool
from programs_resources import fleet, with_cluster
from recording import Registrations, record

NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
POOL = "kubernetes:karpenter.sh/v1:NodePool"
CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"
TRAINING = "gpulanes:index:TrainingPool"


def needed(found: Registrations, urn: str) -> set[str]:
    """Return everything that must be there before a resource, and goes after it: what it names, and its parents."""
    by_urn = {item.urn: item for item in found}
    reached: set[str] = set()
    waiting = [urn]
    while waiting:
        item = by_urn.get(waiting.pop())
        if item is not None:
            more = {*item.dependencies, item.parent} - reached
            reached |= more
            waiting += more
    return reached


def test_karpenters_nodes_are_gone_before_the_nodes_that_karpenter_runs_on() -> None:
    found = record(fleet())
    home = found.one(NODE_GROUP, "chat-test-system-nodes").urn
    for made in (found.one(POOL), found.one(CLASS)):
        assert home in needed(found, made.urn)


def test_karpenters_home_is_found_wherever_the_plan_lists_it() -> None:
    found = record(fleet(plan(pool("system", "add-ons"), spot_pool(), pool("system", "system"))))
    homes = {item.urn for item in found.of(NODE_GROUP)}
    assert len(homes) == 2
    assert homes <= needed(found, found.one(POOL).urn)


def test_a_node_group_of_a_lane_waits_for_no_other_pool() -> None:
    found = record(fleet())
    home = found.one(NODE_GROUP, "chat-test-system-nodes").urn
    assert home not in needed(found, found.one(NODE_GROUP, "chat-test-chat-nodes").urn)


def test_kueues_objects_are_gone_before_the_nodes_that_kueue_runs_on() -> None:
    found = record(fleet())
    home = found.one(NODE_GROUP, "chat-test-system-nodes").urn
    kinds = ("ResourceFlavor", "ClusterQueue", "LocalQueue")
    objects = [item for kind in kinds for item in found.of(f"kubernetes:kueue.x-k8s.io/v1beta2:{kind}")]
    assert len(objects) == 6
    for made in objects:
        assert home in needed(found, made.urn)


def test_nodes_and_their_controllers_keep_their_way_out_until_they_are_gone() -> None:
    found = record(with_cluster(plan()))
    exits = {item.urn for item in found.of("aws:ec2/route:Route") if item.name.endswith("-private")}
    assert len(exits) == 3
    for name in ("chat-test-chat-nodes", "chat-test-system-nodes"):
        assert exits <= needed(found, found.one(NODE_GROUP, name).urn)
    assert exits <= needed(found, found.one("aws:eks/cluster:Cluster").urn)
    assert exits & needed(found, found.one(CLASS).urn)


def test_a_nat_gateway_is_made_in_a_network_that_has_its_internet_gateway() -> None:
    found = record(with_cluster(plan()))
    entrance = {
        found.one("aws:ec2/internetGateway:InternetGateway").urn,
        found.one("aws:ec2/route:Route", "chat-test-public").urn,
    }
    gateways = found.of("aws:ec2/natGateway:NatGateway")
    assert len(gateways) == 3
    for gateway in gateways:
        assert entrance <= needed(found, gateway.urn)
