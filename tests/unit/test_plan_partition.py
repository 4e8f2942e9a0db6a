import pytest

from builders import Data, fleet_plan, programme, scoring, served
from gpulanes.errors import PlanError
from gpulanes.plan import Plan
from gpulanes.plan.model import QueuePlan, QuotaPlan

BORROW = {"mode": "borrow-and-return"}


def fleet(mode: str, reserve: str | None = None, **workloads: Data) -> Plan:
    """A served model on 6 or 4 nodes of one L40S; training on the same accelerator, so that it may borrow."""
    lanes = {"chat": served(), "pretrain": trainer(), **workloads}
    return fleet_plan(lanes, partition={"mode": mode, "reserve": reserve})


def trainer(**changes: object) -> Data:
    base = {"types": ["g6e.48xlarge"], "count": 2}
    return programme(cycle=None, model={"parameters": "8B"}, nodes=base, **changes)


def queue(plan: Plan, kind: str) -> QueuePlan:
    return next(queue for queue in plan.queues if queue.kind == kind)


def quotas(plan: Plan, kind: str) -> dict[str, QuotaPlan]:
    return {quota.flavor.removeprefix("chat-test-"): quota for quota in queue(plan, kind).quotas}


def test_every_mode_keeps_flavors_queues_and_cohort_so_that_a_switch_is_an_edit_in_place() -> None:
    plans = [fleet(mode) for mode in ("physical", "logical", "borrow-and-return")]
    for plan in plans:
        assert [flavor.name for flavor in plan.flavors] == [
            "chat-test-inference-l40s-on-demand",
            "chat-test-training-l40s-on-demand",
        ]
        assert {(q.name, q.namespace, q.cohort) for q in plan.queues} == {
            ("chat-test-inference", "chat-test-inference", "chat-test-gpu"),
            ("chat-test-training", "chat-test-training", "chat-test-gpu"),
        }


def test_limits_are_always_numbers_because_an_absent_one_means_unlimited() -> None:
    for mode in ("physical", "logical", "borrow-and-return"):
        for one in fleet(mode).queues:
            for quota in one.quotas:
                assert quota.borrowing is not None
                assert quota.lending is not None


def test_physical_lanes_have_their_own_flavor_and_lend_nothing() -> None:
    plan = fleet("physical")
    assert (plan.partition.reserve_gpus, plan.partition.lendable_gpus) == (6, 0)
    assert list(quotas(plan, "inference").values()) == [QuotaPlan("chat-test-inference-l40s-on-demand", 6, 0, 0)]
    assert list(quotas(plan, "training").values()) == [QuotaPlan("chat-test-training-l40s-on-demand", 16, 0, 0)]


def test_logical_lanes_list_both_flavors_with_fixed_quotas() -> None:
    plan = fleet("logical")
    for kind, own in (("inference", 6), ("training", 16)):
        found = quotas(plan, kind)
        assert set(found) == {"inference-l40s-on-demand", "training-l40s-on-demand"}
        assert found[f"{kind}-l40s-on-demand"].nominal == own
        assert sum(quota.nominal for quota in found.values()) == own
        assert {(quota.borrowing, quota.lending) for quota in found.values()} == {(0, 0)}


def test_logical_inference_never_lists_spot() -> None:
    plan = fleet("logical", pretrain=trainer(capacity=["spot", "on-demand"]))
    assert set(quotas(plan, "inference")) == {"inference-l40s-on-demand", "training-l40s-on-demand"}


def test_idle_inference_is_lent_above_the_reserve_and_taken_back_from_anyone() -> None:
    plan = fleet("borrow-and-return")
    assert (plan.partition.reserve_gpus, plan.partition.lendable_gpus) == (2, 4)
    assert queue(plan, "inference").reclaim_within_cohort == "Any"
    assert quotas(plan, "inference")["inference-l40s-on-demand"].lending == 4
    assert queue(plan, "training").reclaim_within_cohort == "Never"
    assert quotas(plan, "training")["inference-l40s-on-demand"] == QuotaPlan(
        "chat-test-inference-l40s-on-demand", 0, 4, 0
    )


def test_training_prefers_its_own_flavors_as_the_file_orders_them_before_it_borrows() -> None:
    plan = fleet("borrow-and-return", pretrain=trainer(capacity=["spot", "on-demand"]))
    assert list(quotas(plan, "training")) == [
        "training-l40s-spot",
        "training-l40s-on-demand",
        "inference-l40s-on-demand",
    ]
    assert [flavor.spot for flavor in plan.flavors] == [False, True, False]


