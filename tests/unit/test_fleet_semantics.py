"""What a JSON Schema cannot say: every code by an example that the schema accepts."""

import pytest
import yaml
from jsonschema import Draft202012Validator

from builders_fleet import FLEET, changed, problems
from gpulanes.fleet import SEMANTIC_CODES, load_text, schema

Changes = tuple[tuple[str, str], ...]

CASES: dict[str, tuple[Changes, str]] = {
    "unit-range": ((("every: 30d", "every: 4000d"),), "workloads.pretrain.cycle.every"),
    "whole-number": ((("gpus: 4", "gpus: 4.0"),), "workloads.chat.replica.gpus"),
    "zone-outside-region": ((("us-east-1c]", "us-west-2c]"),), "zones[2]"),
    "zone-not-in-fleet": ((("{kind: lustre}", "{zone: us-east-1f}"),), "storage.hot.zone"),
    "names-too-long": ((("fleet: chat", "fleet: " + "c" * 36),), "fleet"),
    "windows-overlap": ((("Wed 12:00", "Sun 05:00"),), "maintenance.training"),
    "export-without-archive": (
        (("{kind: lustre}", "{export: true}"), (", archive: {after: 30d}", "")),
        "storage.hot.export",
    ),
    "system-name": ((("  nightly-scoring:", "  system:"),), "workloads.system.kind"),
    "pool-name-clash": ((("  nightly-scoring:", "  pretrain-spot:"),), "workloads.pretrain-spot"),
    "min-over-max": ((("survive: 1 zone", "min: 3, max: 2"),), "workloads.chat.nodes.min"),
    "survive-zones": ((("survive: 1 zone", "survive: 3 zones"),), "workloads.chat.nodes.survive"),
    "full-availability": ((("availability: 99.9%", "availability: 100%"),), "workloads.chat.slo.availability"),
    "zero-mfu": ((("deadline: 14d", "deadline: 14d, mfu: 0%"),), "workloads.pretrain.cycle.mfu"),
    "amount-too-small": ((("{parameters: 70.6B}", "{parameters: 70.6}"),), "workloads.pretrain.model.parameters"),
    "active-parameters": (
        (("{parameters: 70.6B}", "{parameters: 70.6B, active_parameters: 71B}"),),
        "workloads.pretrain.model.active_parameters",
    ),
    "kv-heads": (
        (("{parameters: 70.6B}", "{parameters: 70.6B, heads: 8, kv_heads: 64}"),),
        "workloads.pretrain.model.kv_heads",
    ),
    "deadline-after-cycle": ((("deadline: 14d", "deadline: 31d"),), "workloads.pretrain.cycle.deadline"),
    "checkpoint-tier": ((("{hot: {kind: lustre}, ", "{"),), "workloads.pretrain.checkpoint.store"),
    "checkpoint-interval": ((("interval: auto", "interval: 60s"),), "workloads.pretrain.checkpoint.interval"),
    "borrow-target": (
        (
            ("borrow: inference", "borrow: training"),
            ("kind: training", "kind: batch"),
            ("    cycle: {tokens: 200B, every: 30d, deadline: 14d}\n", "    gpus: 64\n"),
            ("    checkpoint: {interval: auto, store: hot}\n", ""),
        ),
        "workloads.nightly-scoring.borrow",
    ),
    "borrow-partition": ((("mode: borrow-and-return", "mode: logical"),), "workloads.nightly-scoring.borrow"),
}
"""Changes to the example, and the path of the problem, by code."""


@pytest.mark.parametrize("code", CASES)
def test_each_semantic_code_is_reached_where_the_schema_accepts(code: str) -> None:
    changes, path = CASES[code]
    text = changed(*changes)
    (problem,) = problems(text)
    assert (problem.code, problem.path) == (code, path)
    assert problem.value
    assert problem.allowed
    assert problem.fix
    assert Draft202012Validator(schema()).is_valid(yaml.safe_load(text))


def test_every_semantic_code_is_documented_and_shown_above() -> None:
    assert list(CASES) == list(SEMANTIC_CODES)
    assert all(SEMANTIC_CODES.values())


def test_semantic_problems_come_with_the_problems_of_fields() -> None:
    text = changed(("cloud: aws", "cloud: moon"), ("deadline: 14d", "deadline: 31d"), ("gpus: 4", "gpus: 0"))
    assert [problem.code for problem in problems(text)] == ["not-allowed", "out-of-range", "deadline-after-cycle"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{kind: lustre}", "{zone: us-east-1b}"),
        ("{kind: lustre}", "{export: true}"),
        ("survive: 1 zone", "survive: 2 zones"),
        ("survive: 1 zone", "survive: 1 zone, zones: [us-east-1a, us-east-1b]"),
        ("survive: 1 zone", "survive: nothing, zones: [us-east-1a]"),
        ("survive: 1 zone", "min: 0, max: 2"),
        ("availability: 99.9%", "availability: 0.9999"),
        ("deadline: 14d", "deadline: 30d"),
        ("interval: auto, store: hot", "interval: 2m, store: archive"),
        ("  nightly-scoring:", "  system: {kind: system, nodes: {types: [m7i.xlarge]}}\n  nightly-scoring:"),
        ("borrow: inference", "borrow: training"),
    ],
)
def test_what_is_at_the_edge_of_a_semantic_check_is_accepted(old: str, new: str) -> None:
    assert load_text(changed((old, new))).fleet == "chat"


