import pytest

from builders import Data, fleet_plan, fleet_spec, programme
from gpulanes.errors import PlanError, Problem
from gpulanes.kinds.pool import Nodes
from gpulanes.plan import Plan
from gpulanes.plan.draft import Draft
from gpulanes.plan.training import programme as run_of
from gpulanes.sizing.sized import Sized
from gpulanes.spec.nodes import NodesSpec
from gpulanes.spec.workload import TrainingWorkload


def plan_of(**changes: object) -> Plan:
    return fleet_plan({"pretrain": programme(**changes)}, maintenance={"training": "Wed 12:00 +4h UTC"})


def refused(**changes: object) -> Problem:
    with pytest.raises(PlanError) as caught:
        plan_of(**changes)
    (problem,) = caught.value.problems
    return problem


def numbers(plan: Plan, step: str) -> dict[str, Sized]:
    return dict(next(s.numbers for s in plan.steps if (s.name, s.subject) == (step, "pretrain")))


def nodes_of(plan: Plan, pool: str = "pretrain") -> Nodes:
    return next(p.nodes for p in plan.pools if p.name == pool)


def codes(plan: Plan) -> list[str]:
    return [note.code for note in plan.notes]


def test_nodes_meet_the_deadline_with_the_goodput_they_have_and_one_less_would_not() -> None:
    plan = plan_of()
    found = numbers(plan, "training")
    nodes = next(w.replicas for w in plan.workloads if w.name == "pretrain")
    deadline = 14 * 86400
    assert found["run_time"].value <= deadline < found["run_time"].value * nodes / (nodes - 1)
    assert found["duty"].value == pytest.approx(found["run_time"].value / (30 * 86400))


def test_nodes_come_with_spares_for_repairs_and_none_run_while_nothing_trains() -> None:
    plan = plan_of()
    found = numbers(plan, "spares")
    job = next(w.replicas for w in plan.workloads if w.name == "pretrain")
    assert nodes_of(plan) == Nodes(0, 0, job + found["spares"].count)
    assert found["spares"].count >= 1


def test_spares_can_be_stated() -> None:
    plan = plan_of(nodes={"spares": 3})
    job = next(w.replicas for w in plan.workloads if w.name == "pretrain")
    assert nodes_of(plan).max == job + 3


def test_spot_is_interrupted_more_often_and_needs_more_nodes_or_time() -> None:
    on_demand, spot = plan_of(), plan_of(capacity=["spot"])
    goodputs = [numbers(plan, "training")["goodput"].value for plan in (on_demand, spot)]
    assert goodputs[1] < goodputs[0]
    assert nodes_of(spot).max >= nodes_of(on_demand).max


def test_the_interval_is_the_exact_optimum_and_reaches_the_pool() -> None:
    plan = plan_of(capacity=["spot"])
    interval = numbers(plan, "checkpoint")["interval"]
    assert interval.formula.startswith("mtbf_seconds * (1 + lambert_w0")
    checkpoint = plan.pools[-1].checkpoint or plan.pools[0].checkpoint
    assert checkpoint is not None
    assert (checkpoint.interval_seconds, checkpoint.size_bytes) == (interval.value, round(14 * 70.6e9))


def test_a_stated_interval_is_kept_and_a_long_one_advised_against() -> None:
    plan = plan_of(capacity=["spot"], checkpoint={"interval": "20m"})
    assert numbers(plan, "checkpoint")["interval"].value == 1200.0
    assert codes(plan) == []
    (note,) = plan_of(capacity=["spot"], checkpoint={"interval": "3h"}).notes
    assert (note.level, note.code, note.subject) == ("advice", "checkpoint-interval", "pretrain")


def test_without_checkpoints_an_interruption_loses_the_run_and_the_nodes_show_it() -> None:
    saved = plan_of(cycle={"tokens": "5B"})
    unsaved = plan_of(cycle={"tokens": "5B"}, checkpoint=None)
    goodputs = [numbers(plan, "training")["goodput"].value for plan in (saved, unsaved)]
    assert goodputs[1] < goodputs[0]
    assert not any(step.name == "checkpoint" for step in unsaved.steps)


def test_a_run_that_no_interruption_lets_finish_is_refused() -> None:
    problem = refused(cycle={"tokens": "500T"}, checkpoint=None)
    assert problem.path in {"workloads.pretrain.cycle.deadline", "workloads.pretrain.checkpoint"}
    assert problem.code in {"deadline-unreachable", "no-progress"}


