"""The switch that rewrites the golden files: ``pytest tests/golden --update-golden``."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-golden``; without it a difference is a failure."""
    parser.addoption("--update-golden", action="store_true", default=False, help="rewrite the golden files")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether the golden files are to be rewritten."""
    return bool(request.config.getoption("--update-golden", default=False))
