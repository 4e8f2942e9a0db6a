"""Every problem of a field: its place, value, what is allowed and the fix."""

import pytest

from builders_fleet import changed, problems, summary
from gpulanes.fleet.translate import FIELD_CODES


def only(*changes: tuple[str, str]) -> tuple[str, str, str, str, str]:
    """Return code, path, value, allowed and fix of the one problem."""
    (problem,) = problems(changed(*changes))
    return problem.code, problem.path, problem.value, problem.allowed, problem.fix


def test_an_unknown_field_gets_the_name_that_was_meant() -> None:
    first, second = problems(changed(("{requests_per_second: 5.5", "{request_per_second: 5.5")))
    assert str(first) == (
        "fleet.yaml:13: workloads.chat.demand.request_per_second = 5.5: known fields: requests_per_second, "
        "peak_factor, headroom, growth; fix: did you mean requests_per_second? [unknown-field]"
    )
    assert (second.code, second.path, second.line) == ("missing", "workloads.chat.demand.requests_per_second", 13)
    assert only(("survive: 1 zone", "disk-gib: 100"))[4] == "did you mean disk_gib?"
    assert only(("survive: 1 zone", "colour: red"))[4] == "remove it, or move it to where it belongs"
    assert only(("cloud: aws", "cloud: aws\nbudgets: {}"))[4] == "did you mean budget?"


def test_a_missing_field_gets_an_example() -> None:
    assert only(("tokens: 200B, ", "")) == (
        "missing",
        "workloads.pretrain.cycle.tokens",
        "",
        "required: a count with K, M, B (1e9) or T (1e12), such as 70.6B, from 1 to 1000000T",
        "add tokens: 70.6B",
    )
    assert only(("gpus: 4, ", ""))[3:] == ("required: a whole number from 1 to 64", "add gpus")
    assert only(("cloud: aws\n", ""))[4] == "add cloud: aws"


def test_a_workload_without_its_kind_or_of_another_kind_is_told_the_kinds() -> None:
    assert only(("{kind: batch, ", "{")) == (
        "missing",
        "workloads.nightly-scoring.kind",
        "",
        "required: inference or training or batch or system",
        "add kind: inference",
    )
    assert only(("kind: batch", "kind: batsh"))[3:] == (
        "inference or training or batch or system",
        "did you mean batch?",
    )
    assert only(("kind: batch", "kind: [batch]"))[:3] == (
        "not-allowed",
        "workloads.nightly-scoring.kind",
        "a list of 1",
    )


def test_a_number_where_text_is_needed_gets_quotes_as_written() -> None:
    assert only(('"1.34"', "1.30")) == (
        "wrong-type",
        "cluster.kubernetes",
        "1.30",
        'a Kubernetes minor version as text in quotes, such as "1.34"',
        'write it in quotes, which makes it text: "1.30"',
    )
    assert only(('"4711"', "4711"))[4] == 'write it in quotes, which makes it text: "4711"'
    assert only(('"4711"', "true"))[4] == 'write it in quotes, which makes it text: "true"'


def test_text_where_a_number_is_needed_loses_its_quotes() -> None:
    assert only(("gpus: 4", 'gpus: "4"'))[3:] == (
        "a whole number from 1 to 64",
        "remove the quotes, which make it text",
    )
    assert only(("peak_factor: 1.53", "peak_factor: '1.53'"))[4] == "remove the quotes, which make it text"


def test_a_wrong_type_is_told_the_right_one() -> None:
    assert only(("types: [g6e.12xlarge]", "types: g6e.12xlarge"))[0] == "wrong-type"
    assert only(("types: [g6e.12xlarge]", "types: g6e.12xlarge"))[4] == (
        "write a list of 1 to 20 entries, each an instance type name, such as p5.48xlarge"
    )
    assert only(("{hot: {kind: lustre}", "{hot: {export: yes}"))[4] == "write true or false"
    assert only(("slo: {ttft_p99: 2s, availability: 99.9%}", "slo: fast"))[4] == "write a mapping"
    assert only(("ttft_p99: 2s", "ttft_p99: [2s]"))[0] == "wrong-type"
    assert only(("availability: 99.9%", "availability: true"))[0] == "wrong-type"


def test_a_choice_is_told_the_choices_and_the_one_that_was_meant() -> None:
    assert only(("service_class: latency-critical", "service_class: latency_critical")) == (
        "not-allowed",
        "workloads.chat.service_class",
        "latency_critical",
        "one of latency-critical, standard, best-effort",
        "did you mean latency-critical?",
    )
    assert only(("cloud: aws", "cloud: gcp"))[3:] == ("aws", "choose one of them")
    assert only(("spares: auto", "spares: many"))[0] == "not-allowed"


def test_a_number_outside_its_limits_is_told_both_limits() -> None:
    assert only(("gpus: 4", "gpus: 65"))[3] == "a whole number from 1 to 64"
    assert only(("gpus: 4", "gpus: -1"))[0] == "out-of-range"
    assert only(("peak_factor: 1.53", "peak_factor: 0.5"))[3] == "a number from 1 to 100"
    assert only(("{requests_per_second: 5.5", "{requests_per_second: 0"))[3] == "a number from 0.001 to 1000000"
    assert only(("{requests_per_second: 5.5", "{requests_per_second: 1e300"))[0] == "out-of-range"
    assert only(("spares: auto", "spares: 1001"))[3] == "a whole number from 0 to 1000 or auto"


