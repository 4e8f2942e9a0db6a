"""What the command line costs."""

from collections.abc import Callable

import pytest

from command_line import fastest

pytestmark = pytest.mark.bench


@pytest.mark.parametrize(
    "words", [["--help"], ["plan", "stacks/prod.yaml"], ["check", "stacks/prod.yaml"]], ids=" ".join
)
def test_a_command_costs_at_most_five_times_its_help(words: list[str], keep: Callable[[str, str], None]) -> None:
    seconds = fastest(*words)
    keep(f"`gpulanes {' '.join(words)}`, processor time", f"{seconds:.2f} s")
    assert seconds <= 5 * fastest("--help")
