"""What the planner decides by itself, the rules accept: on any fleet that a careful person writes."""

from hypothesis import given

from builders import Data, fleet_plan
from gpulanes.facts import from_plan
from gpulanes.kinds.plain import to_plain
from gpulanes.plan import Plan
from gpulanes_policies.engine import judge
from strategies_sane import sane_fleets


def consistent(plan: Plan) -> None:
    names = [pool.name for pool in plan.pools]
    assert len(set(names)) == len(names)
    for one in plan.workloads:
        assert set(one.pools) <= set(names)
        assert bool(one.pools) == bool(one.tolerations)
        assert one.queue in {queue.name for queue in plan.queues}
        assert one.priority_class in {priority.name for priority in plan.priorities}
    flavors = {flavor.name: flavor for flavor in plan.flavors}
    for queue in plan.queues:
        assert {quota.flavor for quota in queue.quotas} <= flavors.keys()
        assert not any(flavors[quota.flavor].spot for quota in queue.quotas if queue.kind == "inference")
    for kind in ("inference", "training", "batch"):
        quota = sum(q.nominal for queue in plan.queues if queue.kind == kind for q in queue.quotas)
        assert quota == sum(pool.max_gpus for pool in plan.pools if pool.kind == kind)


@given(fleet=sane_fleets())
def test_a_sane_fleet_is_planned_consistently_and_triggers_no_rule(fleet: tuple[dict[str, Data], Data]) -> None:
    workloads, rest = fleet
    plan = fleet_plan(workloads, **rest)
    consistent(plan)
    plain = to_plain(plan)
    assert isinstance(plain, dict)
    assert list(judge(from_plan(plain)).findings) == []