def test_a_batch_job_with_its_own_nodes_may_name_a_lane_that_lends_nothing() -> None:
    own = "borrow: inference, gpus: 8, nodes: {types: [g6e.12xlarge]}"
    assert load_text(changed(("mode: borrow-and-return", "mode: physical"), ("borrow: inference", own))).fleet == "chat"


def test_nodes_in_a_zone_of_another_fleet_are_refused() -> None:
    (problem,) = problems(changed(("survive: 1 zone", "zones: [us-east-1a, us-east-1d]")))
    assert (problem.code, problem.path) == ("zone-not-in-fleet", "workloads.chat.nodes.zones[1]")
    assert problem.allowed == "one of us-east-1a, us-east-1b, us-east-1c"


@pytest.mark.parametrize(
    ("old", "new", "code", "path"),
    [
        ('{kubernetes: "1.34"}', "{}", "cluster-new-or-existing", "cluster"),
        ("tags: {environment: prod, ", "tags: {", "environment-tag", "tags.environment"),
        (", reservation: {nodes: 8, id: cr-0a1b}", "", "reserved-needs-reservation", "workloads.pretrain.capacity"),
        ("[spot, reserved]", "[spot]", "reservation-unused", "workloads.pretrain.nodes.reservation"),
        ("[spot, reserved]", "[capacity-block, reserved]", "reserved-or-block", "workloads.pretrain.capacity"),
        ("id: cr-0a1b", "id: cr-0a1b, tags: {a: b}", "reservation-name", "workloads.pretrain.nodes.reservation"),
        (
            "    checkpoint: {interval: auto, store: hot}\n",
            "",
            "spot-needs-checkpoint",
            "workloads.pretrain.checkpoint",
        ),
        ("    cycle: {tokens: 200B, every: 30d, deadline: 14d}\n", "", "training-unsized", "workloads.pretrain.cycle"),
        ("{name: llama-3.1-70b, dtype: fp8}", "{parameters: 70.6B}", "model-unknown-cache", "workloads.chat.model"),
        ("{parameters: 70.6B}", "{layers: 80}", "model-unknown-size", "workloads.pretrain.model"),
        ("borrow: inference, ", "", "batch-homeless", "workloads.nightly-scoring.nodes"),
        ("borrow: inference", "nodes: {types: [g6e.12xlarge]}", "batch-unsized", "workloads.nightly-scoring.gpus"),
        (
            "borrow: inference",
            "borrow: inference, capacity: [spot]",
            "capacity-without-nodes",
            "workloads.nightly-scoring.capacity",
        ),
        ("survive: 1 zone", "count: 3, max: 4, min: 1", "count-or-range", "workloads.chat.nodes.count"),
        ("survive: 1 zone", "min: 3", "range-needs-both", "workloads.chat.nodes.min"),
    ],
)
def test_what_fields_of_one_object_must_be_together_is_said_with_the_fix(
    old: str, new: str, code: str, path: str
) -> None:
    text = changed((old, new))
    (problem,) = problems(text)
    assert (problem.code, problem.path) == (code, path)
    assert problem.fix
    assert not Draft202012Validator(schema()).is_valid(yaml.safe_load(text))


def test_explicit_node_counts_replace_the_training_cycle() -> None:
    text = changed(
        ("    cycle: {tokens: 200B, every: 30d, deadline: 14d}\n", ""), ("spares: auto", "spares: auto, count: 8")
    )
    assert load_text(text).fleet == "chat"


def test_a_missing_mapping_does_not_also_miss_its_fields() -> None:
    (problem,) = problems(changed(('tags: {environment: prod, owner: ml-platform, cost-center: "4711"}\n', "")))
    assert (problem.code, problem.path) == ("missing", "tags")


def test_what_the_rules_judge_is_accepted() -> None:
    text = changed(
        (
            "    slo:",
            "    capacity: [spot]\n    overrides: {pod_disruption_budget: false, gpu_limit: false}\n    slo:",
        ),
        ("survive: 1 zone", "zones: [us-east-1a], min: 0, max: 2"),
        ('{environment: prod, owner: ml-platform, cost-center: "4711"}', "{environment: prod}"),
        ("{kind: lustre}", "{deployment: scratch, export: false}"),
    )
    assert load_text(text).tags == {"environment": "prod"}
    assert text != FLEET
