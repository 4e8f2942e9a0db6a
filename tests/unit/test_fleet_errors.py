import pickle

import pytest

from gpulanes.errors import CatalogError, GpulanesError, PlanError, Problem, SpecError

PROBLEM = Problem("out-of-range", "workloads.chat.replica.gpus", "65", "a whole number from 1 to 64", "use fewer")


def test_a_problem_is_one_line_with_place_path_value_limit_fix_and_code() -> None:
    assert str(PROBLEM.at("prod.yaml", 15)) == (
        "prod.yaml:15: workloads.chat.replica.gpus = 65: a whole number from 1 to 64; fix: use fewer [out-of-range]"
    )


def test_a_problem_without_a_place_or_value_leaves_them_out() -> None:
    assert str(Problem("missing", "cloud", "", "required: aws", "add cloud: aws")) == (
        "cloud: required: aws; fix: add cloud: aws [missing]"
    )


@pytest.mark.parametrize("error", [SpecError, CatalogError, PlanError])
def test_an_error_carries_every_problem_and_survives_a_process_boundary(error: type[GpulanesError]) -> None:
    raised = error(iter([PROBLEM, PROBLEM.at("prod.yaml", 15)]))
    copied = pickle.loads(pickle.dumps(raised))  # noqa: S301 - its own pickle
    assert type(copied) is error
    assert copied.problems == raised.problems == (PROBLEM, PROBLEM.at("prod.yaml", 15))
    assert str(copied).splitlines() == [str(problem) for problem in raised.problems]
