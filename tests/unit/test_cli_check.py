"""What `gpulanes check` reads, how it tells targets apart, and how it ends."""

import io
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from builders_fleet import FLEET, changed
from gpulanes.cli.__main__ import main
from gpulanes.cli.targets import read_targets
from gpulanes.errors import GpulanesError
from gpulanes.fleet import load_text
from gpulanes.kinds.plain import to_plain
from gpulanes.plan import plan

SPOT = changed(("    kind: inference\n", "    kind: inference\n    capacity: [spot]\n"))
"""A served model on Spot: CAP-02."""

NODE_POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: serving}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 60m}
  template:
    metadata: {labels: {workload: inference}}
    spec:
      expireAfter: Never
      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [%s]}]
"""
GROUP = "urn:pulumi:prod::shop::aws:eks/nodeGroup:NodeGroup::chat"


def written(folder: Path, name: str, content: str | Mapping[str, object]) -> str:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(file)


def rules_found(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, set[str]]:
    """The exit code, and the ids of the rules that found something."""
    code = main(["check", *words, "-o", "json"])
    printed = json.loads(capsys.readouterr().out)
    found = {finding["rule"] for target in printed["targets"] for finding in target["findings"]}
    assert printed["findings"] == sum(len(target["findings"]) for target in printed["targets"])
    return code, found


def node_group() -> dict[str, object]:
    """A Spot node group of the inference lane, as Pulumi writes resources down."""
    inputs = {
        "capacityType": "SPOT",
        "amiType": "AL2023_x86_64_NVIDIA",
        "instanceTypes": ["g6e.12xlarge"],
        "labels": {"workload": "inference"},
        "scalingConfig": {"minSize": 3, "desiredSize": 3, "maxSize": 6},
    }
    return {"urn": GROUP, "type": "aws:eks/nodeGroup:NodeGroup", "custom": True, "inputs": inputs}


def test_a_clean_fleet_ends_with_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", written(tmp_path, "fleet.yaml", FLEET)]) == 0
    assert "clean" in capsys.readouterr().out


def test_a_finding_ends_with_one_and_names_line_value_limit_and_fix(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, "fleet.yaml", SPOT)
    assert main(["check", file]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = lines.index(f"  CAP-02 critical  pool chat  {file}:9")
    assert lines[at + 2] == "    pool.capacity: spot → on-demand or reserved capacity"
    assert lines[at + 3].startswith("    fix: set the capacity type to ON_DEMAND")


def test_findings_come_lane_by_lane_worst_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(Path(__file__).parents[2] / "stacks/broken.yaml")]) == 1
    lines = capsys.readouterr().out.splitlines()
    lanes = [line for line in lines if line in {"INFERENCE", "TRAINING", "BATCH", "SYSTEM", "FLEET"}]
    assert lanes == ["INFERENCE", "TRAINING", "FLEET"]
    inference = lines[lines.index("INFERENCE") : lines.index("TRAINING")]
    severities = [line.split()[1] for line in inference if re.match(r"  [A-Z]{3}-\d\d ", line)]
    assert severities == sorted(severities, key=["critical", "high", "medium", "low"].index)


def test_findings_of_one_cause_are_told_once_with_all_their_targets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(Path(__file__).parents[2] / "stacks/broken.yaml")]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("  SIZ-04"))
    assert "pretrain-reserved" in lines[at]
    assert "pretrain-spot" in lines[at + 1]
    assert sum(line.startswith("  SIZ-04") for line in lines) == 1


def test_a_plan_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = to_plain(plan(load_text(SPOT)))
    assert isinstance(plain, dict)
    assert rules_found(capsys, written(tmp_path, "plan.json", plain)) == (1, {"CAP-02"})


def test_a_preview_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    preview = {"steps": [{"op": "create", "urn": GROUP, "newState": node_group()}], "changeSummary": {"create": 1}}
    code, found = rules_found(capsys, written(tmp_path, "preview.json", preview))
    assert code == 1
    assert "CAP-02" in found


def test_a_state_export_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = {"version": 3, "deployment": {"resources": [{**node_group(), "id": "chat"}]}}
    code, found = rules_found(capsys, written(tmp_path, "state.json", state))
    assert code == 1
    assert "CAP-02" in found


@pytest.mark.parametrize(("values", "expected"), [("on-demand", (0, set())), ("spot", (1, {"CAP-01"}))])
def test_manifests_are_read(
    values: str, expected: tuple[int, set[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taints = "      taints: [{key: workload, value: inference, effect: NoSchedule}]\n"
    code, found = rules_found(capsys, written(tmp_path, "pool.yaml", NODE_POOL % values + taints))
    assert (code, found) == expected


def test_a_manifest_in_json_is_read(tmp_path: Path) -> None:
    file = written(tmp_path, "pdb.json", {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {}})
    [target] = read_targets([file]).targets
    assert (target.name, len(target.facts.pdbs)) == ("manifests", 1)


def test_a_fleet_in_json_is_read(tmp_path: Path) -> None:
    data = {"fleet": "chat", "workloads": {}}
    with pytest.raises(GpulanesError) as caught:
        read_targets([written(tmp_path, "fleet.json", data)])
    assert "region" in {problem.path for problem in caught.value.problems}


def test_the_manifests_of_a_folder_belong_together(tmp_path: Path) -> None:
    written(tmp_path, "b/pdb.yaml", "apiVersion: policy/v1\nkind: PodDisruptionBudget\n---\n---\nkind: Other\n")
    written(tmp_path, "a.yaml", NODE_POOL % "on-demand")
    written(tmp_path, ".hidden/c.yaml", NODE_POOL % "on-demand")
    written(tmp_path, "notes.txt", "kind: NodePool")
    [target] = read_targets([str(tmp_path)]).targets
    assert (len(target.facts.pools), len(target.facts.pdbs)) == (1, 1)


def test_what_no_rule_reads_in_a_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = written(tmp_path, "values.yaml", "replicas: 3\n")
    package = written(tmp_path, "package.json", {"name": "x"})
    written(tmp_path, "fleet.yaml", FLEET)
    assert main(["check", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert f"{values}: not read" in printed
    assert f"{package}: not read" in printed


def test_a_folder_in_which_nothing_is_read_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path, "values.yaml", "replicas: 3\n")
    assert main(["check", str(tmp_path)]) == 2
    assert "target-unknown" in capsys.readouterr().err


def test_standard_input_is_a_target(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SPOT.encode())))
    assert main(["check", "-"]) == 1
    assert "pool chat  standard input:9" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", '{"steps": [', "the JSON cannot be read"),
        ("a.json", '{"hello": 1}', "none of what the rules read"),
        ("a.yaml", "kind: A\nx: &a 1\ny: *a\n", "a.yaml:3"),
        ("a.yaml", "kind: A\nkind: B\n", "a.yaml:2"),
        ("a.yaml", "kind: A\nx: [1\n", "a.yaml:"),
        ("a.yaml", "kind: A\nx: 2024-13-45\n", "month"),
        ("a.yaml", "kind: A\nx: !!python/name:os.system\n", "could not determine a constructor"),
        ("a.yaml", "kind: A\nx: " + "[" * 3000, "a.yaml"),
        ("a.yaml", "kind: A\n" + "# long\n" * (1 << 20), "longer than 4 MiB"),
    ],
)
def test_what_cannot_be_read_is_told(
    name: str, content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", written(tmp_path, name, content)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "fix: " in told


def test_levels_and_parameters_are_those_of_the_pack_s_configuration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fleet = written(tmp_path, "fleet.yaml", SPOT)
    config = {"gpulanes": {"enforcementLevel": "mandatory", "rules": {"CAP-02": "disabled"}}}
    assert rules_found(capsys, fleet, "--config", written(tmp_path, "config.json", config)) == (0, set())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "the JSON cannot be read"),
        ('{"gpulanes": "mandatory"}', "must be an object"),
        ("[]", "must be an object"),
        ('{"gpulanes": {"rules": {"CAP-2": "disabled"}}}', "CAP-02"),
    ],
)
def test_a_configuration_that_is_not_understood_is_bad_input(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fleet, config = written(tmp_path, "fleet.yaml", FLEET), written(tmp_path, "config.json", content)
    assert main(["check", fleet, "--config", config]) == 2
    assert said in capsys.readouterr().err
