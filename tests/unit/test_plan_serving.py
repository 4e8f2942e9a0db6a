import pytest

from builders import Data, fleet_plan, served
from gpulanes.errors import PlanError, Problem
from gpulanes.kinds.pool import Nodes
from gpulanes.plan import Plan
from gpulanes.plan.counts import Loss, loss
from gpulanes.plan.serving_nodes import lost_nodes
from gpulanes.sizing.sized import Sized


def refused(workloads: dict[str, Data], **changes: object) -> list[Problem]:
    with pytest.raises(PlanError) as caught:
        fleet_plan(workloads, **changes)
    return list(caught.value.problems)


def numbers(plan: Plan, step: str, subject: str) -> dict[str, Sized]:
    return dict(next(s.numbers for s in plan.steps if (s.name, s.subject) == (step, subject)))


def codes(plan: Plan) -> list[str]:
    return [note.code for note in plan.notes]


def nodes_of(plan: Plan, pool: str) -> Nodes:
    return next(p.nodes for p in plan.pools if p.name == pool)


def test_the_model_of_prod_fits_four_gpus_only_in_eight_bits() -> None:
    shape: Data = {"name": "llama-3.1-70b", "dtype": "fp8"}
    replica: Data = {"gpus": 4, "concurrency": 16}
    plan = fleet_plan({"chat": served(model=shape, replica=replica, nodes={"types": ["g6e.12xlarge"]})})
    assert numbers(plan, "memory", "chat")["max_concurrency"].value > 16
    (problem,) = refused({"chat": served(model="llama-3.1-70b", replica=replica, nodes={"types": ["g6e.48xlarge"]})})
    assert (problem.code, problem.path) == ("replica-does-not-fit", "workloads.chat.replica.gpus")
    assert "use 8 GPUs of g6e.48xlarge" in problem.fix


def test_a_model_that_fits_no_node_of_the_type_is_refused_with_what_each_number_of_gpus_holds() -> None:
    (problem,) = refused({"chat": served(model="llama-3.1-405b", nodes={"types": ["g6e.12xlarge"]})})
    assert (problem.code, problem.path) == ("model-does-not-fit", "workloads.chat.replica.gpus")
    assert "4 GPUs hold" in problem.allowed


def test_a_replica_over_several_nodes_is_refused() -> None:
    (problem,) = refused({"chat": served(replica={"gpus": 2})})
    assert (problem.code, problem.path) == ("replica-exceeds-node", "workloads.chat.replica.gpus")
    assert "1 GPUs of g6e.2xlarge" in problem.allowed


def test_a_critical_service_keeps_its_headroom_while_a_zone_is_lost() -> None:
    plan = fleet_plan({"chat": served(service_class="latency-critical")})
    assert numbers(plan, "nodes", "chat")["peak_nodes"].count == 5
    assert nodes_of(plan, "chat") == Nodes(9, 9, 9)


def test_a_standard_service_spends_its_headroom_while_a_zone_is_lost() -> None:
    plan = fleet_plan({"chat": served()})
    assert numbers(plan, "nodes", "chat")["bare_peak_nodes"].count == 4
    assert nodes_of(plan, "chat") == Nodes(6, 6, 6)


def test_best_effort_runs_what_its_load_needs_and_no_more() -> None:
    assert nodes_of(fleet_plan({"chat": served(service_class="best-effort")}), "chat") == Nodes(5, 5, 5)


@pytest.mark.parametrize(
    ("survive", "expected"), [("nothing", 5), ("1 node", 6), ("2 nodes", 7), ("1 zone", 6), ("2 zones", 12)]
)
def test_what_must_be_survived_can_be_stated(survive: str, expected: int) -> None:
    assert nodes_of(fleet_plan({"chat": served(nodes={"survive": survive})}), "chat").max == expected


def test_in_one_zone_a_node_is_survived_and_the_zone_is_warned_about() -> None:
    plan = fleet_plan({"chat": served(nodes={"zones": ["us-east-1a"]})})
    assert nodes_of(plan, "chat").max == 6
    assert codes(plan) == ["single-zone"]


def test_a_lending_mode_holds_the_steady_load_failover_and_growth_and_scales_to_the_peak() -> None:
    demand = {"requests_per_second": 20, "growth": "0.5/min"}
    plan = fleet_plan({"chat": served(demand=demand)}, partition={"mode": "borrow-and-return"})
    found = numbers(plan, "nodes", "chat")
    assert (found["steady_nodes"].count, found["peak_nodes"].count, found["max_nodes"].count) == (13, 20, 24)
    assert found["lead_time"].value == 420.0
    assert found["steady_reserve"].count == 15
    assert found["warm_nodes"].count == 2
    assert nodes_of(plan, "chat") == Nodes(17, 17, 24)
    pool = plan.pools[0]
    assert (pool.warm_nodes, pool.autoscaled) == (2, True)


