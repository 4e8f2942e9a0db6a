import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders_sizing import value
from gpulanes.catalog import LustreGrid, lustre_grids
from gpulanes.errors import PlanError
from gpulanes.sizing.storage import (
    addresses,
    checkpoint_content,
    legal_capacity,
    lustre,
    lustre_capacity,
    lustre_write_rate,
    metadata_iops,
    nearest_capacities,
)

FLUSH_70B = 10_900.0


def _grid(tier: int, *, efa: bool = False) -> LustreGrid:
    return next(grid for grid in lustre_grids() if grid.mb_per_s_per_tib == tier and grid.efa == efa)


SCRATCH = _grid(0)
grids = st.sampled_from(lustre_grids())


@pytest.mark.parametrize(
    ("tier", "efa", "tib"),
    [
        pytest.param(1000, True, 14.4, id="efa-1000"),
        pytest.param(500, True, 28.8, id="efa-500"),
        pytest.param(250, True, 57.6, id="efa-250"),
        pytest.param(125, True, 115.2, id="efa-125"),
        pytest.param(1000, False, 12.0, id="1000"),
        pytest.param(500, False, 24.0, id="500"),
        pytest.param(250, False, 45.6, id="250"),
        pytest.param(125, False, 88.8, id="125"),
    ],
)
def test_a_70b_flush_needs_these_capacities(tier: int, efa: bool, tib: float) -> None:  # noqa: FBT001 - a column
    grid = _grid(tier, efa=efa)
    capacity = lustre_capacity(0, FLUSH_70B, grid)
    assert value(capacity) == tib * 1000
    assert value(lustre_write_rate(capacity.value, grid)) >= FLUSH_70B
    assert capacity.note == "write rate binds"


def test_throughput_counts_a_tib_as_1000_gib() -> None:
    assert value(lustre_write_rate(4800, _grid(1000))) == 4800
    assert value(lustre_write_rate(2400, SCRATCH)) == 240


@pytest.mark.parametrize(
    ("wanted", "capacity"), [(0, 1200), (1200, 1200), (1201, 2400), (2400, 2400), (3600, 4800), (9600, 9600)]
)
def test_capacity_is_rounded_up_to_the_grid(wanted: float, capacity: int) -> None:
    assert value(legal_capacity(wanted, SCRATCH)) == capacity


@pytest.mark.parametrize(
    ("given_gib", "nearest"),
    [(1200, ()), (4800, ()), (3600, (2400, 4800)), (1000, (1200,)), (2000, (1200, 2400)), (4000, (2400, 4800))],
)
def test_an_illegal_capacity_has_legal_neighbours(given_gib: float, nearest: tuple[int, ...]) -> None:
    assert nearest_capacities(given_gib, SCRATCH) == nearest


def test_neighbours_with_efa_follow_its_larger_steps() -> None:
    assert nearest_capacities(4800, _grid(1000, efa=True)) == ()
    assert nearest_capacities(2400, _grid(1000, efa=True)) == (4800,)
    assert nearest_capacities(50_000, _grid(125, efa=True)) == (38_400, 76_800)


@given(grids, st.floats(0, 1e6), st.floats(0, 1e5))
def test_a_chosen_capacity_is_legal_and_holds_both_needs(grid: LustreGrid, content: float, rate: float) -> None:
    capacity = lustre_capacity(content, rate, grid).value
    assert nearest_capacities(capacity, grid) == ()
    assert capacity * 0.8 >= content * (1 - 1e-6)
    assert value(lustre_write_rate(capacity, grid)) >= rate * (1 - 1e-6)
    assert lustre_capacity(content * 2, rate, grid).value >= capacity
    assert lustre_capacity(content, rate * 2, grid).value >= capacity


@pytest.mark.parametrize(
    ("capacity", "iops"),
    [
        (1200, 1500),
        (2400, 3000),
        (4800, 6000),
        (9600, 6000),
        (12_000, 12_000),
        (45_600, 12_000),
        (48_000, 24_000),
        (72_000, 36_000),
        (96_000, 48_000),
    ],
    ids="aws-automatic-{}".format,
)
def test_automatic_metadata_iops(capacity: int, iops: int) -> None:
    assert value(metadata_iops(capacity)) == iops


def test_96000_gib_take_44_addresses() -> None:
    assert value(addresses(96_000, metadata_iops(96_000).value, _grid(125))) == 44


def test_kept_checkpoints_are_the_content() -> None:
    assert value(checkpoint_content(2**30 * 900)) == 2700
    assert value(checkpoint_content(2**30 * 900, kept=1)) == 900


def test_the_least_capacity_wins_and_among_equals_the_slowest_tier() -> None:
    held = lustre(2738, 16_300 / 60)
    assert (held.grid.mb_per_s_per_tib, held.capacity.count) == (125, 4800)
    fast = lustre(0, FLUSH_70B)
    assert (fast.grid.mb_per_s_per_tib, fast.capacity.count) == (1000, 12_000)
    assert fast.capacity.note == "write rate binds"
    assert held.capacity.note == "content binds"


def test_a_given_tier_is_kept() -> None:
    size = lustre(0, FLUSH_70B, mb_per_s_per_tib=250, efa=True)
    assert size.capacity.count == 57_600
    assert list(size.numbers()) == ["capacity", "write_rate", "metadata_iops", "addresses"]
    assert value(size.numbers()["addresses"]) == 3 + 3


def test_scratch_has_no_metadata_setting() -> None:
    size = lustre(1000, 100, deployment_type="SCRATCH_2")
    assert size.capacity.count == 2400
    assert list(size.numbers()) == ["capacity", "write_rate", "addresses"]
    assert value(size.addresses) == 2


def test_what_aws_does_not_sell_is_refused() -> None:
    with pytest.raises(
        PlanError, match=r"SCRATCH_2 with EFA: one of .*PERSISTENT_2 with EFA at 1000.*lustre-not-offered"
    ):
        lustre(1, 1, deployment_type="SCRATCH_2", efa=True)
    with pytest.raises(PlanError) as caught:
        lustre(1, 1, mb_per_s_per_tib=200, path="storage.hot.throughput_per_tib")
    (problem,) = caught.value.problems
    assert problem.value == "PERSISTENT_2 at 200 MB/s per TiB"
    assert problem.path == "storage.hot.throughput_per_tib"


def test_negative_content_is_refused() -> None:
    with pytest.raises(PlanError, match="content_gib"):
        lustre(-1, 1)
