"""What every test gets: hypothesis that repeats itself in CI, and the recording of measurements."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every CI run: a failure there is the change's, not the dice's.
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("here", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--record FILE`` writes what the benchmarks measured."""
    parser.addoption("--record", default="", help="Markdown file for the measurements of tests/bench")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the repository."""
    return Path(__file__).parents[1]
