"""The Python and YAML examples of the documents hold: they run, and no rule finds anything in what they make."""

import pytest

from documents import ROOT, blocks, documents
from gpulanes.facts import from_plan
from gpulanes.fleet import load_text
from gpulanes.kinds.plain import to_plain
from gpulanes.plan import plan
from gpulanes_policies.engine import judge
from recorded_facts import facts_of_recorded
from recording import record

PROGRAMS = [
    pytest.param(code, id=f"{file.relative_to(ROOT)}[{number}]")
    for file in documents()
    for number, code in enumerate(blocks(file, "python"))
]
README = ROOT / "README.md"


@pytest.mark.parametrize("mode", ["preview", "up"])
@pytest.mark.parametrize("code", PROGRAMS)
def test_a_documented_program_runs_and_no_rule_finds_anything(
    code: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    registered = record(lambda: exec(compile(code, "<document>", "exec"), {}), preview=mode == "preview")  # noqa: S102 - our text
    assert any(item.type.startswith("gpulanes:index:") for item in registered)
    report = judge(facts_of_recorded(registered))
    assert list(report.findings) == []


def test_the_readme_s_program_is_about_twenty_lines() -> None:
    [code] = blocks(README, "python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 20


def test_the_readme_s_fleet_is_planned_and_no_rule_finds_anything() -> None:
    [text] = blocks(README, "yaml")
    plain = to_plain(plan(load_text(text, file="README.md")))
    assert isinstance(plain, dict)
    assert list(judge(from_plan(plain)).findings) == []
