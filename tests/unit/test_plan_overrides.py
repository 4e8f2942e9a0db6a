from builders import Data, fleet_plan, programme, served
from gpulanes.kinds.pool import Pool, Taint
from gpulanes.plan import Plan


def chat(overrides: Data, **changes: object) -> Plan:
    return fleet_plan({"chat": served(nodes={"provisioner": "karpenter"}, overrides=overrides, **changes)})


def pool(plan: Plan, name: str = "chat") -> Pool:
    return next(p for p in plan.pools if p.name == name)


def test_guarded_fields_set_by_hand_are_rendered_as_written_and_warned_about() -> None:
    plan = chat(
        {
            "labels": {"team": "research"},
            "taints": [{"key": "dedicated", "value": "gpu", "effect": "PreferNoSchedule"}],
            "ami_type": "CUSTOM",
            "consolidation_policy": "WhenEmptyOrUnderutilized",
            "consolidate_after": "1m",
            "expire_after": "24h",
            "gpu_limit": False,
        }
    )
    found = pool(plan)
    assert found.labels == {"team": "research"}
    assert found.taints == (Taint("dedicated", "gpu", "PreferNoSchedule"),)
    assert (found.ami_type, found.capped) == ("CUSTOM", False)
    assert found.disruption is not None
    assert (found.disruption.consolidation_policy, found.disruption.consolidate_after) == (
        "WhenEmptyOrUnderutilized",
        "1m",
    )
    assert found.disruption.expire_after == "24h"
    (note,) = [note for note in plan.notes if note.code == "override"]
    assert (note.level, note.subject) == ("warning", "chat")
    assert note.text.startswith("ami_type, consolidate_after, consolidation_policy, expire_after, gpu_limit, labels")


def test_what_is_not_set_by_hand_stays_planned() -> None:
    plan, planned = chat({"ami_type": "CUSTOM"}), fleet_plan({"chat": served(nodes={"provisioner": "karpenter"})})
    assert pool(plan).labels == pool(planned).labels
    assert pool(plan).taints == pool(planned).taints
    assert pool(plan).disruption == pool(planned).disruption
    assert pool(plan).capped


def test_overrides_come_last_and_leave_the_numbers_as_planned() -> None:
    plan, planned = chat({"labels": {"team": "x"}}), fleet_plan({"chat": served(nodes={"provisioner": "karpenter"})})
    assert (plan.queues, plan.flavors, plan.costs) == (planned.queues, planned.flavors, planned.costs)
    assert plan.steps[-1].name == "overrides"


def test_a_disruption_budget_can_be_left_out_by_hand() -> None:
    assert [one.pdb_max_unavailable for one in chat({"pod_disruption_budget": False}).workloads] == [0]
    assert [one.pdb_max_unavailable for one in chat({"pod_disruption_budget": True}).workloads] == [1]


def test_only_the_workload_that_says_so_loses_its_disruption_budget() -> None:
    plan = fleet_plan({"a": served(), "b": served(overrides={"pod_disruption_budget": False})})
    assert {one.name: one.pdb_max_unavailable for one in plan.workloads} == {"a": 1, "b": 0}


def test_a_priority_set_by_hand_is_a_class_of_its_own() -> None:
    plan = fleet_plan({"chat": served(), "pretrain": programme(overrides={"priority": 200_000})})
    (own,) = [one for one in plan.priorities if one.name == "chat-test-pretrain"]
    assert (own.kind, own.value, own.preemption_policy) == ("training", 200_000, "Never")
    assert {one.name: one.priority_class for one in plan.workloads} == {
        "chat": "chat-test-inference",
        "pretrain": "chat-test-pretrain",
    }
    assert pool(plan, "pretrain").priority_class == "chat-test-pretrain"


def test_a_node_group_has_no_disruption_settings_to_set() -> None:
    plan = fleet_plan({"chat": served(overrides={"expire_after": "24h"})})
    assert pool(plan).disruption is None
