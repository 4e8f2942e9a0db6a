import pytest

from builders import Data, fleet_plan, merged, programme, scoring, served
from gpulanes.errors import PlanError
from gpulanes.kinds.pool import Nodes, Pool, Reservation
from gpulanes.plan import Plan
from gpulanes.plan.model import ServedWorkload

RESERVED = {"nodes": 4, "id": "cr-0123456789abcdef0"}


def pools(plan: Plan) -> dict[str, Pool]:
    return {pool.name: pool for pool in plan.pools}


def contract(plan: Plan, name: str) -> ServedWorkload:
    return next(one for one in plan.workloads if one.name == name)


def test_one_purchase_option_is_one_pool_under_the_workloads_name() -> None:
    assert list(pools(fleet_plan())) == ["chat", "system"]
    assert pools(fleet_plan())["chat"].weight == 0


def test_each_purchase_option_is_a_pool_with_falling_weight() -> None:
    training = programme(capacity=["spot", "reserved", "on-demand"], nodes={"reservation": RESERVED})
    found = pools(fleet_plan({"pretrain": training}))
    assert [(name, pool.weight) for name, pool in found.items() if pool.kind == "training"] == [
        ("pretrain-spot", 30),
        ("pretrain-reserved", 20),
        ("pretrain-on-demand", 10),
    ]
    assert [pool.capacity for pool in found.values()][:3] == [("spot",), ("reserved",), ("on-demand",)]


def test_only_the_reserved_pool_draws_on_the_reservation_and_holds_no_more_than_it_has() -> None:
    training = programme(capacity=["spot", "reserved"], nodes={"reservation": RESERVED})
    found = pools(fleet_plan({"pretrain": training}))
    assert found["pretrain-spot"].reservation is None
    assert found["pretrain-reserved"].reservation == Reservation(4, "cr-0123456789abcdef0")
    assert found["pretrain-reserved"].nodes == Nodes(0, 0, 4)
    assert found["pretrain-reserved"].placement == "reservation"


def test_a_reservation_can_be_selected_by_its_tags() -> None:
    training = programme(capacity=["capacity-block"], nodes={"reservation": {"nodes": 16, "tags": {"for": "me"}}})
    assert pools(fleet_plan({"pretrain": training}))["pretrain"].reservation == Reservation(16, "", {"for": "me"})


def test_reserved_serving_fills_the_reservation_first_and_keeps_a_node_of_the_fallback_running() -> None:
    chat = served(capacity=["reserved", "on-demand"], nodes={"reservation": RESERVED, "count": 6})
    found = pools(fleet_plan({"chat": chat}))
    assert found["chat-reserved"].nodes == Nodes(4, 4, 4)
    assert found["chat-on-demand"].nodes == Nodes(2, 2, 6)


def test_a_fallback_of_a_small_service_still_runs_a_node() -> None:
    chat = served(capacity=["reserved", "on-demand"], nodes={"reservation": RESERVED, "count": 3})
    found = pools(fleet_plan({"chat": chat}))
    assert [found[name].nodes.min for name in ("chat-reserved", "chat-on-demand")] == [2, 1]


def test_a_single_node_runs_on_the_preferred_option() -> None:
    chat = served(capacity=["reserved", "on-demand"], nodes={"reservation": RESERVED, "count": 1})
    found = pools(fleet_plan({"chat": chat}))
    assert [found[name].nodes.min for name in ("chat-reserved", "chat-on-demand")] == [1, 0]


def test_add_ons_have_a_pool_without_asking() -> None:
    system = pools(fleet_plan())["system"]
    assert (system.kind, system.taints, system.capacity, system.nodes) == ("system", (), ("on-demand",), Nodes(2, 2, 2))
    assert system.zones == ("us-east-1a", "us-east-1b", "us-east-1c")


def test_the_pool_of_add_ons_can_be_stated() -> None:
    stated: Data = {"kind": "system", "nodes": {"types": ["m7i.2xlarge"], "min": 2, "max": 4}}
    found = pools(fleet_plan({"chat": served(), "addons": stated}))
    assert "system" not in found
    assert found["addons"].nodes == Nodes(2, 2, 4)
    assert found["addons"].autoscaled