def test_training_does_not_borrow_another_accelerator() -> None:
    plan = fleet("borrow-and-return", pretrain=programme())
    assert set(quotas(plan, "training")) == {"training-h100-on-demand"}


def test_a_batch_job_borrows_what_inference_lends() -> None:
    plan = fleet("borrow-and-return", score=scoring())
    assert list(quotas(plan, "batch").values()) == [QuotaPlan("chat-test-inference-l40s-on-demand", 0, 4, 0)]
    assert queue(plan, "batch").reclaim_within_cohort == "Never"


def test_training_that_lends_takes_back_from_lower_ranks() -> None:
    plan = fleet("borrow-and-return", score=scoring(borrow="training"))
    assert quotas(plan, "training")["training-l40s-on-demand"].lending == 16
    assert queue(plan, "training").reclaim_within_cohort == "LowerPriority"
    assert quotas(plan, "batch")["training-l40s-on-demand"].borrowing == 16


def test_a_batch_job_with_nodes_of_its_own_has_its_own_flavor() -> None:
    own = scoring(borrow=None, nodes={"types": ["g6e.12xlarge"]}, gpus=6)
    for mode in ("physical", "logical"):
        plan = fleet(mode, score=own)
        assert quotas(plan, "batch") == {"batch-l40s-on-demand": QuotaPlan("chat-test-batch-l40s-on-demand", 8, 0, 0)}


@pytest.mark.parametrize(("reserve", "gpus"), [("3 gpus", 3), ("3 nodes", 3), ("6 nodes", 6)])
def test_the_reserve_can_be_stated_in_nodes_or_gpus(reserve: str, gpus: int) -> None:
    plan = fleet("borrow-and-return", reserve)
    assert (plan.partition.reserve_gpus, plan.partition.lendable_gpus) == (gpus, 6 - gpus)


def test_a_reserve_below_failover_and_growth_is_warned_about() -> None:
    plan = fleet("borrow-and-return", "1 gpu")
    assert [note.code for note in plan.notes if note.level == "warning"] == ["reserve-below-floor"]


def test_a_reserve_beyond_the_lane_is_refused() -> None:
    with pytest.raises(PlanError) as caught:
        fleet("borrow-and-return", "7 nodes")
    (problem,) = caught.value.problems
    assert (problem.code, problem.path, problem.value) == ("reserve-exceeds-lane", "partition.reserve", "7 nodes")


def test_a_batch_job_that_wants_more_than_is_lent_is_warned_about() -> None:
    plan = fleet("borrow-and-return", score=scoring(gpus=5))
    assert [note.code for note in plan.notes if note.level == "warning"] == ["batch-exceeds-lendable"]


def test_several_accelerators_lend_in_proportion_and_never_more_than_may_be_lent() -> None:
    other = served(model={"name": "llama-3.1-8b", "dtype": "fp8"}, nodes={"types": ["g6.2xlarge"], "count": 4})
    plan = fleet("borrow-and-return", None, chat=served(nodes={"count": 8}), other=other)
    lent = {name: quota.lending for name, quota in quotas(plan, "inference").items()}
    assert set(lent) == {"inference-l40s-on-demand", "inference-l4-on-demand"}
    assert 0 < sum(filter(None, lent.values())) <= plan.partition.lendable_gpus


def test_flavors_select_nodes_by_labels_that_their_pools_carry_and_inject_their_tolerations() -> None:
    plan = fleet("borrow-and-return", score=scoring())
    for flavor in plan.flavors:
        pools = [p for p in plan.pools if flavor.node_labels.items() <= p.labels.items()]
        assert pools
        tolerated = {(t["key"], t["value"]) for t in flavor.tolerations}
        assert all({(taint.key, taint.value) for taint in pool.taints} == tolerated for pool in pools)


def test_a_fleet_without_inference_has_nothing_to_reserve() -> None:
    plan = fleet_plan({"pretrain": programme()}, partition={"mode": "borrow-and-return"})
    assert (plan.partition.reserve_gpus, plan.partition.lendable_gpus) == (0, 0)
    assert [q.kind for q in plan.queues] == ["training"]
