"""What Spot is worth: cheaper hours, fewer of which make progress."""

from gpulanes.sizing.formula import compute
from gpulanes.sizing.inputs import require
from gpulanes.sizing.sized import Sized

CORRELATION = 4.0
"""Interruption bands are fleet averages and correlated inside a pool: plan with a fourth of the MTBF (judgement)."""

_BREAK_EVEN = "Spot wins when 1 - discount < goodput on Spot / goodput on demand"


def reclaim_mtbf(interrupted_per_month: float, nodes: int, correlation: float = CORRELATION) -> Sized:
    """Time between Spot reclaims of a job on ``nodes`` nodes, seconds.

    ``interrupted_per_month`` is the share of instances interrupted in a month (Spot Instance Advisor's band).
    """
    require(positive={"nodes": nodes, "correlation": correlation, "interrupted_per_month": interrupted_per_month})
    return compute(
        "720 * 3600 / (-log(1 - interrupted_per_month) * nodes * correlation)",
        "s",
        source="constant hazard over a 720 h month; all nodes are needed",
        interrupted_per_month=interrupted_per_month,
        nodes=nodes,
        correlation=correlation,
    )


def break_even_discount(spot_goodput: float, on_demand_goodput: float) -> Sized:
    """The discount at which Spot costs as much per useful hour as on-demand; below zero when Spot is also better."""
    require(share={"spot_goodput": spot_goodput, "on_demand_goodput": on_demand_goodput})
    return compute(
        "1 - spot_goodput / on_demand_goodput",
        "share",
        source=_BREAK_EVEN,
        spot_goodput=spot_goodput,
        on_demand_goodput=on_demand_goodput,
    )


def cost_ratio(spot_price_ratio: float, spot_goodput: float, on_demand_goodput: float) -> Sized:
    """Cost of a useful hour on Spot over one on demand. ``spot_price_ratio`` is 1 minus the discount."""
    require(
        positive={"spot_price_ratio": spot_price_ratio},
        share={"spot_goodput": spot_goodput, "on_demand_goodput": on_demand_goodput},
    )
    return compute(
        "spot_price_ratio * on_demand_goodput / spot_goodput",
        "share",
        source=_BREAK_EVEN,
        note="below 1 Spot is cheaper per useful hour",
        spot_price_ratio=spot_price_ratio,
        on_demand_goodput=on_demand_goodput,
        spot_goodput=spot_goodput,
    )
