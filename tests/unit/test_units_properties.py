import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from gpulanes.units import (
    WEEKDAYS,
    Amount,
    Bytes,
    DailyWindow,
    Duration,
    Fraction,
    MonthlyCost,
    PerTime,
    Unit,
    WeeklyWindow,
)

QUANTITIES = st.one_of(
    st.floats(0.001, 315_360_000).map(Duration),
    st.integers(1, 10_000_000).map(lambda minutes: Duration(float(minutes))),
    st.integers(1, 10**18).map(Bytes),
    st.integers(1, 10**6).map(lambda size: Bytes(size * 2**30)),
    st.floats(1e-9, 1).map(Fraction),
    st.floats(1, 1e18).map(Amount),
    st.integers(1, 10**18).map(float).map(Amount),
    st.floats(1e-9, 1e6).map(PerTime),
    st.integers(0, 1000).map(lambda events: PerTime(events / 60)),
    st.floats(0.01, 1e10).map(MonthlyCost),
)
DAILY = st.builds(DailyWindow, st.integers(0, 719), st.integers(720, 1439))
WEEKLY = st.builds(
    WeeklyWindow,
    st.sampled_from(WEEKDAYS),
    st.integers(0, 23),
    st.integers(0, 59),
    st.integers(1, 7 * 24 * 60 - 1).map(lambda minutes: Duration(minutes * 60.0)),
)
UNITS: list[type[Unit]] = [Duration, Bytes, Fraction, Amount, PerTime, MonthlyCost, WeeklyWindow, DailyWindow]


@given(QUANTITIES | DAILY | WEEKLY)
def test_what_is_printed_reads_back_as_the_same_value(value: Unit) -> None:
    assert type(value).parse(str(value)) == value


@given(QUANTITIES | DAILY | WEEKLY)
def test_what_is_printed_is_what_the_schema_accepts(value: Unit) -> None:
    published = TypeAdapter(type(value)).json_schema()
    pattern = published.get("anyOf", [published])[0]["pattern"]
    assert re.search(pattern, str(value))


@given(WEEKLY)
def test_a_window_and_the_rest_of_the_week_make_the_week(window: WeeklyWindow) -> None:
    rest = window.complement()
    assert window.minutes + rest.minutes == 7 * 24 * 60
    assert not window.overlaps(rest)


@pytest.mark.parametrize("unit", UNITS)
@given(text=st.text(max_size=30) | st.from_regex(r"[0-9. ]{1,8}[A-Za-z%/ :+-]{0,12}", fullmatch=True))
def test_no_text_raises_anything_but_a_value_error(unit: type[Unit], text: str) -> None:
    try:
        unit.parse(text)
    except ValueError as error:
        assert str(error).startswith("expected ")  # noqa: PT017 - most texts raise, some do not


@pytest.mark.parametrize("unit", UNITS)
def test_the_examples_of_a_unit_are_printed_as_they_are_written(unit: type[Unit]) -> None:
    assert [str(unit.parse(example)) for example in unit.EXAMPLES] == list(unit.EXAMPLES)


def test_units_load_without_pydantic() -> None:
    program = "import sys, gpulanes.units; print('pydantic' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
    )
