from dataclasses import replace
from typing import Any

import pulumi
import pytest

from builders_resources import CHECKPOINT, TAGS, cluster_ref, pool, reserved_pool, spot_pool
from gpulanes.clouds.base import cloud
from gpulanes.clouds.kube.karpenter import NodeClassRef, node_pool
from gpulanes.kinds.pool import Pool, Reservation, Taint
from gpulanes.resources.pool_args import DecidedPool
from gpulanes.resources.pools import LanePool
from programs_resources import kubernetes
from recording import Registrations, record

POOL = "kubernetes:karpenter.sh/v1:NodePool"
CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"


def rendered(one: Pool) -> Registrations:
    def program() -> None:
        LanePool("pretrain", DecidedPool(one, cluster_ref(), "chat-test-pretrain", "aws"), kubernetes())

    return record(program)


def spec(one: Pool, type_: str = POOL) -> dict[str, Any]:
    found: dict[str, Any] = rendered(one).one(type_).props["spec"]
    return found


def requirements(one: Pool) -> dict[str, list[str]]:
    return {item["key"]: item["values"] for item in spec(one)["template"]["spec"]["requirements"]}


def codes(one: Pool, **cluster: Any) -> list[str]:  # noqa: ANN401
    return [problem.code for problem in cloud("aws").pool_problems(one, cluster_ref(**cluster))]


def test_the_purchase_option_is_never_left_to_karpenter() -> None:
    assert requirements(spot_pool()) == {
        "node.kubernetes.io/instance-type": ["p5.48xlarge"],
        "karpenter.sh/capacity-type": ["spot"],
        "topology.kubernetes.io/zone": ["us-east-1a"],
        "kubernetes.io/arch": ["amd64"],
    }
    assert requirements(pool("inference", provisioner="karpenter"))["karpenter.sh/capacity-type"] == ["on-demand"]
    block = reserved_pool(capacity=("capacity-block",))
    assert requirements(block)["karpenter.sh/capacity-type"] == ["reserved"]


def test_a_pool_is_capped_in_gpus_and_nodes_unless_it_says_otherwise() -> None:
    assert spec(spot_pool())["limits"] == {"nvidia.com/gpu": "64", "nodes": "8"}
    assert spec(pool("system", provisioner="karpenter"))["limits"] == {"nodes": "3"}
    assert "limits" not in spec(spot_pool(changed={"capped": False}))


def test_weight_is_written_only_when_pools_are_ordered() -> None:
    assert spec(spot_pool(weight=40))["weight"] == 40
    assert "weight" not in spec(spot_pool())


def test_disruption_is_written_out_with_every_budget() -> None:
    found = spec(pool("inference", provisioner="karpenter"))
    assert found["disruption"]["consolidationPolicy"] == "WhenEmpty"
    assert found["template"]["spec"]["expireAfter"] == "Never"
    assert all({"nodes", "reasons"} <= set(budget) | {"reasons"} for budget in found["disruption"]["budgets"])
    graceful = replace(spot_pool().disruption or pytest.fail("no disruption"), termination_grace_period="1h")
    assert spec(spot_pool(changed={"disruption": graceful}))["template"]["spec"]["terminationGracePeriod"] == "1h"


def test_a_taint_without_a_value_has_none() -> None:
    found = spec(spot_pool(changed={"taints": (Taint("gpu", "", "NoExecute"),)}))
    assert found["template"]["spec"]["taints"] == [{"key": "gpu", "effect": "NoExecute"}]


def test_a_pool_without_a_disruption_policy_is_refused() -> None:
    bare = spot_pool(changed={"disruption": None})
    assert "disruption" in codes(bare)
    with pytest.raises(ValueError, match="no disruption policy"):
        node_pool(bare, "bare", NodeClassRef("g", "k", "n"), {})


