from dataclasses import replace

import pytest

from builders import pool_intent
from gpulanes import kinds
from gpulanes.errors import CatalogError, GpulanesError, SpecError
from gpulanes.kinds import lane
from gpulanes.kinds.pool import Budget, Checkpoint, Nodes, Reservation, Taint
from gpulanes.units import WeeklyWindow

CHECKPOINT = Checkpoint(store="hot", interval_seconds=1800.0, size_bytes=10**12)
WINDOW = WeeklyWindow.parse("Sun 03:00 +4h UTC")


def codes(intent: kinds.PoolIntent) -> list[str]:
    with pytest.raises(GpulanesError) as caught:
        kinds.build(intent)
    return [problem.code for problem in caught.value.problems]


def test_an_inference_pool_carries_the_lane_as_label_taint_and_tag() -> None:
    pool = kinds.build(pool_intent("inference", workloads=("chat",), tags={"owner": "ml"}))
    assert pool.labels == {
        "workload": "inference",
        "workload-name": "chat",
        "accelerator": "l40s",
        "capacity-type": "on-demand",
    }
    assert pool.taints == (Taint("workload", "inference"), Taint("nvidia.com/gpu", "present"))
    assert pool.tags == {"owner": "ml", "workload": "inference"}


def test_a_pool_of_no_or_many_workloads_names_none() -> None:
    assert "workload-name" not in kinds.build(pool_intent("inference")).labels
    assert "workload-name" not in kinds.build(pool_intent("inference", workloads=("a", "b"))).labels


def test_an_own_domain_moves_every_label_and_leaves_the_tag_legal_for_gcp() -> None:
    pool = kinds.build(pool_intent("training", lane_key="example.com/lane", workloads=("pretrain",)))
    assert set(pool.labels) == {
        "example.com/lane",
        "example.com/workload-name",
        "example.com/accelerator",
        "example.com/capacity-type",
    }
    assert pool.taints[0] == Taint("example.com/lane", "training")
    assert pool.tags["lane"] == "training"


def test_inference_is_served_by_a_node_group_of_standard_class_when_nothing_else_is_said() -> None:
    pool = kinds.build(pool_intent("inference"))
    assert (pool.provisioner, pool.service_class, pool.disruption) == ("node-group", "standard", None)
    assert (pool.ami_type, pool.architecture, pool.gpus_per_node) == ("AL2023_x86_64_NVIDIA", "x86_64", 4)
    assert (pool.max_unavailable, pool.placement, pool.efa_interfaces) == (1, "none", 0)
    assert (pool.max_gpus, pool.local_nvme_gb) == (12, 3800)


def test_inference_nodes_drift_only_inside_the_window() -> None:
    pool = kinds.build(pool_intent("inference", provisioner="karpenter", window=WINDOW))
    assert pool.disruption is not None
    assert pool.disruption.consolidation_policy == "WhenEmpty"
    assert pool.disruption.consolidate_after == "60m"
    assert pool.disruption.expire_after == "Never"
    assert pool.disruption.budgets == (
        Budget("0", ("Drifted", "Underutilized"), schedule="0 7 * * 0", duration="164h"),
        Budget("1", ("Drifted", "Underutilized")),
        Budget("1", ("Empty",)),
    )


def test_inference_without_a_window_still_has_absolute_budgets_for_every_reason() -> None:
    pool = kinds.build(pool_intent("inference", provisioner="karpenter"))
    assert pool.disruption is not None
    assert pool.disruption.budgets == (Budget("1", ("Drifted", "Underutilized")), Budget("1", ("Empty",)))


def test_inference_over_several_nodes_gets_the_fabric_but_no_shared_fate() -> None:
    pool = kinds.build(pool_intent("inference", types=("p5.48xlarge",), multi_node=True))
    assert (pool.efa_interfaces, pool.placement) == (32, "none")


