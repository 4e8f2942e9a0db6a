"""A fleet that loads and cannot be planned: its problems name file and line too."""

import pytest

from builders_fleet import FLEET, changed
from gpulanes.errors import PlanError, Problem, SpecError
from gpulanes.fleet import line_numbers, load_text, nearest_line
from gpulanes.plan import plan, plan_bytes


def line_of(text: str, content: str) -> int:
    return next(number for number, line in enumerate(content.splitlines(), 1) if text in line)


def problems(content: str) -> tuple[Problem, ...]:
    with pytest.raises(PlanError) as caught:
        plan_bytes(content.encode(), "prod.yaml")
    return caught.value.problems


def test_content_that_can_be_planned_gives_the_plan_of_its_fleet() -> None:
    assert plan_bytes(FLEET.encode(), "prod.yaml") == plan(load_text(FLEET))


def test_every_problem_of_a_plan_has_file_line_path_value_allowed_and_fix_in_file_order() -> None:
    content = changed(
        ("replica: {gpus: 4,", "replica: {gpus: 1,"),
        ("types: [p5.48xlarge]", "types: [p5.48xlarge, p55.48xlarge]"),
        ("{kind: lustre}", "{deployment: scratch, efa: true}"),
    )
    found = problems(content)
    assert [(problem.path, problem.file, problem.line) for problem in found] == [
        ("workloads.chat.replica.gpus", "prod.yaml", line_of("gpus: 1", content)),
        ("workloads.pretrain.nodes.types[1]", "prod.yaml", line_of("p55", content)),
        ("storage.hot", "prod.yaml", line_of("storage:", content)),
    ]
    assert all(problem.value and problem.allowed and problem.fix for problem in found)


def test_what_is_missing_is_missing_from_the_nearest_thing_around_it() -> None:
    lines = line_numbers(FLEET.encode())
    assert nearest_line("workloads.chat.nodes.reservation.tags", lines) == line_of("g6e.12xlarge", FLEET)
    assert nearest_line("workloads.system.nodes", lines) == line_of("workloads:", FLEET)
    assert nearest_line("nowhere[3]", lines) == 1
    assert nearest_line("workloads.chat", {}) == 0


def test_a_long_path_has_its_own_line() -> None:
    names = [f"a-name-of-forty-characters-that-ends-in-{letter}" for letter in "ab"]
    content = FLEET + "".join(f"{name}:\n  also-a-rather-long-name-of-a-field: 1\n" for name in names)
    lines = line_numbers(content.encode())
    assert {lines[f"{name}.also-a-rather-long-name-of-a-field"] - len(FLEET.splitlines()) for name in names} == {2, 4}


def test_content_that_does_not_load_says_so() -> None:
    with pytest.raises(SpecError) as caught:
        plan_bytes(b"flet: chat", "prod.yaml")
    assert {problem.file for problem in caught.value.problems} == {"prod.yaml"}
