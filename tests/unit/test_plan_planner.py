import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import STACKS, Data, fleet_data, fleet_plan, prod_plan, programme, scoring, served
from gpulanes.errors import PlanError, Problem
from gpulanes.fleet import load_bytes, load_data
from gpulanes.kinds.plain import to_plain
from gpulanes.plan import STEPS, Plan, explain_pool, plan, summary
from gpulanes.plan.draft import located
from gpulanes.sizing.formula import evaluate

LANES: dict[str, Data] = {
    "chat": served(),
    "assistant": served(service_class="latency-critical"),
    "pretrain": programme(capacity=["spot", "on-demand"]),
    "score": scoring(),
}


def shuffled(value: Any) -> Any:  # noqa: ANN401 - plain data of any shape
    """Reverse the order of keys at every level; lists keep theirs, because there order means something."""
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(value)}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


def dumped(one: Plan) -> str:
    return json.dumps(to_plain(one))


def test_the_order_of_the_file_leaves_no_trace_in_the_plan() -> None:
    data = fleet_data(LANES, partition={"mode": "borrow-and-return"})
    assert dumped(plan(load_data(data))) == dumped(plan(load_data(shuffled(data))))


def test_the_same_file_gives_the_same_bytes() -> None:
    assert dumped(fleet_plan(LANES, partition={"mode": "borrow-and-return"})) == dumped(
        fleet_plan(LANES, partition={"mode": "borrow-and-return"})
    )


def test_every_problem_of_every_workload_is_reported_at_its_place() -> None:
    broken = {
        "chat": served(nodes={"types": ["g6e.2xlrage"]}, model="llama-3.1-8bb"),
        "assistant": served(replica={"gpus": 4}),
        "pretrain": programme(cycle={"tokens": "100T", "deadline": "10d"}),
    }
    with pytest.raises(PlanError) as caught:
        fleet_plan(broken, storage={"hot": {"deployment": "scratch", "efa": True}})
    assert [(problem.path, problem.code) for problem in caught.value.problems] == [
        ("storage.hot", "lustre-not-offered"),
        ("workloads.assistant.replica.gpus", "replica-exceeds-node"),
        ("workloads.chat.model", "unknown-model"),
        ("workloads.chat.nodes.types[0]", "unknown-instance-type"),
        ("workloads.pretrain.cycle.deadline", "deadline-unreachable"),
    ]


def test_a_problem_without_a_place_of_its_own_is_placed_at_its_workload() -> None:
    problem = Problem("x", "sqrt(mtbf)", "", "", "")
    assert located(problem, "chat").path == "workloads.chat"
    assert located(Problem("x", "replica.gpus", "", "", ""), "chat").path == "workloads.chat.replica.gpus"
    assert located(Problem("x", "storage.hot", "", "", ""), "chat").path == "storage.hot"


def test_every_number_that_was_computed_is_what_its_formula_gives() -> None:
    checked = 0
    for step in prod_plan().steps:
        for sized in step.numbers.values():
            assert sized.source
            assert evaluate(sized.formula, sized.operands) == pytest.approx(sized.value)
            checked += 1
    assert checked > 30


def test_steps_are_functions_with_names_of_their_own() -> None:
    names = [step.__name__ for step in STEPS]
    assert len(set(names)) == len(names)
    assert names[0] == "system_default"
    assert names[-1] == "overrides"


def test_an_existing_cluster_keeps_its_name() -> None:
    assert fleet_plan(cluster={"kubernetes": None, "existing": "shared"}).cluster.name == "shared"
    assert fleet_plan(cluster={"kubernetes": None, "existing": "shared"}).cluster.existing
    made = fleet_plan().cluster
    assert (made.name, made.kubernetes, made.existing) == ("chat-test", "1.34", False)


def test_windows_are_printed_as_the_file_writes_them() -> None:
    plan_ = fleet_plan(maintenance={"inference": "Sun 03:00 +4h UTC"})
    assert plan_.windows == {"inference": "Sun 03:00 +4h UTC"}


def test_planning_prod_takes_a_fraction_of_a_second() -> None:
    spec = load_bytes((STACKS / "prod.yaml").read_bytes())
    start = time.perf_counter()
    plan(spec)
    assert time.perf_counter() - start < 0.3


def test_a_thousand_workloads_are_planned() -> None:
    made = fleet_plan({f"chat-{number}": served() for number in range(1000)})
    assert len(made.pools) == 1001
    cost = made.costs[0].monthly
    assert cost.value == pytest.approx(1000 * fleet_plan().costs[0].monthly.value)
    assert len(cost.operands) == 1000