def test_without_growth_nothing_is_kept_warm() -> None:
    plan = fleet_plan({"chat": served()}, partition={"mode": "logical"})
    assert numbers(plan, "nodes", "chat")["warm_nodes"].count == 0
    assert nodes_of(plan, "chat") == Nodes(6, 6, 6)


def test_several_replicas_share_a_node() -> None:
    plan = fleet_plan({"chat": served(service_class="best-effort", nodes={"types": ["g6e.12xlarge"]})})
    assert numbers(plan, "packing", "chat")["replicas_per_node"].count == 4
    assert nodes_of(plan, "chat").max == 2


def test_an_unmeasured_rate_is_estimated_cautiously_and_said_to_be() -> None:
    plan = fleet_plan({"chat": served(replica={"requests_per_second": None})})
    assert codes(plan) == ["rate-estimated"]
    found = numbers(plan, "rate", "chat")["replica_rate"]
    assert found.note.startswith("estimate")
    assert numbers(plan, "nodes", "chat")["peak_replicas"].operands["utilisation"] == 0.8


def test_an_objective_per_token_lowers_the_estimate() -> None:
    free = fleet_plan({"chat": served(replica={"requests_per_second": None})})
    tight = fleet_plan({"chat": served(replica={"requests_per_second": None}, slo={"tpot_p99": "26ms"})})
    rates = [numbers(plan, "rate", "chat")["replica_rate"].value for plan in (free, tight)]
    assert rates[1] < rates[0]


def test_an_objective_that_no_memory_is_fast_enough_for_is_refused() -> None:
    (problem,) = refused({"chat": served(replica={"requests_per_second": None}, slo={"tpot_p99": "1ms"})})
    assert (problem.code, problem.path) == ("tpot-unreachable", "workloads.chat.replica")


def test_stated_counts_are_taken_and_the_plan_says_what_they_carry() -> None:
    plan = fleet_plan({"chat": served(nodes={"count": 6})})
    assert nodes_of(plan, "chat") == Nodes(6, 6, 6)
    found = numbers(plan, "capacity", "chat")
    assert found["carried"].value == pytest.approx(6 * 2 / (1.6 * 1.25))
    assert found["carried_after_loss"].value == pytest.approx(4 * 2 / 1.6)
    assert codes(plan) == []


def test_stated_counts_below_the_demand_are_warned_about_and_kept() -> None:
    plan = fleet_plan({"chat": served(service_class="latency-critical", nodes={"min": 2, "max": 6})})
    assert nodes_of(plan, "chat") == Nodes(2, 2, 6)
    (note,) = plan.notes
    assert (note.level, note.code, note.subject) == ("warning", "below-demand", "chat")
    assert "carry 4.00 requests/s (after losing 1 zone)" in note.text
    assert "the demand is 5" in note.text


def test_a_load_out_of_proportion_is_refused() -> None:
    (problem,) = refused({"chat": served(demand={"requests_per_second": 1e6})})
    assert (problem.code, problem.path) == ("too-many-nodes", "workloads.chat.demand.requests_per_second")


def test_a_model_by_numbers_is_sized_without_a_name() -> None:
    shape: Data = {"parameters": "8B", "layers": 32, "kv_heads": 8, "head_dim": 128}
    plan = fleet_plan({"chat": served(model=shape)})
    found = numbers(plan, "memory", "chat")
    assert found["kv_per_token"].value == 131_072
    assert found["weights"].value == pytest.approx(16e9 / 2**30)


def test_numbers_override_a_named_model_and_a_dense_one_stays_dense() -> None:
    shape: Data = {"name": "llama-3.1-8b", "parameters": "4B", "layers": 16}
    plan = fleet_plan({"chat": served(model=shape)})
    found = numbers(plan, "memory", "chat")
    assert found["kv_per_token"].value == 65_536
    assert found["weights"].operands["parameters"] == 4e9


@pytest.mark.parametrize(("zones", "nodes", "lost"), [(1, 0, 3), (2, 0, 6), (0, 2, 2), (0, 20, 8), (0, 0, 0)])
def test_the_fullest_zones_are_lost(zones: int, nodes: int, lost: int) -> None:
    assert lost_nodes(8, 3, Loss(zones, nodes, strict=True)) == lost


def test_a_loss_is_printed_as_the_file_says_it() -> None:
    found = [str(loss(text, "standard", 3)) for text in ("nothing", "1 zone", "2 zones", "1 node", "3 nodes")]
    assert found == ["nothing", "1 zone", "2 zones", "1 node", "3 nodes"]


def test_a_type_whose_memory_is_not_established_is_refused() -> None:
    (problem,) = refused({"chat": served(nodes={"types": ["p6e-gb200.36xlarge"]})})
    assert (problem.code, problem.path) == ("gpu-memory-unknown", "workloads.chat.nodes.types")