def test_a_batch_job_is_sized_by_its_gpus_or_by_its_counts() -> None:
    own: Data = {"borrow": None, "nodes": {"types": ["g6e.12xlarge"]}}
    assert pools(fleet_plan({"score": scoring(**own, gpus=6)}))["score"].nodes == Nodes(0, 0, 2)
    counted = scoring(borrow=None, gpus=None, nodes={"types": ["g6e.12xlarge"], "count": 3})
    assert pools(fleet_plan({"score": counted}))["score"].nodes == Nodes(0, 0, 3)
    held = merged(counted, {"nodes": {"provisioner": "node-group"}})
    assert pools(fleet_plan({"score": held}))["score"].nodes == Nodes(3, 3, 3)
    ranged = scoring(borrow=None, gpus=None, nodes={"types": ["g6e.12xlarge"], "min": 1, "max": 3})
    assert pools(fleet_plan({"score": ranged}))["score"].nodes == Nodes(0, 0, 3)
    held = merged(ranged, {"nodes": {"provisioner": "node-group"}})
    assert pools(fleet_plan({"score": held}))["score"].nodes == Nodes(1, 1, 3)


def test_a_served_model_tells_its_pods_where_to_run_and_what_guards_them() -> None:
    chat = contract(fleet_plan({"chat": served(service_class="latency-critical")}), "chat")
    assert chat.node_selector == {"workload": "inference", "workload-name": "chat"}
    assert chat.pod_labels == {"workload": "inference", "workload-name": "chat"}
    assert [(t["key"], t["value"]) for t in chat.tolerations] == [
        ("workload", "inference"),
        ("nvidia.com/gpu", "present"),
    ]
    assert (chat.namespace, chat.queue, chat.priority_class) == ("chat-test-inference",) * 3
    assert (chat.replicas, chat.pdb_max_unavailable, chat.service_class) == (9, 1, "latency-critical")
    assert chat.pools == ("chat",)


def test_more_replicas_may_go_at_once_where_a_node_must_drain_in_time() -> None:
    nodes = {"types": ["g6e.48xlarge"]}
    assert contract(fleet_plan({"chat": served(nodes=nodes)}), "chat").pdb_max_unavailable == 3


def test_only_what_is_served_gets_a_disruption_budget() -> None:
    plan = fleet_plan(
        {"chat": served(), "pretrain": programme(), "score": scoring(borrow=None, nodes={"types": ["g6e.xlarge"]})}
    )
    assert {one.name: one.pdb_max_unavailable for one in plan.workloads} == {"chat": 1, "pretrain": 0, "score": 0}


def test_pods_of_a_lane_that_borrows_leave_the_choice_of_nodes_to_the_queue() -> None:
    plan = fleet_plan({"chat": served(), "score": scoring()}, partition={"mode": "borrow-and-return"})
    score = contract(plan, "score")
    assert (score.node_selector, score.tolerations, score.pools) == ({}, (), ())
    assert score.queue == "chat-test-batch"


def test_contracts_select_the_pools_they_name() -> None:
    plan = fleet_plan({"chat": served(), "pretrain": programme(capacity=["spot", "on-demand"])})
    for one in plan.workloads:
        selected = {p.name for p in plan.pools if one.node_selector.items() <= p.labels.items()}
        assert selected == set(one.pools)


def test_lanes_are_ranked_and_only_those_that_are_there() -> None:
    plan = fleet_plan({"chat": served(), "pretrain": programme()})
    assert [(one.name, one.value, one.preemption_policy) for one in plan.priorities] == [
        ("chat-test-inference", 100_000, "PreemptLowerPriority"),
        ("chat-test-training", 1_000, "Never"),
    ]
    assert {pool.priority_class for pool in plan.pools} == {"chat-test-inference", "chat-test-training", ""}


@pytest.mark.parametrize(
    ("nodes", "code", "path"),
    [
        ({"types": ["g6e.12xlrage"]}, "unknown-instance-type", "workloads.chat.nodes.types[0]"),
        ({"types": ["g6e.2xlarge", "z9.large"]}, "unknown-family", "workloads.chat.nodes.types[1]"),
        ({"types": ["m7i.xlarge"]}, "no-whole-gpu", "workloads.chat.nodes.types[0]"),
        ({"types": ["g6e.2xlarge", "g6.2xlarge"]}, "mixed-accelerators", "workloads.chat.nodes.types"),
        ({"count": 0}, "no-nodes", "workloads.chat.nodes.count"),
    ],
)
def test_nodes_that_cannot_be_are_refused_at_their_place(nodes: Data, code: str, path: str) -> None:
    with pytest.raises(PlanError) as caught:
        fleet_plan({"chat": served(nodes=nodes)})
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == (code, path)