def test_a_workload_may_be_named_like_a_word_of_the_formulas_language() -> None:
    made = fleet_plan({"lambda": served(), "if": programme()})
    assert made.costs[0].monthly.operands.keys() == {"lambda_"}


@given(
    mean=st.floats(0.5, 200),
    peak=st.floats(1, 5),
    rate=st.floats(0.5, 20),
    zones=st.integers(2, 3),
    growth=st.floats(0, 60),
    critical=st.booleans(),
)
def test_after_losing_a_zone_the_cap_carries_the_peak_and_the_minimum_the_steady_load(
    mean: float, peak: float, rate: float, zones: int, growth: float, *, critical: bool
) -> None:
    chat = served(
        service_class="latency-critical" if critical else "standard",
        demand={
            "requests_per_second": mean,
            "peak_factor": peak,
            "headroom": "25%",
            "growth": f"{growth:.6f}/h",
        },
        replica={"requests_per_second": rate, "startup": "480s"},
    )
    one = fleet_plan(
        {"chat": chat},
        zones=["us-east-1a", "us-east-1b", "us-east-1c"][:zones],
        partition={"mode": "borrow-and-return"},
    )
    nodes = one.pools[0].nodes
    headroom = 1.25 if critical else 1.0
    for total, load in ((nodes.max, mean * peak), (nodes.min, mean)):
        left = total - -(-total // zones)
        assert left * rate >= load * headroom * (1 - 1e-6)
        assert total * rate >= load * 1.25 * (1 - 1e-6)
    assert nodes.min * rate >= min(nodes.max * rate, mean * 1.25 + growth / 6 - 1e-4) * (1 - 1e-6)


@given(
    mean=st.floats(0.5, 200), growth=st.floats(0, 2), mode=st.sampled_from(["physical", "logical", "borrow-and-return"])
)
def test_counts_are_in_order_and_what_is_lent_is_never_reserved(mean: float, growth: float, mode: str) -> None:
    chat = served(demand={"requests_per_second": mean, "growth": f"{growth:.6f}/min"})
    one = fleet_plan(
        {"chat": chat, "score": scoring(borrow=None, nodes={"types": ["g6e.xlarge"]})}, partition={"mode": mode}
    )
    for pool in one.pools:
        assert 0 <= pool.nodes.min <= pool.nodes.desired <= pool.nodes.max
    lane = sum(pool.max_gpus for pool in one.pools if pool.kind == "inference")
    assert one.partition.reserve_gpus + one.partition.lendable_gpus == lane
    for queue in one.queues:
        assert all((quota.lending or 0) <= quota.nominal for quota in queue.quotas)


def test_a_pool_is_explained_with_every_step_that_decided_about_it() -> None:
    found = explain_pool(prod_plan(), "pretrain-spot")
    assert found.pool.name == "pretrain-spot"
    assert [step.name for step in found.steps] == ["training", "spares", "checkpoint", "cost"]
    assert [one.name for one in found.workloads] == ["pretrain"]
    assert found.node_selector["workload"] == "training"
    assert {t["key"] for t in found.tolerations} == {"workload", "nvidia.com/gpu"}
    assert found.notes == ()


def test_an_explanation_reads_selector_and_tolerations_off_the_pool_even_when_set_by_hand() -> None:
    taint = {"key": "dedicated", "value": "gpu"}
    found = explain_pool(fleet_plan({"chat": served(overrides={"taints": [taint]})}), "chat")
    assert found.tolerations == ({"key": "dedicated", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"},)
    assert [note.code for note in found.notes] == ["override"]


def test_an_unknown_pool_is_refused_with_those_there_are() -> None:
    with pytest.raises(PlanError) as caught:
        explain_pool(fleet_plan(), "chta")
    assert caught.value.problems[0].allowed == "one of chat, system"


def test_a_plan_in_one_row_per_lane() -> None:
    rows = summary(fleet_plan({"chat": served(), "score": scoring()}, partition={"mode": "borrow-and-return"}))
    assert [row.kind for row in rows] == ["inference", "batch", "system"]
    inference, batch, _ = rows
    assert (inference.pools, inference.workloads, inference.max_gpus) == (("chat",), ("chat",), 6)
    assert (batch.pools, batch.workloads, batch.monthly_usd) == ((), ("score",), 0.0)
    assert inference.monthly_usd > 0