def test_training_is_karpenters_and_empty_nodes_go_together() -> None:
    pool = kinds.build(pool_intent("training", window=WINDOW, longest_job_seconds=14 * 86400.0))
    assert pool.provisioner == "karpenter"
    assert pool.disruption is not None
    assert pool.disruption.consolidate_after == "5m"
    assert pool.disruption.termination_grace_period == "336h"
    assert pool.disruption.budgets[-1] == Budget("100%", ("Empty",))
    assert pool.disruption.budgets[0].schedule == "0 7 * * 0"


def test_training_without_a_window_is_never_drifted_under_a_job() -> None:
    pool = kinds.build(pool_intent("training"))
    assert pool.disruption is not None
    assert pool.disruption.budgets[0] == Budget("0", ("Drifted", "Underutilized"))
    assert pool.disruption.termination_grace_period == ""


def test_multi_node_training_stands_together_and_uses_the_whole_fabric() -> None:
    pool = kinds.build(pool_intent("training", types=("p5.48xlarge",), multi_node=True, nodes=Nodes(0, 0, 20)))
    assert (pool.placement, pool.efa_interfaces, pool.max_unavailable) == ("cluster", 32, 6)


def test_a_reservation_never_gets_a_placement_group_of_ours() -> None:
    pool = kinds.build(
        pool_intent(
            "training",
            types=("p5.48xlarge",),
            multi_node=True,
            capacity=("reserved",),
            reservation=Reservation(nodes=16, id="cr-0123456789abcdef0"),
        )
    )
    assert pool.placement == "reservation"
    assert pool.labels["capacity-type"] == "reserved"


def test_a_large_training_pool_stays_inside_the_update_limit_of_eks() -> None:
    pool = kinds.build(pool_intent("training", provisioner="node-group", nodes=Nodes(0, 0, 900)))
    assert pool.max_unavailable == 100


def test_batch_on_nodes_of_its_own_is_taken_down_when_empty() -> None:
    pool = kinds.build(pool_intent("batch"))
    assert pool.disruption is not None
    assert pool.disruption.consolidate_after == "5m"
    assert pool.taints[0] == Taint("workload", "batch")


def test_the_system_pool_has_no_taint_no_gpu_and_a_node_group() -> None:
    pool = kinds.build(pool_intent("system", types=("m7i.xlarge",)))
    assert (pool.taints, pool.gpus_per_node, pool.provisioner) == ((), 0, "node-group")
    assert pool.labels == {"workload": "system"}
    assert pool.ami_type == "AL2023_x86_64_STANDARD"


def test_a_system_pool_on_karpenter_moves_one_node_at_a_time() -> None:
    pool = kinds.build(pool_intent("system", types=("m7i.xlarge",), provisioner="karpenter"))
    assert pool.disruption is not None
    assert pool.disruption.budgets == (Budget("1"),)
    assert pool.disruption.termination_grace_period == "1h"


def test_a_node_group_with_a_range_belongs_to_the_autoscaler_and_a_fixed_one_does_not() -> None:
    assert kinds.build(pool_intent("inference", nodes=Nodes(1, 1, 3))).autoscaled
    assert not kinds.build(pool_intent("inference", nodes=Nodes(3, 3, 3))).autoscaled
    assert kinds.build(pool_intent("inference", nodes=Nodes(3, 3, 3), autoscaled=True)).autoscaled
    assert kinds.build(pool_intent("training", nodes=Nodes(3, 3, 3))).autoscaled


def test_spot_inference_builds_because_the_rules_judge_it() -> None:
    assert kinds.build(pool_intent("inference", capacity=("spot",))).capacity == ("spot",)


def test_pods_tolerate_exactly_the_taints_of_their_lane() -> None:
    pool = kinds.build(pool_intent("training"))
    wanted = [(t["key"], t["value"], t["effect"]) for t in lane.tolerations("training", "workload")]
    assert wanted == [(taint.key, taint.value, taint.effect) for taint in pool.taints]
    assert {t["operator"] for t in lane.tolerations("training", "workload")} == {"Equal"}
    assert lane.tolerations("system", "workload") == ()