def test_stated_nodes_that_fail_faster_than_any_work_is_kept_are_refused() -> None:
    problem = refused(checkpoint=None, nodes={"count": 10_000}, cycle={"every": "3000d", "deadline": "3000d"})
    assert (problem.code, problem.path) == ("no-progress", "workloads.pretrain.checkpoint")


def test_a_deadline_that_no_number_of_nodes_meets_is_refused() -> None:
    problem = refused(cycle={"tokens": "100T", "deadline": "10d"})
    assert (problem.code, problem.path) == ("deadline-unreachable", "workloads.pretrain.cycle.deadline")


def test_an_accelerator_of_unknown_speed_is_refused_with_what_to_state_instead() -> None:
    problem = refused(nodes={"types": ["g5.48xlarge"]})
    assert (problem.code, problem.path) == ("gpu-speed-unknown", "workloads.pretrain.nodes.types")


def test_stated_counts_are_taken_and_a_missed_deadline_is_warned_about() -> None:
    plan = plan_of(nodes={"count": 4})
    assert nodes_of(plan) == Nodes(0, 0, 4)
    assert [note.code for note in plan.notes] == ["misses-deadline"]
    assert "4 nodes take" in plan.notes[0].text


def test_stated_counts_need_no_cycle() -> None:
    plan = plan_of(cycle=None, nodes={"min": 1, "max": 8, "provisioner": "node-group"})
    assert nodes_of(plan) == Nodes(1, 1, 8)
    assert not any(step.name == "training" for step in plan.steps)


def test_a_count_on_a_node_group_is_a_fixed_size() -> None:
    plan = plan_of(cycle=None, nodes={"count": 8, "provisioner": "node-group"})
    assert nodes_of(plan) == Nodes(8, 8, 8)
    assert not plan.pools[0].autoscaled


def test_karpenter_holds_no_nodes_and_that_a_minimum_says_nothing_is_said() -> None:
    plan = plan_of(cycle=None, nodes={"min": 1, "max": 8})
    assert nodes_of(plan) == Nodes(0, 0, 8)
    assert [note.text for note in plan.notes if note.code == "field-unused"] == [
        "remove nodes.min: Karpenter makes nodes for pods and holds none without them"
    ]


def test_nodes_whose_memory_cannot_hold_the_training_state_are_warned_about() -> None:
    plan = plan_of(cycle=None, nodes={"count": 1})
    assert codes(plan) == ["state-exceeds-memory"]


def test_memory_sets_the_least_number_of_nodes_of_an_easy_run() -> None:
    plan = plan_of(cycle={"tokens": "1B"})
    assert next(w.replicas for w in plan.workloads if w.name == "pretrain") == 4


def test_a_job_over_several_nodes_stands_in_one_zone_with_the_whole_fabric() -> None:
    plan = plan_of()
    pool = plan.pools[0]
    assert (pool.zones, pool.placement, pool.efa_interfaces) == (("us-east-1a",), "cluster", 32)
    assert pool.disruption is not None
    assert pool.disruption.termination_grace_period == "336h"


def test_a_job_on_one_node_needs_no_fabric() -> None:
    small: Data = {"parameters": "1.2B"}
    plan = plan_of(model=small, cycle=None, nodes={"count": 1}, longest_job="2h")
    pool = plan.pools[0]
    assert (pool.placement, pool.efa_interfaces) == ("none", 0)
    assert pool.disruption is not None
    assert pool.disruption.termination_grace_period == "2h"


def test_several_zones_for_one_fabric_are_refused_where_the_file_says_them() -> None:
    problem = refused(nodes={"zones": ["us-east-1a", "us-east-1b"]})
    assert (problem.code, problem.path) == ("fabric-zones", "workloads.pretrain.nodes.zones")


def test_training_stands_where_the_file_system_does() -> None:
    plan = fleet_plan({"pretrain": programme()}, storage={"hot": {"zone": "us-east-1c"}})
    assert plan.pools[0].zones == ("us-east-1c",)


def test_a_programme_built_without_cycle_and_counts_is_refused() -> None:
    spec = fleet_spec({"pretrain": programme()})
    bare = TrainingWorkload.model_construct(
        kind="training", model="x", cycle=None, nodes=NodesSpec(types=["p5.48xlarge"])
    )
    with pytest.raises(PlanError) as caught:
        run_of(Draft(spec), "pretrain", bare)
    assert caught.value.problems[0].code == "training-unsized"
