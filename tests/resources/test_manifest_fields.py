import copy
from collections.abc import Iterator, Mapping
from typing import Any

import pulumi
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders_resources import pool
from gpulanes.clouds.kube.apply import checked
from gpulanes.clouds.kube.fields import has_table, manifest_problems, table
from gpulanes.clouds.kube.karpenter import NodeClassRef, node_pool
from gpulanes.errors import Problem, SpecError
from recording import record


def manifest() -> dict[str, Any]:
    ref = NodeClassRef("karpenter.k8s.aws", "EC2NodeClass", "chat")
    return node_pool(pool("inference", provisioner="karpenter"), "chat", ref, {"workload": "inference"})


def problems(value: Mapping[str, Any]) -> list[Problem]:
    return list(manifest_problems(value, "NodePool chat"))


def changed(path: str, value: object) -> dict[str, Any]:
    made = copy.deepcopy(manifest())
    *steps, last = path.split(".")
    target = made
    for step in steps:
        target = target[step]
    target[last] = value
    return made


def test_what_is_rendered_has_no_mistake() -> None:
    assert problems(manifest()) == []


@pytest.mark.parametrize(
    ("path", "value", "allowed", "fix"),
    [
        ("spec.disruption.consolidatePolicy", "WhenEmpty", "one of the fields", "use consolidationPolicy"),
        ("spec.disruption.expireAfter", "720h", "one of the fields", "remove it"),
        ("spec.disruption.consolidationPolicy", "WhenUnderutilized", "one of WhenEmpty", "use one of them"),
        ("spec.disruption.consolidateAfter", "1 hour", "text like", "spell it so"),
        ("spec.weight", 101, "from 1 to 100", "change the number"),
        ("spec.weight", "40", "integer", "give a value of type integer"),
        ("spec.weight", True, "integer", "give a value of type integer"),
        ("spec.disruption.budgets", [{"schedule": "@daily"}], "required", "set the field"),
        ("spec.disruption.budgets", [{"nodes": "1"}] * 51, "0 to 50 items", "change the list"),
        ("spec.disruption.budgets", "none", "array", "give a value of type array"),
        ("spec.template", None, "required", "set the field"),
        ("metadata.labelz", {}, "one of the fields", "use labels"),
        ("metadata.name", "", "1 to 253 characters, not 0", "change its length"),
        ("metadata.labels", {"workload": 1}, "string", "give a value of type string"),
        ("spec.limits", {"nodes": [1]}, "a whole number or a string", "write 1 or 10%"),
        ("apiVersion", "karpenter.sh/v1beta1", "karpenter.sh/v1", "use the served version"),
    ],
)
def test_a_mistake_is_named_with_its_path_and_fix(path: str, value: object, allowed: str, fix: str) -> None:
    [problem] = problems(changed(path, value))
    assert problem.path.startswith(f"NodePool chat.{path}")
    assert problem.allowed.startswith(allowed)
    assert problem.fix == fix


def test_a_list_item_is_named_by_its_index() -> None:
    [problem] = problems(changed("spec.disruption.budgets", [{"nodes": "1"}, {"nodes": "1", "reason": ["Empty"]}]))
    assert problem.path == "NodePool chat.spec.disruption.budgets[1].reason"
    assert problem.fix == "use reasons"


def test_numbers_that_went_through_the_engine_are_whole() -> None:
    assert problems(changed("spec.weight", 40.0)) == []
    assert len(problems(changed("spec.weight", 40.5))) == 1


def test_what_is_not_known_yet_is_left_to_the_api_server() -> None:
    def program() -> None:
        assert problems(changed("spec.disruption", pulumi.Output.from_input("later"))) == []

    record(program)


def test_a_wrong_manifest_is_not_registered() -> None:
    with pytest.raises(SpecError, match="use consolidationPolicy"):
        checked(changed("spec.disruption.consolidatePolicy", "WhenEmpty"))


def test_a_long_value_is_shortened() -> None:
    [problem] = problems(changed("spec.disruption.consolidateAfter", "very " * 40))
    assert len(problem.value) <= 60


def test_there_is_a_table_for_each_kind_that_is_rendered_and_none_for_others() -> None:
    assert has_table("EC2NodeClass")
    assert not has_table("Deployment")
    with pytest.raises(FileNotFoundError):
        table("Deployment")


def paths(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the place of every object of a manifest whose fields are fixed."""
    if isinstance(value, dict):
        if path and path[-1] not in {"labels", "limits"}:
            yield path
        for key, item in value.items():
            yield from paths(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from paths(item, (*path, index))


@given(st.data())
def test_an_unknown_field_is_found_wherever_it_is(data: st.DataObject) -> None:
    made = manifest()
    place = data.draw(st.sampled_from(list(paths(made))))
    target: Any = made
    for step in place:
        target = target[step]
    target["unknownField"] = data.draw(st.one_of(st.integers(), st.text(), st.just({})))
    [problem] = problems(made)
    assert problem.path.endswith(".unknownField")


def test_tables_say_where_they_come_from() -> None:
    for kind in (
        "NodePool",
        "EC2NodeClass",
        "ResourceFlavor",
        "ClusterQueue",
        "LocalQueue",
        "PriorityClass",
        "Namespace",
    ):
        assert table(kind)["source"]
        assert table(kind)["as_of"] >= "2026"
