import importlib
import re
from pathlib import Path

import pytest

import gpulanes_policies.rules
from builders_facts import base, facts_of, plan_document, read_yaml
from gpulanes.facts import Facts, from_plan
from gpulanes_policies.engine import find_rule, judge, load_rules
from gpulanes_policies.rule import SEVERITIES, AnyRule

FOLDER = Path(gpulanes_policies.rules.__file__ or "").parent
RULES = load_rules()
ids = [rule.id for rule in RULES]


def test_the_folder_is_the_list_sorted_by_id() -> None:
    files = sorted(file.stem for file in FOLDER.glob("*.py") if file.stem != "__init__")
    assert files == [name.lower().replace("-", "_") for name in ids]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.py")), ids=lambda file: file.stem)
def test_a_rule_fits_on_a_screen(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_a_rule_is_complete(rule: AnyRule) -> None:
    assert re.fullmatch(r"[A-Z]{3}-[0-9]{2}", rule.id)
    assert rule.severity in SEVERITIES
    assert rule.scope in {"resource", "stack"}
    for text in (rule.title, rule.why, rule.fix, rule.source):
        assert text.strip() == text
        assert text
    assert not rule.title.endswith(".")
    assert rule.why.endswith(".")
    assert all(parameter.about for parameter in rule.parameters.values())
    assert set(rule.reads.values()) <= {"fail", "advise", "ignore"}


@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_the_bad_example_is_caught_by_its_own_rule_alone(rule: AnyRule) -> None:
    report = judge(facts_of(read_yaml(rule.bad)))
    assert {finding.rule for finding in report.findings} == {rule.id}


@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_the_good_example_is_caught_by_no_rule(rule: AnyRule) -> None:
    assert judge(facts_of(read_yaml(rule.good))).findings == []


@pytest.mark.parametrize("rule", RULES, ids=ids)
def test_a_rule_reads_fields_that_exist(rule: AnyRule) -> None:
    """A misspelt field would turn what unknown means there into the default."""
    joined = {"pdbs", "workloads", "launch_template", "others"}
    subjects = list(rule.subjects(everything()))
    assert subjects or rule.id == "GEN-01"
    for subject in subjects:
        assert all(hasattr(subject, name) or name in joined for name in rule.reads)


def everything() -> Facts:
    """Facts in which every rule but the one on differences finds a subject."""
    plan = plan_document({})
    plan["storage"]["serving"] = facts_of  # neither known nor readable
    return from_plan(plan)


def test_a_rule_is_found_by_its_id_in_any_case() -> None:
    found = find_rule("cap-01")
    assert found is not None
    assert found.id == "CAP-01"
    assert find_rule("CAP-99") is None


def test_rules_are_found_through_the_package_not_the_folder() -> None:
    """So that they are found in an installed wheel too."""
    for name in ids:
        module = importlib.import_module(f"gpulanes_policies.rules.{name.lower().replace('-', '_')}")
        assert module.RULE.id == name


def test_bases_are_documents_with_which_every_rule_is_content() -> None:
    assert judge(from_plan(plan_document({}))).findings == []
    assert base("fleet")["pools"]["chat"]["kind"] == "inference"