def test_inference_outranks_training_and_training_outranks_batch() -> None:
    ranks = kinds.PRIORITIES
    assert ranks["inference"].value > ranks["training"].value > ranks["batch"].value
    assert [ranks[kind].preemption_policy for kind in ("inference", "training", "batch")] == [
        "PreemptLowerPriority",
        "Never",
        "Never",
    ]


def test_a_mistyped_type_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(CatalogError) as caught:
        kinds.build(pool_intent("inference", types=("g6e.12xlrage",)))
    (problem,) = caught.value.problems
    assert (problem.path, problem.code) == ("instance_types[0]", "unknown-instance-type")
    assert "g6e.12xlarge" in problem.fix


@pytest.mark.parametrize(
    ("kind", "types", "expected"),
    [
        ("system", ("m7i.xlarge", "m7g.xlarge"), ["mixed-architectures"]),
        ("inference", ("g6e.12xlarge", "g6e.48xlarge"), ["mixed-gpu-counts"]),
        ("inference", ("g6e.12xlarge", "g6.12xlarge"), ["mixed-accelerators"]),
        ("inference", ("m7i.xlarge",), ["no-whole-gpu"]),
        ("inference", ("trn2.48xlarge",), ["no-whole-gpu"]),
        ("inference", ("g6f.xlarge",), ["no-whole-gpu"]),
        ("system", ("g6e.xlarge",), ["system-accelerator"]),
        ("inference", (), ["no-types"]),
        ("inference", ("nope.large",), ["unknown-family"]),
    ],
)
def test_types_that_cannot_make_one_pool_are_refused(
    kind: kinds.pool.Kind, types: tuple[str, ...], expected: list[str]
) -> None:
    assert codes(pool_intent(kind, types=types)) == expected


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        (Nodes(3, 2, 4), ["node-counts"]),
        (Nodes(5, 5, 4), ["node-counts"]),
        (Nodes(-1, 0, 4), ["node-counts"]),
        (Nodes(0, 0, 0), ["no-nodes"]),
    ],
)
def test_counts_out_of_order_are_refused(nodes: Nodes, expected: list[str]) -> None:
    assert codes(pool_intent("inference", nodes=nodes)) == expected


def test_zones_weights_and_capacity_are_checked() -> None:
    intent = pool_intent("inference")
    assert codes(replace(intent, zones=())) == ["no-zones"]
    assert codes(replace(intent, zones=("us-east-1a", "us-east-1a"))) == ["repeated-zone"]
    assert codes(replace(intent, weight=101)) == ["weight"]
    assert codes(replace(intent, capacity=("reserved",))) == ["reservation-missing"]
    assert codes(replace(intent, capacity=("spot", "on-demand"))) == ["capacity-options"]


def test_a_fabric_domain_is_one_zone() -> None:
    intent = pool_intent("training", types=("p5.48xlarge",), multi_node=True, zones=("us-east-1a", "us-east-1b"))
    assert codes(intent) == ["fabric-zones"]


def test_a_spot_training_pool_without_checkpoints_is_refused() -> None:
    assert codes(pool_intent("training", capacity=("spot",))) == ["spot-without-checkpoint"]
    assert kinds.build(pool_intent("training", capacity=("spot",), checkpoint=CHECKPOINT)).checkpoint == CHECKPOINT


def test_all_problems_of_a_pool_are_reported_at_once() -> None:
    with pytest.raises(SpecError) as caught:
        kinds.build(pool_intent("inference", types=("nope.large", "m7i.xlarge"), nodes=Nodes(3, 1, 2), zones=()))
    assert [problem.code for problem in caught.value.problems] == [
        "unknown-family",
        "no-zones",
        "node-counts",
        "no-whole-gpu",
    ]
