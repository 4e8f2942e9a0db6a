from itertools import product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gpulanes.fleet.model import ClusterSpec, FleetSpec
from gpulanes.spec.base import Model
from gpulanes.spec.constraints import any_of, has, holds, inside
from gpulanes.spec.nodes import NodesSpec, ReservationSpec
from gpulanes.spec.workload import BatchWorkload, InferenceWorkload, ModelShape, TrainingWorkload

ABSENT = object()
NODES: list[Any] = [ABSENT, 3, {}, {"count": 1}, {"max": 2}, {"reservation": {}}]
CAPACITY: list[Any] = [ABSENT, "spot", [], ["spot"], ["reserved"], ["capacity-block", "reserved"], ["on-demand", 1]]
GIVEN: list[Any] = [ABSENT, None, 1]
FIELDS: dict[type[Model], dict[str, list[Any]]] = {
    ClusterSpec: {"kubernetes": GIVEN, "existing": GIVEN},
    ReservationSpec: {"id": GIVEN, "tags": GIVEN},
    NodesSpec: {"count": GIVEN, "min": GIVEN, "max": GIVEN},
    ModelShape: {"name": GIVEN, "parameters": GIVEN},
    FleetSpec: {"tags": [ABSENT, [], {}, {"environment": "prod"}]},
    InferenceWorkload: {
        "capacity": CAPACITY,
        "nodes": NODES,
        "model": [ABSENT, "m", {}, {"name": "m"}, {"layers": 1}, {"layers": 1, "kv_heads": 1, "head_dim": 1}],
    },
    TrainingWorkload: {"capacity": CAPACITY, "nodes": NODES, "checkpoint": GIVEN, "cycle": GIVEN},
    BatchWorkload: {"capacity": CAPACITY, "nodes": NODES, "borrow": GIVEN, "gpus": GIVEN},
}


def combinations(fields: dict[str, list[Any]]) -> list[dict[str, Any]]:
    choices = [[(name, value) for value in values] for name, values in fields.items()]
    return [{name: value for name, value in choice if value is not ABSENT} for choice in product(*choices)]


@pytest.mark.parametrize("model", FIELDS)
def test_the_loader_and_a_json_schema_validator_agree_on_every_constraint(model: type[Model]) -> None:
    for constraint in model.CONSTRAINTS:
        validator = Draft202012Validator(constraint.fragment)
        verdicts = {holds(constraint.fragment, data) for data in combinations(FIELDS[model])}
        assert verdicts == {True, False}, constraint.code
        for data in combinations(FIELDS[model]):
            assert holds(constraint.fragment, data) == validator.is_valid(data), (constraint.code, data)


def test_fragments_say_nothing_about_what_is_no_object() -> None:
    assert holds(has("a"), 3)
    assert holds({"properties": {"a": has("b")}}, 3)
    assert holds({"contains": {"enum": [1]}}, 3)
    assert not holds(inside("a", has("b")), {"a": 3})


def test_an_empty_choice_holds_nothing() -> None:
    assert not holds(any_of(), {})
    assert not holds({"enum": 3}, 3)


def test_a_fragment_with_an_unknown_keyword_is_refused() -> None:
    with pytest.raises(KeyError):
        holds({"minimum": 3}, 3)
    with pytest.raises(TypeError, match="not a fragment"):
        holds([], 3)
