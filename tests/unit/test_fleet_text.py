"""What is wrong with the text before any field is looked at."""

import time

import pytest
import yaml

from builders_fleet import FLEET, changed, problems, summary
from gpulanes.fleet import load_text
from gpulanes.fleet.composition import FILE_CODES, MAX_BYTES, MAX_NODES

ALONE = {
    "too-large": b"x" * (MAX_BYTES + 1),
    "too-deep": b"a: " + b"[" * 40 + b"]" * 40,
    "not-utf-8": b"fleet: chat\nregion: \xff\xfe",
    "not-text": b"fleet: chat\nregion: \x00",
    "yaml-syntax": b"fleet: chat\nregion: us: east",
    "yaml-key": b"fleet: chat\n? [a]\n: b",
    "several-documents": b"fleet: chat\n---\nfleet: other",
    "empty-file": b"# nothing\n",
    "not-a-mapping": b"- fleet",
}
"""What prevents reading: content by its code."""

BESIDE = {
    "duplicate-key": changed(("region:", "fleet: other\nregion:")),
    "empty-value": changed(("gpus: 4, ", "gpus: 4, context: , ")),
    "yaml-number": changed(("gpus: 4", "gpus: .inf")),
    "yaml-anchor": changed(("model: {name", "model: &shape {name")),
    "yaml-alias": changed(("model: {parameters: 70.6B}", "model: *shape")),
    "yaml-merge": changed(("    slo:", "    <<: {}\n    slo:")),
    "yaml-tag": changed(("region: us", "region: !!str us")),
    "more-problems": changed(("    slo:", "\n".join(f"    x{i}: 1" for i in range(300)) + "\n    slo:")),
}
"""What comes with the problems of the fields: content by its code."""


@pytest.mark.parametrize("code", ALONE)
def test_what_prevents_reading_comes_alone(code: str) -> None:
    (problem,) = problems(ALONE[code])
    assert problem.code == code
    assert problem.path == "(file)"
    assert problem.line in (1, 2)


@pytest.mark.parametrize("code", BESIDE)
def test_what_does_not_prevent_reading_comes_with_the_other_problems(code: str) -> None:
    text = BESIDE[code].replace("cloud: aws", "cloud: moon")
    assert {code, "not-allowed"} <= {problem.code for problem in problems(text)}
    assert code in {problem.code for problem in problems(BESIDE[code])}


def test_every_code_of_the_text_is_shown_above() -> None:
    assert sorted([*ALONE, *BESIDE]) == sorted(FILE_CODES)


def test_a_repeated_key_names_both_lines_and_the_first_value_counts() -> None:
    (problem,) = problems(changed(("region:", "fleet: [other]\nregion:")))
    assert (problem.line, problem.path) == (2 + 1, "fleet")
    assert problem.allowed == "each key once; it is on line 1 and again on line 3"


def test_what_is_wrong_inside_a_repeated_key_is_said_too() -> None:
    text = changed(("tags:", "cluster: {a: &x 1}\ntags:"))
    assert summary(text) == [(6, "duplicate-key", "cluster"), (6, "yaml-anchor", "cluster (again).a")]


def test_an_alias_is_said_once_and_not_as_a_wrong_type() -> None:
    text = changed(
        ("model: {name: llama-3.1-70b, dtype: fp8}", "model: &m llama-3.1-70b"),
        ("model: {parameters: 70.6B}", "model: *m"),
    )
    assert summary(text) == [
        (12, "yaml-anchor", "workloads.chat.model"),
        (19, "yaml-alias", "workloads.pretrain.model"),
    ]


def test_an_alias_cannot_be_a_key() -> None:
    (problem,) = problems("a: &x b\n*x : c")
    assert problem.code == "yaml-key"


def test_a_merge_key_in_quotes_is_only_an_unknown_field() -> None:
    assert summary(changed(("    slo:", "    '<<': {}\n    slo:"))) == [(14, "unknown-field", "workloads.chat.<<")]


@pytest.mark.parametrize("number", [".nan", "-.inf", "1e999", "9" * 41])
def test_a_number_that_cannot_be_is_said_once(number: str) -> None:
    assert summary(changed(("gpus: 4", f"gpus: {number}"))) == [(15, "yaml-number", "workloads.chat.replica.gpus")]


@pytest.mark.parametrize("nothing", ["", "~", "null"])
def test_an_empty_value_is_said_once(nothing: str) -> None:
    assert summary(changed(("cloud: aws", f"cloud: {nothing}"))) == [(2, "empty-value", "cloud")]
    assert summary(changed(("survive: 1 zone", f"survive: {nothing}")))[0][1] == "empty-value"


def test_a_syntax_error_says_the_parsers_reason_and_its_line() -> None:
    (problem,) = problems(FLEET + "\tbudget: x\n")
    assert problem.line == 28
    assert "cannot start any token" in problem.allowed


def test_a_syntax_error_without_a_place_is_on_the_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> object:
        raise yaml.MarkedYAMLError

    monkeypatch.setattr(yaml, "parse", fail)
    (problem,) = problems("fleet: chat")
    assert (problem.code, problem.line) == ("yaml-syntax", 1)


@pytest.mark.parametrize(
    "content",
    [
        "a: " + "[" * 500_000,
        "{" * 500_000,
        "[" + "a," * 400_000 + "]",
        "- " * 400_000,
        "\n".join(f"key-{number}: 1" for number in range(60_000)),
        "\n".join("same: 1" for _ in range(MAX_NODES // 2)),
        FLEET.replace("zones: [", "zones: [" + "us-east-1a," * 80_000),
        "workloads: {" + ",".join(f"w{number}: {{kind: training}}" for number in range(20_000)) + "}",
        "a: &a [x,x]\nb: &b [*a,*a]\nc: [" + "*b," * 10_000 + "]",
    ],
    ids=["deep-list", "deep-mapping", "wide", "nested-entries", "keys", "same-key", "long-list", "workloads", "bomb"],
)
def test_bombs_are_refused_quickly(content: str) -> None:
    started = time.process_time()
    assert problems(content)
    assert time.process_time() - started < 3  # a third of a second without a tracer


def test_a_file_of_a_mebibyte_is_read() -> None:
    assert load_text(FLEET + "#" * (MAX_BYTES - len(FLEET))).fleet == "chat"
    assert problems(FLEET + "#" * MAX_BYTES)[0].value == f"{MAX_BYTES + len(FLEET)} bytes"


def test_a_lone_value_is_shown() -> None:
    (problem,) = problems("chat")
    assert (problem.code, problem.value) == ("not-a-mapping", "chat")
    assert problems("[a, b]")[0].value == "a list of 2"
