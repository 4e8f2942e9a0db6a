import re

import pytest

from builders import STACKS, stack_plan
from gpulanes.facts import from_plan
from gpulanes.kinds.plain import to_plain
from gpulanes.plan import Plan
from gpulanes_policies.engine import judge

SHIPPED = ("prod", "staging", "dev")
MARK = re.compile(r"# ((?:[A-Z]{3}-\d\d)(?: [A-Z]{3}-\d\d)*): \w")


def findings(plan: Plan) -> set[str]:
    plain = to_plain(plan)
    assert isinstance(plain, dict)
    return {finding.rule for finding in judge(from_plan(plain)).findings}


@pytest.mark.parametrize("environment", SHIPPED)
def test_a_shipped_file_plans_without_a_warning_and_triggers_no_rule(environment: str) -> None:
    plan = stack_plan(environment)
    assert [note for note in plan.notes if note.level == "warning"] == []
    assert findings(plan) == set()


@pytest.mark.parametrize("environment", SHIPPED)
def test_budgets_are_what_the_planner_says_it_costs(environment: str) -> None:
    budgeted = [cost for cost in stack_plan(environment).costs if cost.budget_usd]
    assert {cost.kind for cost in budgeted} == {"inference", "training"}
    for cost in budgeted:
        assert cost.monthly.value <= cost.budget_usd <= cost.monthly.value * 1.05


def test_prod_serves_a_70b_model_over_three_zones_and_trains_on_spot_with_a_reserved_fallback() -> None:
    plan = stack_plan("prod")
    pools = {pool.name: pool for pool in plan.pools}
    assert {pool.kind for pool in plan.pools} == {"inference", "training", "system"}
    assert (pools["chat"].provisioner, len(pools["chat"].zones)) == ("node-group", 3)
    assert [pools[f"pretrain-{option}"].capacity for option in ("spot", "reserved")] == [("spot",), ("reserved",)]
    assert all(pools[f"pretrain-{option}"].checkpoint is not None for option in ("spot", "reserved"))
    assert [one.name for one in plan.workloads if one.kind == "batch"] == ["nightly-scoring"]
    assert [code for note in plan.notes if (code := note.code)] == []


def test_dev_is_advised_not_to_split() -> None:
    assert [note.code for note in stack_plan("dev").notes] == ["rate-estimated", "do-not-split"]


def test_broken_is_prod_with_each_marked_line_caught_by_the_rule_it_names() -> None:
    text = (STACKS / "broken.yaml").read_text(encoding="utf-8")
    named = {rule for mark in MARK.findall(text) for rule in mark.split()}
    assert named == {
        "CAP-01",
        "CAP-02",
        "CLS-01",
        "DIS-01",
        "DIS-05",
        "GPU-01",
        "ISO-01",
        "ISO-02",
        "PDB-01",
        "PRI-01",
        "SIZ-01",
        "SIZ-04",
        "STO-01",
        "TAG-01",
        "ZON-01",
    }
    assert findings(stack_plan("broken")) == named


def test_broken_has_spot_serving_on_both_provisioners() -> None:
    spot = [pool for pool in stack_plan("broken").pools if pool.kind == "inference" and pool.capacity == ("spot",)]
    assert {pool.provisioner for pool in spot} == {"node-group", "karpenter"}
