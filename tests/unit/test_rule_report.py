import json

from builders_facts import facts_of
from gpulanes.facts import from_plan
from gpulanes.kinds.plain import Plain
from gpulanes_policies.engine import judge, load_rules
from gpulanes_policies.finding import Report
from gpulanes_policies.report import reference_markdown, to_dict

BROKEN = {"plan": {"pools": {"chat": {"capacity": ["spot"]}}}}


def findings_of(data: dict[str, Plain]) -> list[dict[str, Plain]]:
    found = data["findings"]
    assert isinstance(found, list)
    return [finding for finding in found if isinstance(finding, dict)]


def test_a_report_is_data_for_programs() -> None:
    data = to_dict(judge(facts_of(BROKEN)))
    assert json.loads(json.dumps(data)) == data
    assert (data["mandatory"], data["advisory"]) == (1, 0)
    (finding,) = findings_of(data)
    assert finding == {
        "rule": "CAP-02",
        "title": "A node group for inference takes no interruptible capacity",
        "severity": "critical",
        "level": "mandatory",
        "outcome": "fail",
        "target": "pool chat",
        "path": "pool.capacity",
        "value": "spot",
        "limit": "on-demand or reserved capacity",
        "fix": "set the capacity type to ON_DEMAND (in a fleet file: capacity [on-demand])",
        "fingerprint": finding["fingerprint"],
    }


def test_places_are_told_where_they_are_known() -> None:
    document = {"pools": [{"name": "x", "kind": "inference", "provisioner": "karpenter", "workloads": ["chat"]}]}
    findings = judge(from_plan(document, file="prod.yaml", lines={"workloads.chat": 7})).findings
    first = findings_of(to_dict(Report(findings)))[0]
    assert (first["file"], first["line"]) == ("prod.yaml", 7)


def test_counts_are_sorted_and_leave_out_zeros() -> None:
    data = to_dict(judge(facts_of({"manifests": [{"like": "inference NodePool"}]})))
    assert isinstance(data["passed"], dict)
    assert list(data["passed"]) == sorted(data["passed"])
    assert "CAP-02" not in data["passed"]
    assert data["ignored"] == {"SIZ-01": 1}


def test_the_reference_has_every_rule_with_its_examples() -> None:
    text = reference_markdown()
    for rule in load_rules():
        assert f"## {rule.id}\n" in text
        assert rule.bad.strip() in text
        assert rule.why in text
    assert "| `scratch` | `(none)` |" in text
    assert text.endswith("```\n")
