"""What nodes cost. Prices are the catalogue's; a price that is not established is ``None``, never a guess."""

from collections.abc import Mapping
from typing import Literal

from gpulanes.catalog.defaults import default
from gpulanes.catalog.instances import Instance
from gpulanes.catalog.prices import Price
from gpulanes.sizing.formula import compute, computed, named
from gpulanes.sizing.inputs import require
from gpulanes.sizing.sized import Sized
from gpulanes.units import HOURS_PER_MONTH

Capacity = Literal["on-demand", "reserved", "spot", "capacity-block"]


def _origin(price: Price) -> str:
    return f"list price of {price.region}, read {price.as_of}"


def _abroad(price: Price, region: str) -> str:
    """What a reader must know when the price is another region's."""
    return "" if price.region == region else f"no list price for {region} in the catalogue"


def hourly(
    instance: Instance, region: str, capacity: Capacity, *, spot_price_ratio: float | None = None
) -> Sized | None:
    """USD per node-hour under a purchase option, or ``None`` when the catalogue has no price for it.

    Spot is the list price times ``spot_price_ratio`` (default: the catalogue's pessimistic one), because
    a Spot price of months ago says nothing about next month. A reservation bills the list price.
    """
    price = instance.capacity_block if capacity == "capacity-block" else instance.on_demand_in(region)
    if price is None:
        return None
    if capacity == "spot":
        return _spot_hourly(instance, region, price, spot_price_ratio)
    notes = [_abroad(price, region), "billed whether used or not" if capacity == "reserved" else ""]
    return compute("list_usd", "USD/h", source=_origin(price), note="; ".join(filter(None, notes)), list_usd=price.usd)


def _spot_hourly(instance: Instance, region: str, price: Price, ratio: float | None) -> Sized:
    fallback = default("spot_price_ratio")
    seen = instance.spot.get(region)
    spread = f"seen {seen.low_usd:g} to {seen.high_usd:g} USD/h on {seen.as_of}" if seen else ""
    used = fallback.value if ratio is None else ratio
    require(share={"spot_price_ratio": used})
    return compute(
        "list_usd * spot_price_ratio",
        "USD/h",
        source=_origin(price) if ratio is not None else f"{_origin(price)}; ratio: {fallback.source}",
        note="; ".join(filter(None, [_abroad(price, region), spread])),
        list_usd=price.usd,
        spot_price_ratio=used,
    )


def monthly(nodes: float, usd_per_hour: float, *, duty: float = 1.0, note: str = "") -> Sized:
    """USD per 730 h month for ``nodes`` nodes that run a ``duty`` share of the time."""
    require(non_negative={"nodes": nodes, "usd_per_hour": usd_per_hour, "duty": duty})
    return compute(
        "nodes * usd_per_hour * hours_per_month * duty",
        "USD/month",
        source="node-hours times price",
        note=note,
        nodes=nodes,
        usd_per_hour=usd_per_hour,
        hours_per_month=HOURS_PER_MONTH,
        duty=duty,
    )


def training_duty(run_seconds: float, every_seconds: float) -> Sized:
    """Share of the month that a training programme's nodes run."""
    require(positive={"run_seconds": run_seconds, "every_seconds": every_seconds})
    return compute(
        "min(1, run_seconds / every_seconds)",
        "share",
        source="one run per cycle",
        run_seconds=run_seconds,
        every_seconds=every_seconds,
    )


def daily_duty(window_seconds: float) -> Sized:
    """Share of the month that a daily window takes."""
    require(positive={"window_seconds": window_seconds})
    return compute(
        "min(1, window_seconds / 86400)", "share", source="one window per day", window_seconds=window_seconds
    )


def total(parts: Mapping[str, float], unit: str = "USD/month", *, note: str = "") -> Sized:
    """The sum of named parts, however many; their names become the operands'."""
    operands = named(parts)
    return computed(f"sum({', '.join(operands)})", unit, operands, source="sum", note=note)
