import json
import time
from collections.abc import Callable

import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from builders_fleet import FLEET
from gpulanes.errors import Problem, SpecError
from gpulanes.fleet import SEMANTIC_CODES, load_bytes, load_data, load_text, schema
from strategies import Data, documents, mutated

VALIDATOR = Draft202012Validator(schema())
SLOW_TO_DRAW = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)


def complaints(load: Callable[[], object]) -> tuple[Problem, ...] | None:
    """Return the loader's problems, ``None`` when it accepts."""
    try:
        load()
    except SpecError as error:
        return error.problems
    return None


def refusal(document: Data) -> set[str]:
    """Return the codes of the loader's problems, empty when it accepts."""
    return {problem.code for problem in complaints(lambda: load_data(document)) or ()}


def test_the_schema_is_valid_and_says_what_it_is() -> None:
    Draft202012Validator.check_schema(schema())
    assert schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema()["$id"] == "urn:gpulanes:schema:fleet:1"
    assert schema()["title"] == "gpulanes fleet file"


def test_every_field_of_the_schema_has_a_description() -> None:
    bare = [
        f"{model}.{name}"
        for model, definition in {**schema()["$defs"], "FleetSpec": schema()}.items()
        for name, field in definition.get("properties", {}).items()
        if not field.get("description")
    ]
    assert bare == []


def test_the_schema_has_no_nulls_and_shows_defaults_as_people_write_them() -> None:
    assert '"null"' not in json.dumps(schema())
    assert schema()["$defs"]["Demand"]["properties"]["headroom"]["default"] == "25%"
    assert schema()["$defs"]["TrainingWorkload"]["properties"]["capacity"]["default"] == ["on-demand"]


def test_the_schema_accepts_the_example() -> None:
    VALIDATOR.validate(yaml.safe_load(FLEET))


@SLOW_TO_DRAW
@given(documents())
def test_a_legal_fleet_is_accepted_by_loader_and_schema(document: Data) -> None:
    assert refusal(document) == set()
    assert VALIDATOR.is_valid(document)


@SLOW_TO_DRAW
@given(documents())
def test_text_and_plain_data_load_to_the_same_fleet(document: Data) -> None:
    assert load_text(json.dumps(document, ensure_ascii=False)) == load_data(document)
    without_sharing = json.loads(json.dumps(document))  # safe_dump writes an alias for an object it has seen
    assert load_text(yaml.safe_dump(without_sharing)) == load_data(document)


@settings(SLOW_TO_DRAW, max_examples=250)
@given(mutated())
def test_loader_and_schema_differ_only_by_the_listed_semantic_codes(document: Data) -> None:
    codes = refusal(document)
    if VALIDATOR.is_valid(document):
        assert codes <= SEMANTIC_CODES.keys()
    else:
        assert codes - SEMANTIC_CODES.keys()


@settings(deadline=1000, max_examples=150)
@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"")
@example(b"\xff\xfe\x00")
@example(b"{" * 100_000)
@example(b"- " * 100_000)
@example(b"? " * 1000)
@example(b"a: &a [*a]")
@example(b"!!python/object/apply:os.system [ls]")
@example(b"workloads: {x: {kind: [1]}}")
@example(b"workloads: {x: {kind: {}}}")
@example(b"zones: {a: 1}\ntags: [1]\nworkloads: [a]\nmaintenance: 3\nstorage: [x]")
def test_no_content_raises_anything_but_problems(content: bytes) -> None:
    found = complaints(lambda: load_bytes(content))
    assert found
    assert all(problem.line and problem.code and problem.allowed and problem.fix for problem in found)


@settings(deadline=1000, max_examples=60)
@given(st.data())
def test_no_damage_to_a_good_file_raises_anything_but_problems(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(FLEET)))
    length = data.draw(st.integers(0, 30))
    junk = data.draw(
        st.sampled_from(["", ":", "- ", "{", "}", "[", "&a ", "*a", "!t ", "null", "\t", "'", "é", "\n---\n", "<<: "])
    )
    found = complaints(lambda: load_text(FLEET[:start] + junk + FLEET[start + length :]))
    assert found is None or found


def test_a_thousand_workloads_load_quickly() -> None:
    document = yaml.safe_load(FLEET)
    document["workloads"] = {f"chat-{number}": document["workloads"]["chat"] for number in range(1000)}
    text = json.dumps(document)
    started = time.process_time()
    assert len(load_text(text).workloads) == 1000
    assert time.process_time() - started < 3  # a third of a second without a tracer
