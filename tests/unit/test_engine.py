from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from builders_facts import facts_of, plan_document, read_yaml
from gpulanes.facts import UNKNOWN, Fact, Facts, Undecided, from_plan
from gpulanes.facts.model import PoolFacts
from gpulanes.fleet import load_text
from gpulanes.kinds.plain import to_plain
from gpulanes.plan import plan
from gpulanes_policies.config import Config, RuleConfig
from gpulanes_policies.engine import judge, shown
from gpulanes_policies.rule import AnyRule, Failure, Parameters, Rule, Severity

STACKS = Path(__file__).parents[2] / "stacks"
LISTED = (
    *("CAP-01", "CAP-02", "ZON-01", "SIZ-01", "SIZ-04", "CLS-01", "ISO-01", "ISO-02"),
    *("DIS-01", "DIS-05", "PDB-01", "PRI-01", "STO-01", "GPU-01", "TAG-01"),
)


def pools(facts: Facts) -> Iterable[PoolFacts]:
    return facts.pools


def passes(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    del pool, facts, parameters
    yield from ()


def crashes(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    del facts, parameters
    if pool.name == "assist":
        message = "no such\nthing"
        raise ValueError(message)
    yield Failure("pool.name", pool.name, "another name")


def rule(**changed: object) -> AnyRule:
    made = Rule(
        id="TST-01",
        title="A rule of the tests",
        severity="critical",
        scope="resource",
        why="Tests.",
        fix="change it",
        source="here",
        reads={},
        subjects=pools,
        check=passes,
        bad="",
        good="",
    )
    return replace(made, **changed)  # type: ignore[arg-type] # fields by name


FACTS = from_plan(plan_document({}))


@pytest.mark.parametrize("name", ["prod", "staging", "dev"])
def test_a_shipped_fleet_has_no_finding(name: str) -> None:
    assert judge(stack(name)).findings == []


def test_every_broken_line_of_the_broken_fleet_is_caught() -> None:
    assert {f.rule for f in judge(stack("broken")).findings} >= set(LISTED)


def stack(name: str) -> Facts:
    file = STACKS / f"{name}.yaml"
    plain = to_plain(plan(load_text(file.read_text(encoding="utf-8"), file=file.name)))
    assert isinstance(plain, dict)
    return from_plan(plain)


def test_a_crash_costs_a_rule_one_subject_and_the_others_nothing() -> None:
    report = judge(FACTS, rules=[rule(check=crashes), rule(id="TST-02")])
    outcomes = [(f.rule, f.outcome, f.target) for f in report.findings]
    assert outcomes == [
        ("TST-01", "error", "pool assist"),
        ("TST-01", "fail", "pool chat"),
        ("TST-01", "fail", "pool pretrain"),
        ("TST-01", "fail", "pool system"),
    ]
    assert report.findings[0].value == "ValueError: no such thing"
    assert report.passed == {"TST-02": 4}


def test_a_rule_that_cannot_even_pick_its_subjects_is_one_finding() -> None:
    def picks(facts: Facts) -> Iterable[PoolFacts]:
        return [facts.pools[99]]

    report = judge(FACTS, rules=[rule(subjects=picks)])
    assert [(f.outcome, f.target) for f in report.findings] == [("error", "fleet")]


def test_findings_are_sorted_and_each_said_once() -> None:
    def twice(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
        del facts, parameters
        yield Failure("b", pool.name, "first")
        yield Failure("b", pool.name, "second")
        yield Failure("a", pool.name, "third")

    low = rule(id="TST-00", severity="low", check=twice)
    report = judge(FACTS, rules=[low, rule(check=twice)])
    assert [(f.rule, f.target, f.path) for f in report.findings[:3]] == [
        ("TST-01", "pool assist", "a"),
        ("TST-01", "pool assist", "b"),
        ("TST-01", "pool chat", "a"),
    ]
    assert len(report.findings) == 16
    assert [f.level for f in report.findings] == ["mandatory"] * 8 + ["advisory"] * 8
    assert len(report.mandatory) == 8


def test_a_fingerprint_outlives_the_value() -> None:
    prints = {
        finding.fingerprint
        for capacity in ("spot", "capacity-block")
        for finding in judge(facts_of({"plan": {"pools": {"chat": {"capacity": [capacity]}}}})).findings
    }
    assert len(prints) == 1
    assert len(prints.pop()) == 64


def test_scope_leaves_out_the_rules_of_the_other_scope() -> None:
    rules = [rule(), rule(id="TST-02", scope="stack")]
    assert judge(FACTS, scope="stack", rules=rules).passed == {"TST-02": 4}
    assert judge(FACTS, rules=rules).passed == {"TST-01": 4, "TST-02": 4}


def test_a_disabled_rule_does_not_run() -> None:
    config = Config(rules={"TST-01": RuleConfig(level="disabled")})
    assert judge(FACTS, config, rules=[rule(check=crashes)]).findings == []


@pytest.mark.parametrize(
    ("environment", "levels"),
    [
        ("prod", ["mandatory", "mandatory", "advisory", "advisory"]),
        ("staging", ["mandatory", "advisory", "advisory", "advisory"]),
        ("dev", ["advisory", "advisory", "advisory", "advisory"]),
    ],
)
def test_the_environment_sets_levels_by_severity(environment: str, levels: list[str]) -> None:
    severities: tuple[Severity, ...] = ("critical", "high", "medium", "low")
    config = Config(environment)  # type: ignore[arg-type] # one of the three
    assert [config.level(rule(severity=severity)) for severity in severities] == levels


def unknown_rule(**changed: object) -> AnyRule:
    def reads(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
        del facts, parameters
        yield Failure("a", pool.name, "is kept")
        pool.capacity.get()

    return rule(check=reads, **changed)


def with_unknown_capacity(*, native: bool) -> Facts:
    pool = FACTS.pools[0]
    hidden: Fact[tuple[str, ...]] = Fact("capacityType", UNKNOWN)
    return Facts(pools=[replace(pool, capacity=hidden, origin="native" if native else "declared")])


@pytest.mark.parametrize(
    ("meaning", "outcomes"),
    [
        ("fail", [("fail", "mandatory"), ("unknown", "mandatory")]),
        ("advise", [("fail", "mandatory"), ("unknown", "advisory")]),
        ("ignore", [("fail", "mandatory")]),
    ],
)
def test_a_rule_says_what_an_unknown_field_means(meaning: str, outcomes: list[tuple[str, str]]) -> None:
    report = judge(with_unknown_capacity(native=True), rules=[unknown_rule(reads={"capacity": meaning})])
    assert [(f.outcome, f.level) for f in report.findings] == outcomes
    assert report.ignored == ({"TST-01": 1} if meaning == "ignore" else {})


def test_an_unknown_that_a_rule_does_not_mention_fails() -> None:
    report = judge(with_unknown_capacity(native=True), rules=[unknown_rule(reads={"zones": "ignore"})])
    assert [f.outcome for f in report.findings] == ["fail", "unknown"]


def test_what_gpulanes_declares_has_to_be_known() -> None:
    report = judge(with_unknown_capacity(native=False), rules=[unknown_rule(reads={"capacity": "ignore"})])
    assert [(f.outcome, f.level) for f in report.findings] == [("fail", "mandatory"), ("unknown", "mandatory")]


def test_a_companion_that_is_not_in_sight_is_named_with_where_to_put_it() -> None:
    def looks(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
        del pool, facts, parameters
        yield from ()
        raise Undecided(path="the budget of its pods", field="pdbs")

    facts = with_unknown_capacity(native=True)
    (found,) = judge(facts, rules=[rule(check=looks, reads={"pdbs": "advise"})]).findings
    assert (found.level, found.path, found.value) == ("advisory", "the budget of its pods", "not found")
    assert found.fix == "put it beside pool chat"


def test_values_are_shown_short() -> None:
    assert shown(("a", "b")) == "a, b"
    assert shown("") == "(none)"
    assert shown("a\n  b") == "a b"
    assert shown("x" * 500) == "x" * 119 + "…"


def test_a_cause_without_a_lane_is_one_finding() -> None:
    text = "manifests: [{like: training NodePool, spec: {template: {metadata: {labels: null}, spec: {taints: null}}}}]"
    assert [f.rule for f in judge(facts_of(read_yaml(text))).findings] == ["CLS-01"]


def test_the_same_facts_always_give_the_same_report() -> None:
    document = {"plan": {"pools": {"chat": {"capacity": ["spot"], "zones": ["a"], "tags": {"owner": None}}}}}
    assert judge(facts_of(document)) == judge(facts_of(document))
