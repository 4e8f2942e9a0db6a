"""One moto server for all tests of the emulated aws provider; each test drives a provider of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from emulated_aws import Driver, moto_server, variables
from gpulanes_lab.aws.cloud import Surroundings
from gpulanes_lab.aws.values import Document


@pytest.fixture(scope="session")
def moto() -> Iterator[str]:
    """The URL of a moto server."""
    with moto_server() as url:
        yield url


@pytest.fixture
def aws_with(moto: str, tmp_path: Path) -> Iterator[Callable[[Document], Driver]]:
    """Make providers with given settings; what they made is deleted afterwards."""
    made: list[Driver] = []

    def make(settings: Document) -> Driver:
        made.append(Driver(Surroundings.read(variables(moto, tmp_path)), settings))
        return made[-1]

    yield make
    for driver in reversed(made):
        driver.delete_all()


@pytest.fixture
def aws(aws_with: Callable[[Document], Driver]) -> Driver:
    """A provider without settings."""
    return aws_with({})
