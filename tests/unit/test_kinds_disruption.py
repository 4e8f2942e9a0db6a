from hypothesis import given
from hypothesis import strategies as st

from gpulanes.kinds import disruption
from gpulanes.units import WEEKDAYS, Duration, WeeklyWindow

WEEK = 7 * 24 * 60
WINDOWS = st.builds(
    WeeklyWindow,
    day=st.sampled_from(WEEKDAYS),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
    duration=st.integers(1, WEEK - 1).map(lambda minutes: Duration(minutes * 60.0)),
)


def held_minutes(schedule: str, duration: str) -> set[int]:
    """Minutes of the week, Monday 00:00 is 0, in which a weekly cron budget is active."""
    minute, hour, _, _, day = schedule.split()
    start = ((int(day) - 1) % 7 * 24 + int(hour)) * 60 + int(minute)
    hours, _, rest = duration.partition("h") if "h" in duration else ("0", "", duration)
    length = int(hours) * 60 + int(rest.removesuffix("m") or 0)
    return {(start + step) % WEEK for step in range(length)}


@given(window=WINDOWS)
def test_nodes_are_held_in_every_minute_outside_the_window_and_in_none_inside(window: WeeklyWindow) -> None:
    budget = disruption.outside(window)
    opened = {(window.start_minute + step) % WEEK for step in range(window.minutes)}
    assert held_minutes(budget.schedule, budget.duration) == set(range(WEEK)) - opened


def test_the_grace_of_a_training_node_covers_the_longest_job_in_whole_minutes() -> None:
    assert disruption.training(None, 59.0).termination_grace_period == "1m"
    assert disruption.training(None, 7261.0).termination_grace_period == "2h2m"
    assert disruption.training(None, 0.0).termination_grace_period == ""
