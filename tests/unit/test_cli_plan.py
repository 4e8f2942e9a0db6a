"""What `gpulanes plan` and `gpulanes explain pool` show."""

import json
from pathlib import Path

import pytest

from builders_fleet import FLEET, changed
from gpulanes.cli.__main__ import main
from gpulanes.cli.plan_text import counted, plan_text, span
from gpulanes.cli.terminal import visible
from gpulanes.fleet import load_text
from gpulanes.kinds.plain import to_plain
from gpulanes.plan import plan


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "fleet.yaml"
    path.write_text(FLEET, encoding="utf-8")
    return str(path)


def shown(text: str) -> list[str]:
    """The plan's text, line by line."""
    return plan_text(plan(load_text(text))).plain.splitlines()


def test_each_lane_has_its_block_in_order() -> None:
    headings = [line.split()[0] for line in shown(FLEET) if line.split() and line.split()[0].isupper()]
    assert [name for name in headings if name != "partition"] == [
        "INFERENCE",
        "TRAINING",
        "BATCH",
        "SYSTEM",
        "STORAGE",
        "NOTES",
        "TOTAL",
    ]


def test_a_pool_is_one_line_with_what_it_costs_to_know() -> None:
    [line] = [line for line in shown(FLEET) if line.startswith("  pretrain-spot ")]
    assert line.split() == ["pretrain-spot", "spot", "p5.48xlarge", "1a", "0-27", "0-216", "karpenter"]


def test_a_lane_shows_its_cost_against_its_budget() -> None:
    decided = plan(load_text(FLEET))
    usd = next(cost.monthly.value for cost in decided.costs if cost.kind == "inference")
    assert f"INFERENCE  {usd:,.0f} of 150,000 USD/month" in shown(FLEET)


def test_a_lane_without_a_budget_shows_its_cost_alone() -> None:
    [line] = [line for line in shown(FLEET) if line.startswith("SYSTEM")]
    assert line.endswith("USD/month")
    assert " of " not in line


def test_a_pool_without_a_cap_is_shown_as_unlimited() -> None:
    text = changed(("checkpoint: {interval: auto, store: hot}", "overrides: {gpu_limit: false}\n    checkpoint: {}"))
    [line] = [line for line in shown(text) if line.startswith("  pretrain-spot ")]
    assert "0-unlimited" in line


def test_warnings_come_before_advice() -> None:
    lines = shown(changed(('maintenance: {inference: "Sun 03:00 +4h UTC", training: "Wed 12:00 +4h UTC"}\n', "")))
    levels = [line.split()[0] for line in lines if line.split() and line.split()[0] in {"warning", "advice"}]
    assert "advice" in levels
    assert levels == sorted(levels, reverse=True)


def test_the_total_is_the_sum_of_the_lanes() -> None:
    total = sum(cost.monthly.value for cost in plan(load_text(FLEET)).costs)
    assert shown(FLEET)[-1] == f"TOTAL  {total:,.0f} USD/month"


def test_json_is_the_plain_plan(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", file, "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(to_plain(plan(load_text(FLEET, file)))))


def test_piped_text_has_no_colours(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", file]) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_a_pool_is_explained_number_by_number(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "pool", "chat", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("  max_nodes = 18 nodes")
    assert lines[at + 1 : at + 3] == [
        "    = zones * ceil(needed / (zones - lost_zones))",
        "    needed = 11, zones = 3, lost_zones = 1",
    ]
    assert lines[at + 3].startswith("    source: ")


def test_a_pool_is_explained_down_to_what_pods_write(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "pool", "chat", file]) == 0
    printed = capsys.readouterr().out
    assert "Pods of chat:" in printed
    assert '  nodeSelector:\n    workload: "inference"\n' in printed
    assert '    - key: "nvidia.com/gpu"\n      operator: "Equal"\n' in printed


def test_an_unknown_pool_is_told_with_the_pools_there_are(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "pool", "chatt", file]) == 2
    told = capsys.readouterr().err
    assert [name for name in ("chatt", "chat", "pretrain-spot", "system") if name not in told] == []


def test_a_range_of_one_is_one_number() -> None:
    assert (span(3, 3), span(0, 8)) == ("3", "0-8")


def test_one_thing_is_not_plural() -> None:
    assert (counted(1, "finding"), counted(2, "finding")) == ("1 finding", "2 findings")


def test_text_from_a_file_cannot_steer_the_terminal() -> None:
    assert visible("a\x1b[2Jb\r\nc") == "a\\x1b[2Jb\\r\nc"
