import pytest

from gpulanes.units import DailyWindow, Duration, UnitRangeError, WeeklyWindow


def test_a_weekly_window_is_read_and_printed_as_people_write_it() -> None:
    window = WeeklyWindow.parse("Sun 03:00 +4h UTC")
    assert window == WeeklyWindow("Sun", 3, 0, Duration(4 * 3600.0))
    assert str(window) == "Sun 03:00 +4h UTC"
    assert str(WeeklyWindow.parse("Mon 23:30 +1d UTC")) == "Mon 23:30 +24h UTC"
    assert str(WeeklyWindow.parse("Mon 23:30 +90min UTC")) == "Mon 23:30 +90m UTC"


def test_a_weekly_window_has_the_spellings_of_cron_and_fsx() -> None:
    sunday = WeeklyWindow.parse("Sun 03:05 +4h UTC")
    assert sunday.cron == "5 3 * * 0"
    assert sunday.iso_start == "7:03:05"
    monday = WeeklyWindow.parse("Mon 00:00 +30m UTC")
    assert monday.cron == "0 0 * * 1"
    assert monday.iso_start == "1:00:00"


@pytest.mark.parametrize(
    ("window", "rest"),
    [
        ("Sun 03:00 +4h UTC", "Sun 07:00 +164h UTC"),
        ("Sun 22:00 +4h UTC", "Mon 02:00 +164h UTC"),
        ("Wed 12:00 +90m UTC", "Wed 13:30 +9990m UTC"),
        ("Mon 00:00 +6d UTC", "Sun 00:00 +24h UTC"),
    ],
)
def test_the_rest_of_the_week_opens_where_the_window_ends(window: str, rest: str) -> None:
    opened = WeeklyWindow.parse(window)
    assert opened.complement() == WeeklyWindow.parse(rest)
    assert opened.complement().complement() == opened


def test_the_rest_of_the_week_is_what_a_disruption_budget_needs() -> None:
    rest = WeeklyWindow.parse("Sun 03:00 +4h UTC").complement()
    assert rest.cron == "0 7 * * 0"
    assert rest.duration.go() == "164h"


@pytest.mark.parametrize(
    ("first", "second", "overlap"),
    [
        ("Sun 03:00 +4h UTC", "Wed 12:00 +4h UTC", False),
        ("Sun 03:00 +4h UTC", "Sun 06:59 +4h UTC", True),
        ("Sun 03:00 +4h UTC", "Sun 07:00 +4h UTC", False),
        ("Sun 23:00 +2h UTC", "Mon 00:30 +1h UTC", True),
        ("Sun 03:00 +4h UTC", "Sun 03:00 +4h UTC", True),
    ],
)
def test_overlap_knows_the_turn_of_the_week_and_both_directions(first: str, second: str, *, overlap: bool) -> None:
    one, other = WeeklyWindow.parse(first), WeeklyWindow.parse(second)
    assert one.overlaps(other) is overlap
    assert other.overlaps(one) is overlap


@pytest.mark.parametrize("text", ["Sun 03:00 +7d UTC", "Sun 03:00 +0.5min UTC", "Sun 03:00 +0h UTC"])
def test_a_window_without_a_rest_or_with_part_minutes_is_out_of_range(text: str) -> None:
    with pytest.raises(UnitRangeError):
        WeeklyWindow.parse(text)


@pytest.mark.parametrize("text", ["Sunday 03:00 +4h UTC", "Sun 24:00 +4h UTC", "Sun 3:00 +4h UTC", "Sun 03:00 +4h"])
def test_other_spellings_of_a_weekly_window_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="such as Sun 03:00"):
        WeeklyWindow.parse(text)


@pytest.mark.parametrize(("hour", "minute"), [(24, 0), (-1, 0), (3, 60)])
def test_no_instance_opens_at_a_moment_that_no_week_has(hour: int, minute: int) -> None:
    with pytest.raises(UnitRangeError):
        WeeklyWindow("Sun", hour, minute, Duration(3600.0))


def test_a_daily_window_may_pass_midnight() -> None:
    night = DailyWindow.parse("22:00-06:00 UTC")
    assert night == DailyWindow(22 * 60, 6 * 60)
    assert night.hours == 8.0
    assert night.duration == Duration(8 * 3600.0)
    assert night.cron == "0 22 * * *"
    assert str(night) == "22:00-06:00 UTC"
    assert DailyWindow.parse("09:15-17:45 UTC").hours == 8.5


@pytest.mark.parametrize("text", ["22:00-06:00", "22-06 UTC", "25:00-06:00 UTC", "22:00-24:00 UTC"])
def test_other_spellings_of_a_daily_window_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="such as 22:00-06:00 UTC"):
        DailyWindow.parse(text)


@pytest.mark.parametrize(("start", "end"), [(60, 60), (-1, 60), (60, 1440)])
def test_a_daily_window_has_a_length_and_ends_inside_the_day(start: int, end: int) -> None:
    with pytest.raises(UnitRangeError):
        DailyWindow(start, end)
