import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpulanes.facts.arithmetic import NEVER, allowed_disruptions, go_seconds, scaled_up

REPLICAS = st.integers(min_value=1, max_value=500)
PERCENT = st.integers(min_value=0, max_value=100)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *[("60m", 3600.0), ("1h30m", 5400.0), ("720h", 2592000.0), ("0s", 0.0), ("1.5h", 5400.0), ("250ms", 0.25)],
        ("Never", NEVER),
    ],
)
def test_durations_are_read_as_go_spells_them(text: str, seconds: float) -> None:
    assert go_seconds(text) == seconds


@pytest.mark.parametrize("text", ["", "30d", "60", "m60", "1h 30m", "never", "-5m"])
def test_what_is_no_duration_of_go_is_none(text: str) -> None:
    assert go_seconds(text) is None


@given(percent=PERCENT, replicas=REPLICAS)
def test_percentages_round_up(percent: int, replicas: int) -> None:
    assert scaled_up(f"{percent}%", replicas) == math.ceil(percent * replicas / 100)


@pytest.mark.parametrize("limit", ["", "some", "-1", "1.5", "10 %", "%"])
def test_a_limit_that_is_neither_count_nor_percentage_is_none(limit: str) -> None:
    assert scaled_up(limit, 4) is None
    assert allowed_disruptions(limit or "x", "", 4) is None
    assert allowed_disruptions("", limit or "x", 4) is None


@given(percent=PERCENT, replicas=REPLICAS)
def test_any_share_above_zero_lets_a_pod_go(percent: int, replicas: int) -> None:
    allowed = allowed_disruptions(f"{percent}%", "", replicas)
    assert allowed is not None
    assert (allowed >= 1) == (percent > 0)
    assert allowed <= replicas


@given(least=st.integers(min_value=0, max_value=600), replicas=REPLICAS)
def test_what_has_to_stay_and_what_may_go_are_all_there_is(least: int, replicas: int) -> None:
    allowed = allowed_disruptions("", str(least), replicas)
    assert allowed == max(0, replicas - least)


@given(percent=PERCENT, replicas=REPLICAS)
def test_a_share_that_has_to_stay_rounds_up_against_disruption(percent: int, replicas: int) -> None:
    """99% of two is two: nothing may go."""
    allowed = allowed_disruptions("", f"{percent}%", replicas)
    assert allowed == replicas - math.ceil(percent * replicas / 100)


def test_without_limits_one_pod_has_to_stay() -> None:
    assert allowed_disruptions("", "", 3) == 2


def test_both_limits_are_none() -> None:
    assert allowed_disruptions("1", "1", 3) is None