def test_the_node_class_pins_its_image_and_names_everything_by_id() -> None:
    found = spec(spot_pool(multi_node=True), CLASS)
    [alias] = [term["alias"] for term in found["amiSelectorTerms"]]
    assert alias.startswith("al2023@v20")
    assert found["subnetSelectorTerms"] == [{"id": "subnet-us-east-1a"}]
    assert found["securityGroupSelectorTerms"] == [{"id": "sg-nodes"}, {"id": "sg-fabric"}]
    assert found["role"] == "nodes"
    assert found["tags"] == {**TAGS, "workload": "training"}
    assert found["instanceStorePolicy"] == "RAID0"
    assert found["placementGroupSelector"] == {"name": "chat-test-pretrain-fabric"}
    assert "networkInterfaces" not in found


def test_a_node_class_without_fabric_nvme_or_reservation_says_nothing_of_them() -> None:
    found = spec(pool("system", provisioner="karpenter"), CLASS)
    assert not {"instanceStorePolicy", "placementGroupSelector", "capacityReservationSelectorTerms"} & set(found)
    assert found["securityGroupSelectorTerms"] == [{"id": "sg-nodes"}]


def test_the_disk_of_images_counts_as_the_nodes_storage() -> None:
    [only] = spec(spot_pool(), CLASS)["blockDeviceMappings"]
    assert (only["deviceName"], only["rootVolume"], only["ebs"]["encrypted"]) == ("/dev/xvda", True, True)
    system, data = spec(spot_pool(changed={"ami_type": "BOTTLEROCKET_x86_64_NVIDIA"}), CLASS)["blockDeviceMappings"]
    assert (system["deviceName"], system["ebs"]["volumeSize"]) == ("/dev/xvda", "4Gi")
    assert "rootVolume" not in system
    assert (data["deviceName"], data["rootVolume"], data["ebs"]["volumeSize"]) == ("/dev/xvdb", True, "200Gi")


def test_a_reservation_is_selected_by_id_or_by_tags() -> None:
    assert spec(reserved_pool(), CLASS)["capacityReservationSelectorTerms"] == [{"id": "cr-0123456789abcdef0"}]
    tagged = reserved_pool(reservation=Reservation(4, tags={"team": "ml"}))
    assert spec(tagged, CLASS)["capacityReservationSelectorTerms"] == [{"tags": {"team": "ml"}}]


def test_the_node_pool_comes_after_its_class() -> None:
    found = rendered(spot_pool())
    assert found.one(CLASS).urn in found.one(POOL).dependencies
    ref = found.one(POOL).props["spec"]["template"]["spec"]["nodeClassRef"]
    assert ref == {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "chat-test-pretrain"}


@pytest.mark.parametrize("queue", ["arn:aws:sqs:us-east-1:1:kq", "https://sqs.us-east-1.amazonaws.com/1/kq"])
def test_a_queue_by_arn_or_url_is_refused_with_its_name(queue: str) -> None:
    [problem] = cloud("aws").pool_problems(spot_pool(), cluster_ref(interruption_queue=queue))
    assert problem.code == "interruption-queue"
    assert problem.fix == "use kq"


def test_a_cluster_without_a_queue_cannot_run_karpenter_pools() -> None:
    assert codes(spot_pool(), interruption_queue="") == ["interruption-queue"]
    assert codes(pool("inference"), interruption_queue="") == []


def test_a_queue_that_is_not_known_yet_passes() -> None:
    def program() -> None:
        assert codes(spot_pool(), interruption_queue=pulumi.Output.from_input("later")) == []

    record(program)


def test_checkpoints_are_part_of_the_declared_pool() -> None:
    found = rendered(spot_pool()).one("gpulanes:index:TrainingPool")
    assert found.props["pool"]["checkpoint"] == {
        "store": CHECKPOINT.store,
        "intervalSeconds": CHECKPOINT.interval_seconds,
        "sizeBytes": CHECKPOINT.size_bytes,
    }
