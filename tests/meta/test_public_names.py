"""The public surface: small, pure, typed, and each name explained."""

import inspect
import subprocess
import sys

import pytest

import gpulanes
import gpulanes.fleet
import gpulanes.plan

MOST_NAMES = 25


def test_the_package_exports_few_names_and_each_exists() -> None:
    assert 0 < len(gpulanes.__all__) <= MOST_NAMES
    assert sorted(gpulanes.__all__) == gpulanes.__all__
    assert [name for name in gpulanes.__all__ if not hasattr(gpulanes, name)] == []


def test_an_unknown_name_is_an_attribute_error_that_names_it() -> None:
    with pytest.raises(AttributeError, match="no attribute 'plann'"):
        getattr(gpulanes, "plann")  # noqa: B009 - the attribute does not exist, and mypy knows


def test_the_names_are_listed_before_they_are_loaded() -> None:
    code = "import gpulanes; print(set(gpulanes.__all__) <= set(dir(gpulanes)), 'Plan' in vars(gpulanes))"
    listed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert listed.split() == ["True", "False"]
    assert set(gpulanes.__all__) <= set(dir(gpulanes))


def test_every_public_name_is_the_thing_its_module_holds() -> None:
    assert gpulanes.make_plan is gpulanes.plan.plan
    assert gpulanes.load_text is gpulanes.fleet.load_text


def test_every_public_name_is_documented() -> None:
    silent = [
        name
        for name in gpulanes.__all__
        if (inspect.isclass(getattr(gpulanes, name)) or inspect.isroutine(getattr(gpulanes, name)))
        and not inspect.getdoc(getattr(gpulanes, name))
    ]
    assert silent == []
