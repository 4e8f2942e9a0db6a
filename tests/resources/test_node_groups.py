import base64
from typing import Any

import pytest

from builders_resources import TAGS, ZONES, cluster_ref, pool, reserved_pool
from gpulanes.clouds.aws.launch_template import TAGGED
from gpulanes.clouds.base import cloud
from gpulanes.kinds.pool import Nodes, Pool, Reservation
from gpulanes.resources.pool_args import DecidedPool
from gpulanes.resources.pools import LanePool
from recording import Registered, Registrations, record

GROUP = "aws:eks/nodeGroup:NodeGroup"
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
PLACEMENT = "aws:ec2/placementGroup:PlacementGroup"


def rendered(one: Pool) -> Registrations:
    return record(lambda: LanePool("chat", DecidedPool(one, cluster_ref(), "chat-test-chat", "aws")))


def group(one: Pool) -> Registered:
    return rendered(one).one(GROUP)


def template(one: Pool) -> dict[str, Any]:
    return dict(rendered(one).one(TEMPLATE).props)


def codes(one: Pool) -> list[str]:
    return [problem.code for problem in cloud("aws").pool_problems(one, cluster_ref())]


def fabric_pool(**stated: Any) -> Pool:  # noqa: ANN401
    return pool("training", types=("p5.48xlarge",), provisioner="node-group", multi_node=True, **stated)


def test_cost_tags_reach_instances_volumes_and_interfaces() -> None:
    tags = {**TAGS, "workload": "inference"}
    found = template(pool("inference"))
    assert {item["resourceType"]: item["tags"] for item in found["tagSpecifications"]} == dict.fromkeys(TAGGED, tags)
    assert group(pool("inference")).props["tags"] == tags


def test_a_spot_group_tags_its_request_too() -> None:
    spot = pool("batch", capacity=("spot",), provisioner="node-group", changed={"capacity": ("spot",)})
    assert "spot-instances-request" in {item["resourceType"] for item in template(spot)["tagSpecifications"]}
    assert group(spot).props["capacityType"] == "SPOT"


def test_each_field_has_one_owner() -> None:
    found, made = template(pool("inference")), group(pool("inference")).props
    assert made["instanceTypes"] == ["g6e.12xlarge"]
    assert "instanceType" not in found
    assert "diskSize" not in made
    assert found["blockDeviceMappings"][0]["ebs"]["volumeSize"] == 200
    assert "vpcSecurityGroupIds" not in found


def test_al2023_keeps_images_on_its_only_disk_and_bottlerocket_on_its_second() -> None:
    plain = template(pool("inference"))["blockDeviceMappings"]
    assert [(item["deviceName"], item["ebs"]["volumeSize"]) for item in plain] == [("/dev/xvda", 200)]
    bottlerocket = template(pool("inference", changed={"ami_type": "BOTTLEROCKET_x86_64_NVIDIA"}))
    sizes = [(item["deviceName"], item["ebs"]["volumeSize"]) for item in bottlerocket["blockDeviceMappings"]]
    assert sizes == [("/dev/xvda", 4), ("/dev/xvdb", 200)]
    assert all(item["ebs"]["encrypted"] == "true" for item in bottlerocket["blockDeviceMappings"])
    assert "ephemeral-storage" in base64.b64decode(bottlerocket["userData"]).decode()


def test_local_disks_become_one_array_and_nodes_without_any_get_no_boot_data() -> None:
    assert "strategy: RAID0" in base64.b64decode(template(pool("inference"))["userData"]).decode()
    assert "userData" not in template(pool("system"))


def test_instance_credentials_stay_out_of_reach_of_pods() -> None:
    assert template(pool("inference"))["metadataOptions"] == {
        "httpEndpoint": "enabled",
        "httpTokens": "required",
        "httpPutResponseHopLimit": 1,
    }


def test_efa_cards_carry_the_groups_and_only_card_0_an_address() -> None:
    cards = template(fabric_pool())["networkInterfaces"]
    assert [(card["networkCardIndex"], card["deviceIndex"], card["interfaceType"]) for card in cards] == [
        (0, 0, "efa"),
        *((index, 1, "efa-only") for index in range(1, 32)),
    ]
    assert all(card["securityGroups"] == ["sg-nodes", "sg-fabric"] for card in cards)
    assert not any("subnetId" in card or "associatePublicIpAddress" in card for card in cards)


def test_a_card_that_cannot_do_efa_is_a_plain_interface() -> None:
    cards = template(pool("training", types=("p6-b300.48xlarge",), provisioner="node-group", multi_node=True))
    kinds = [(card["networkCardIndex"], card["interfaceType"]) for card in cards["networkInterfaces"]]
    assert kinds == [(0, "interface"), *((index, "efa-only") for index in range(1, 17))]


def test_a_pool_without_fabric_leaves_interfaces_to_the_service() -> None:
    assert "networkInterfaces" not in template(pool("inference"))


