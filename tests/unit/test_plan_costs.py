import pytest

from builders import Data, fleet_plan, programme, scoring, served
from gpulanes.catalog import instance
from gpulanes.plan import Plan
from gpulanes.plan.model import Note
from gpulanes.sizing.sized import Sized

HOURS = 730


def price(name: str) -> float:
    found = instance(name).on_demand_in("us-east-1")
    assert found is not None
    return found.usd


def monthly(plan: Plan, kind: str) -> float:
    return next(cost.monthly.value for cost in plan.costs if cost.kind == kind)


def cost_of(plan: Plan, pool: str) -> Sized:
    return next(s.numbers["monthly"] for s in plan.steps if (s.name, s.subject) == ("cost", pool))


def notes(plan: Plan, code: str) -> list[Note]:
    return [note for note in plan.notes if note.code == code]


def test_serving_is_priced_at_its_cap_all_month() -> None:
    assert monthly(fleet_plan(), "inference") == pytest.approx(6 * price("g6e.2xlarge") * HOURS)


def test_the_dearest_type_counts() -> None:
    plan = fleet_plan({"chat": served(nodes={"types": ["g6e.2xlarge", "g6e.4xlarge"]})})
    assert monthly(plan, "inference") == pytest.approx(6 * price("g6e.4xlarge") * HOURS)


def test_training_is_priced_for_the_share_of_the_month_that_it_runs() -> None:
    plan = fleet_plan({"pretrain": programme()})
    duty = next(s.numbers["duty"].value for s in plan.steps if s.name == "training")
    nodes = plan.workloads[0].replicas
    assert monthly(plan, "training") == pytest.approx(nodes * price("p5.48xlarge") * HOURS * duty)


def test_a_reservation_is_billed_whole_whether_used_or_not() -> None:
    reservation = {"nodes": 2, "tags": {"for": "pretrain"}}
    plan = fleet_plan({"pretrain": programme(capacity=["spot", "reserved"], nodes={"reservation": reservation})})
    assert cost_of(plan, "pretrain-reserved").value == pytest.approx(2 * price("p5.48xlarge") * HOURS)
    assert cost_of(plan, "pretrain-spot").operands["nodes"] == plan.workloads[0].replicas


def test_what_a_preferred_reservation_does_not_hold_runs_on_the_next_option() -> None:
    reservation = {"nodes": 2, "tags": {"for": "pretrain"}}
    plan = fleet_plan({"pretrain": programme(capacity=["reserved", "spot"], nodes={"reservation": reservation})})
    assert cost_of(plan, "pretrain-spot").operands["nodes"] == plan.workloads[0].replicas - 2


def test_a_fallback_costs_nothing_while_the_first_option_holds_all() -> None:
    plan = fleet_plan({"pretrain": programme(capacity=["spot", "on-demand"])})
    assert cost_of(plan, "pretrain-on-demand").value == 0.0


def test_a_batch_job_on_its_own_nodes_is_priced_for_its_window() -> None:
    own: Data = {"borrow": None, "nodes": {"types": ["g6e.xlarge"]}, "gpus": 3}
    night = fleet_plan({"score": scoring(**own, window="22:00-06:00 UTC")})
    always = fleet_plan({"score": scoring(**own)})
    assert monthly(night, "batch") == pytest.approx(monthly(always, "batch") / 3)


def test_borrowed_capacity_costs_nothing_more() -> None:
    plan = fleet_plan({"chat": served(), "score": scoring()}, partition={"mode": "borrow-and-return"})
    assert [cost.kind for cost in plan.costs] == ["inference", "system"]


def test_a_budget_that_is_exceeded_is_a_warning_with_both_figures() -> None:
    plan = fleet_plan(budget={"inference": "9000 USD/month"})
    (note,) = notes(plan, "budget-exceeded")
    assert (note.level, note.subject) == ("warning", "inference")
    assert "9,820 USD/month exceeds the budget of 9,000" in note.text
    assert plan.costs[0].budget_usd == 9000.0


def test_a_budget_that_is_met_is_silent() -> None:
    assert notes(fleet_plan(budget={"inference": "10000 USD/month"}), "budget-exceeded") == []


def test_a_price_that_is_not_established_is_warned_about_and_never_guessed() -> None:
    reservation = {"nodes": 4, "tags": {"for": "pretrain"}}
    block = programme(
        capacity=["capacity-block"],
        cycle=None,
        nodes={"types": ["g6e.48xlarge"], "count": 4, "reservation": reservation},
    )
    plan = fleet_plan({"pretrain": block})
    (note,) = notes(plan, "price-unknown")
    assert note.subject == "pretrain"
    assert monthly(plan, "training") == 0.0


def test_two_gpus_are_better_not_split() -> None:
    tuning = programme(model={"parameters": "1.2B"}, cycle=None, nodes={"types": ["g6e.2xlarge"], "count": 1})
    plan = fleet_plan({"chat": served(service_class="best-effort", nodes={"count": 1}), "tune": tuning})
    (note,) = notes(plan, "do-not-split")
    assert (note.level, note.subject) == ("advice", "partition")
    assert "do not split into lanes: 2 GPUs" in note.text


def test_a_large_physical_split_is_advised_to_lend() -> None:
    plan = fleet_plan({"chat": served(), "pretrain": programme(cycle={"tokens": "100B"})})
    (note,) = notes(plan, "split-borrow")
    assert "lend what inference leaves idle" in note.text


def test_a_promise_of_latency_wants_lanes_of_its_own_even_when_small() -> None:
    tuning = programme(model={"parameters": "1.2B"}, cycle=None, nodes={"types": ["g6e.2xlarge"], "count": 1})
    logical = {"mode": "logical"}
    promised = fleet_plan({"chat": served(slo={"ttft_p99": "2s"}), "tune": tuning}, partition=logical)
    assert [note.code for note in promised.notes if note.subject == "partition"] == ["split-physical"]
    free = fleet_plan({"chat": served(), "tune": tuning}, partition=logical)
    assert [note.code for note in free.notes if note.subject == "partition"] == []


def test_lanes_on_karpenter_are_advised_to_have_a_window() -> None:
    plan = fleet_plan({"chat": served(nodes={"provisioner": "karpenter"}), "pretrain": programme()})
    assert [note.subject for note in notes(plan, "no-window")] == ["inference", "training"]
    windows = {"inference": "Sun 03:00 +4h UTC", "training": "Wed 12:00 +4h UTC"}
    assert notes(fleet_plan({"pretrain": programme()}, maintenance=windows), "no-window") == []
