"""What an instance costs per hour, with the day it was read and the region whose list it is."""

from dataclasses import dataclass
from datetime import date

from gpulanes.catalog.rows import Row, day, high, number

REFERENCE_REGION = "us-east-1"
"""The region every on-demand price was read for."""
REGIONS = ("us-east-1", "us-east-2", "us-west-2")
"""Regions whose zones and Spot prices the data files cover."""


@dataclass(frozen=True, slots=True)
class Price:
    """USD per instance-hour as listed for ``region`` on ``as_of``."""

    usd: float
    region: str
    as_of: date


@dataclass(frozen=True, slots=True)
class SpotRange:
    """Lowest and highest Spot price over the zones of a region, USD per instance-hour, on ``as_of``.

    Spot moves by the week: a plan prices with a pessimistic ratio and shows this range beside it.
    """

    low_usd: float
    high_usd: float
    as_of: date


def on_demand_prices(row: Row) -> dict[str, Price]:
    """List prices by region, for the regions where one was read."""
    found = {}
    for region, column, dated in (
        ("us-east-1", "ondemand_usd_h_us_east_1", "ondemand_as_of"),
        ("us-west-2", "ondemand_usd_h_us_west_2", "ondemand_us_west_2_as_of"),
    ):
        usd = number(row, column)
        if usd is not None:
            found[region] = Price(usd, region, day(row[dated]))
    return found


def spot_ranges(row: Row) -> dict[str, SpotRange]:
    """Spot ranges by region, for the regions where one was read."""
    found = {}
    for region in REGIONS:
        column = f"spot_usd_h_{region.replace('-', '_')}"
        low, top = number(row, f"{column}_min"), number(row, f"{column}_max")
        if low is not None and top is not None:
            found[region] = SpotRange(low, top, day(row["spot_as_of"]))
    return found


def capacity_block_price(row: Row, accelerators: int) -> Price | None:
    """Price of the whole instance in a Capacity Block; the upper end where zones differ."""
    each = high(row, "capacity_block_usd_per_accelerator_h")
    if each is None:
        return None
    return Price(each * accelerators, REFERENCE_REGION, day(row["capacity_block_as_of"]))
