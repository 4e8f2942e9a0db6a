"""The command line answers at once. Processor time of a whole process, the best of three."""

import pytest

from command_line import fastest


@pytest.mark.parametrize("words", [["--help"], ["plan", "--help"], ["explain", "rule", "--help"]], ids=" ".join)
def test_help_takes_less_than_a_third_of_a_second(words: list[str]) -> None:
    assert fastest(*words) <= 0.3


@pytest.mark.parametrize("command", ["plan", "check"])
@pytest.mark.parametrize("output", ["text", "json"])
def test_the_production_fleet_takes_less_than_half_a_second(command: str, output: str) -> None:
    assert fastest(command, "stacks/prod.yaml", "-o", output) <= 0.5
