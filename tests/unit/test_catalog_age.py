import warnings
from datetime import UTC, date, datetime

import pytest

from gpulanes.catalog import age

HARD_LIMIT_DAYS = 1000
"""Past this, specs and list prices are history, and a release must not ship them."""
PLANNED_WITH = ("specs", "on-demand prices", "accelerators", "Lustre grid", "models")
"""Spot and Capacity Block prices are shown beside a plan; plans price Spot by a pessimistic ratio."""


def test_a_group_is_as_old_as_its_oldest_row() -> None:
    ages = {found.group: found for found in age(date(2026, 12, 1))}
    assert ages["Spot prices"].oldest == date(2026, 1, 18)
    assert ages["Spot prices"].days == 317
    assert ages["Spot prices"].stale
    assert ages["models"].days == 1
    assert not ages["models"].stale


def test_a_group_is_stale_the_day_after_its_limit() -> None:
    (on_limit, after) = (age(date(2027, 2, day))[0] for day in (17, 18))
    assert (on_limit.group, on_limit.days, on_limit.stale) == ("specs", 180, False)
    assert (after.days, after.stale) == (181, True)
    assert str(on_limit) == "specs: fresh, oldest 2026-08-21 (180 days, limit 180)"
    assert str(after).startswith("specs: stale")


def test_nothing_is_dated_in_the_future_of_the_last_refresh() -> None:
    assert all(found.days >= 0 for found in age(date(2026, 11, 30)))


@pytest.mark.filterwarnings("default:the catalogue is ageing:UserWarning")
def test_an_ageing_catalogue_warns_and_an_ancient_one_fails() -> None:
    ages = age(datetime.now(UTC).date())
    stale = [str(found) for found in ages if found.stale]
    if stale:
        warnings.warn(f"the catalogue is ageing: {'; '.join(stale)}", UserWarning, stacklevel=1)
    ancient = [str(found) for found in ages if found.group in PLANNED_WITH and found.days > HARD_LIMIT_DAYS]
    assert not ancient, "refresh the data files before a release"