def test_a_quantity_in_another_form_is_told_the_form() -> None:
    assert only(("ttft_p99: 2s", "ttft_p99: 2 sec")) == (
        "malformed",
        "workloads.chat.slo.ttft_p99",
        "2 sec",
        "a duration with its unit (ms, s, m, h, d, w), such as 2s or 30d",
        "rewrite it in that form, such as 2s",
    )
    assert only(("ttft_p99: 2s", "ttft_p99: 2"))[4] == "write it with its unit, such as 2s"
    assert only(("interval: auto", "interval: often"))[3].endswith("such as 2s or 30d or auto")
    assert only(("reserve: 2 nodes", "reserve: two nodes"))[4] == "rewrite it in that form"


def test_a_quantity_that_cannot_be_is_told_the_limits() -> None:
    assert only(("ttft_p99: 2s", "ttft_p99: 3651d"))[3] == "a duration from 1ms to 3650d"
    assert only(("interval: auto", "interval: 0s"))[0] == "unit-range"
    assert only(("parameters: 70.6B", "parameters: 1e300"))[0] == "unit-range"


def test_a_whole_number_with_a_decimal_point_is_told_to_drop_it() -> None:
    assert only(("gpus: 4", "gpus: 4.0"))[4] == "write it without a decimal point: 4"
    assert only(("spares: auto", "spares: 2.0"))[0] == "whole-number"


def test_a_list_of_the_wrong_length_is_told_the_lengths() -> None:
    code, path, value, allowed, _ = only(("types: [g6e.12xlarge]", "types: []"))
    assert (code, path, value) == ("wrong-length", "workloads.chat.nodes.types", "a list of 0")
    assert allowed.startswith("a list of 1 to 20 entries")
    five = "capacity: [on-demand, spot, on-demand, spot]\n    slo:"
    assert only(("slo:", five))[0] == "wrong-length"


def test_a_repeated_entry_is_named() -> None:
    assert only(("[spot, reserved]", "[spot, reserved, spot]")) == (
        "duplicate-entry",
        "workloads.pretrain.capacity",
        "spot",
        "each entry once",
        "remove the repetition",
    )


def test_a_name_that_is_not_ascii_is_refused_with_the_reason() -> None:
    code, path, value, allowed, fix = only(("  pretrain:", "  prétrain:"))
    assert (code, path, value) == ("malformed", "workloads.prétrain", "prétrain")
    assert allowed.startswith("a name of 1 to 40 lowercase letters")
    assert fix.startswith("use ASCII letters: it becomes part of cloud names, DNS names and tags")
    assert only(("owner: ml-platform", "owner: größe"))[4].startswith("use ASCII letters")


@pytest.mark.parametrize("key", ["Owner", "workload", "cost.center", "aws:x", "9lives", "o" * 64])
def test_a_tag_key_that_is_not_legal_everywhere_is_refused(key: str) -> None:
    assert only(("owner: ml-platform", f'"{key}": x'))[0] == "malformed"


@pytest.mark.parametrize("value", ["Ml", "ml platform", "ml.platform", "-ml", "ml_", '""', "m" * 64])
def test_a_tag_value_that_is_not_legal_everywhere_is_refused(value: str) -> None:
    assert only(("owner: ml-platform", f"owner: {value}"))[:2] == ("malformed", "tags.owner")


def test_entries_of_lists_and_mappings_have_their_own_path() -> None:
    assert only(("types: [g6e.12xlarge]", "types: [g6e.12xlarge, 5]"))[1] == "workloads.chat.nodes.types[1]"
    taints = "overrides: {taints: [{key: a, effect: Never}]}"
    assert only(("    slo:", f"    {taints}\n    slo:"))[1] == "workloads.chat.overrides.taints[0].effect"


def test_a_model_by_name_or_shape_has_one_problem_where_it_is_wrong() -> None:
    assert (
        only(("model: {parameters: 70.6B}", "model: {parameters: 70.6B, layers: x}"))[1]
        == "workloads.pretrain.model.layers"
    )
    assert only(("model: {parameters: 70.6B}", "model: 70"))[:2] == ("wrong-type", "workloads.pretrain.model")
    assert only(("model: {parameters: 70.6B}", "model: '!'"))[:2] == ("malformed", "workloads.pretrain.model")
    assert only(("model: {parameters: 70.6B}", "model: {parameters: 70.6B, str: 1}"))[0] == "unknown-field"


def test_a_field_named_like_a_kind_is_only_an_unknown_field() -> None:
    text = changed(("    slo:", "    inference: {nodes: 1}\n    slo:"), ("gpus: 4", "gpus: 0"))
    assert summary(text) == [
        (14, "unknown-field", "workloads.chat.inference"),
        (16, "out-of-range", "workloads.chat.replica.gpus"),
    ]
    assert only(("    slo:", "    '[key]': {nodes: 1}\n    slo:"))[:2] == ("unknown-field", "workloads.chat.[key]")


def test_a_long_value_is_shortened_and_stays_on_one_line() -> None:
    shown = problems(changed(("owner: ml-platform", 'owner: "' + "a\\n" * 100 + '"')))[0].value
    assert len(shown) == 60
    assert shown.isprintable()


def test_every_code_of_a_field_is_shown_above() -> None:
    shown = "missing unknown-field wrong-type not-allowed malformed out-of-range wrong-length duplicate-entry"
    assert sorted(FIELD_CODES) == sorted(shown.split())