def test_nodes_of_one_job_stand_together_unless_a_reservation_has_their_place() -> None:
    found = rendered(fabric_pool())
    assert found.one(PLACEMENT).props["strategy"] == "cluster"
    assert found.one(TEMPLATE).props["placement"] == {"groupName": "chat-test-chat-fabric"}
    reserved = rendered(reserved_pool(provisioner="node-group", multi_node=True))
    assert reserved.of(PLACEMENT) == []
    assert "placement" not in reserved.one(TEMPLATE).props


def test_a_reservation_is_targeted_and_never_spills() -> None:
    assert template(reserved_pool(provisioner="node-group"))["capacityReservationSpecification"] == {
        "capacityReservationPreference": "capacity-reservations-only",
        "capacityReservationTarget": {"capacityReservationId": "cr-0123456789abcdef0"},
    }
    assert group(reserved_pool(provisioner="node-group")).props["capacityType"] == "ON_DEMAND"


def test_a_node_group_cannot_find_a_reservation_by_tags() -> None:
    by_tags = reserved_pool(provisioner="node-group", reservation=Reservation(4, tags={"team": "ml"}))
    assert codes(by_tags) == ["reservation-id"]


def test_a_capacity_block_takes_its_type_and_market_from_the_template() -> None:
    block = reserved_pool(provisioner="node-group", capacity=("capacity-block",))
    found = template(block)
    assert found["instanceType"] == "p5.48xlarge"
    assert found["instanceMarketOptions"] == {"marketType": "capacity-block"}
    assert "capacityReservationPreference" not in found["capacityReservationSpecification"]
    made = group(block).props
    assert made["capacityType"] == "CAPACITY_BLOCK"
    assert "instanceTypes" not in made


def test_a_capacity_block_over_two_zones_is_refused() -> None:
    block = reserved_pool(provisioner="node-group", capacity=("capacity-block",), zones=ZONES[:2])
    assert codes(block) == ["capacity-block"]


def test_all_three_sizes_are_written_and_the_live_size_is_the_autoscalers() -> None:
    scaled = group(pool("inference", nodes=Nodes(2, 3, 6)))
    assert scaled.props["scalingConfig"] == {"minSize": 2, "desiredSize": 3, "maxSize": 6}
    assert scaled.ignore_changes == ("scalingConfig.desiredSize",)
    fixed = group(pool("inference", nodes=Nodes(3, 3, 3)))
    assert fixed.ignore_changes == ()


def test_an_inference_group_is_replaced_before_it_ends() -> None:
    made = group(pool("inference"))
    assert "nodeGroupName" not in made.props
    assert made.props["nodeGroupNamePrefix"] == "chat-test-chat-"
    assert not made.delete_before_replace
    assert made.props["updateConfig"] == {"maxUnavailable": 1, "updateStrategy": "DEFAULT"}


def test_training_on_paid_capacity_is_replaced_in_its_own_place() -> None:
    made = group(reserved_pool(provisioner="node-group"))
    assert made.delete_before_replace
    assert made.props["updateConfig"]["updateStrategy"] == "MINIMAL"


def test_taints_are_spelled_as_eks_does() -> None:
    taints = group(pool("training", provisioner="node-group")).props["taints"]
    assert taints == [
        {"key": "workload", "value": "training", "effect": "NO_SCHEDULE"},
        {"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"},
    ]


def test_nodes_repair_themselves_and_follow_the_clusters_version() -> None:
    made = group(pool("inference"))
    assert made.props["nodeRepairConfig"] == {"enabled": True}
    assert made.props["version"] == "1.34"


def test_subnets_follow_the_pools_zones() -> None:
    made = group(pool("inference", zones=ZONES[1:]))
    assert made.props["subnetIds"] == ["subnet-us-east-1b", "subnet-us-east-1c"]


def test_an_image_of_another_family_is_refused() -> None:
    assert codes(pool("inference", changed={"ami_type": "AL2_x86_64_GPU"})) == ["ami-family"]


def test_two_options_in_one_group_are_refused() -> None:
    both = pool("batch", provisioner="node-group", changed={"capacity": ("spot", "on-demand")})
    assert codes(both) == ["one-option"]


@pytest.mark.parametrize("length", [10, 60, 200])
def test_long_names_are_cut_inside_every_limit_and_stay_apart(length: int) -> None:
    prefixes = []
    for end in "ab":
        name = "x" * length + end
        scope = lambda: LanePool("p", DecidedPool(fabric_pool(), cluster_ref(), name, "aws"))  # noqa: B023, E731
        found = record(scope)
        prefixes.append(found.one(GROUP).props["nodeGroupNamePrefix"])
        assert len(found.one(GROUP).props["nodeGroupNamePrefix"]) + 26 <= 63
        assert len(found.one(TEMPLATE).props["namePrefix"]) + 26 <= 125
        assert len(found.one(PLACEMENT).props["name"]) <= 255
    assert len(set(prefixes)) == 2
