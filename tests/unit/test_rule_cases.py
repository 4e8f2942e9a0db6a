"""One test per case file: the document, and exactly what the rules find in it."""

from collections.abc import Mapping
from typing import Any

import pytest

from builders_facts import CASES, facts_of, read_yaml
from gpulanes_policies.engine import judge, load_rules

FIELDS = ("rule", "outcome", "level", "target", "path", "value", "limit", "fix")
FILES = sorted(CASES.glob("*/*.yaml"))
SHOWS = ("pass", "fail", "unknown", "not-applicable", "near-miss")
ALWAYS = ("GEN-01", "GEN-02")
"""Rules whose subject is the fault itself: there is nothing for them to pass on."""


def case(file: Any) -> Mapping[str, Any]:  # noqa: ANN401 - a path
    loaded: Mapping[str, Any] = read_yaml(file.read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("file", FILES, ids=[f"{f.parent.name}/{f.stem}" for f in FILES])
def test_the_rules_find_exactly_what_the_case_expects(file: Any) -> None:  # noqa: ANN401 - a path
    document, rule = case(file), file.parent.name
    report = judge(facts_of(document))
    assert [{name: getattr(f, name) for name in FIELDS} for f in report.findings] == document["expect"]
    passed, ignored = report.passed.get(rule, 0), report.ignored.get(rule, 0)
    own = {finding.outcome for finding in report.findings if finding.rule == rule}
    shown = {
        "pass": passed > 0 and not own,
        "near-miss": (passed > 0 or rule in ALWAYS) and not own,
        "fail": "fail" in own,
        "unknown": "unknown" in own or ignored > 0,
        "not-applicable": not passed and not ignored and not own,
    }
    assert shown[document["shows"]]


@pytest.mark.parametrize("rule", [rule.id for rule in load_rules() if rule.id not in ALWAYS])
def test_each_rule_has_a_case_of_every_kind(rule: str) -> None:
    shown = {case(file)["shows"] for file in FILES if file.parent.name == rule}
    assert shown == set(SHOWS)


def test_every_case_belongs_to_a_rule() -> None:
    assert {file.parent.name for file in FILES} == {rule.id for rule in load_rules()}
