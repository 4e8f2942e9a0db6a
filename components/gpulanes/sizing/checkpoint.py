"""When to save: the interval that loses least time to saves and to repeated work."""

from gpulanes.catalog.defaults import default
from gpulanes.sizing.formula import compute
from gpulanes.sizing.inputs import refuse, require
from gpulanes.sizing.sized import Sized


def job_mtbf(
    nodes: int, *, failures_per_node_day: float | None = None, reclaim_mtbf_seconds: float | None = None
) -> Sized:
    """Time between interruptions of a job that needs all its nodes, seconds.

    Node failures add up over nodes; ``reclaim_mtbf_seconds`` is the time between Spot reclaims of
    the whole job. ``failures_per_node_day`` defaults to the catalogue's published rate.
    """
    fallback = default("node_failures_per_day")
    rate = fallback.value if failures_per_node_day is None else failures_per_node_day
    require(positive={"nodes": nodes, "failures_per_node_day": rate})
    note = f"published node failure rate: {fallback.source}" if failures_per_node_day is None else ""
    if reclaim_mtbf_seconds is None:
        return compute(
            "86400 / (nodes * failures_per_node_day)",
            "s",
            source="independent node failures; measured values are better below a thousand GPUs",
            note=note,
            nodes=nodes,
            failures_per_node_day=rate,
        )
    require(positive={"reclaim_mtbf_seconds": reclaim_mtbf_seconds})
    return compute(
        "1 / (nodes * failures_per_node_day / 86400 + 1 / reclaim_mtbf_seconds)",
        "s",
        source="rates of node failures and of Spot reclaims add up",
        note=note,
        nodes=nodes,
        failures_per_node_day=rate,
        reclaim_mtbf_seconds=reclaim_mtbf_seconds,
    )


def young_interval(save_seconds: float, mtbf_seconds: float) -> Sized:
    """First-order optimum, seconds of work between saves."""
    require(positive={"save_seconds": save_seconds, "mtbf_seconds": mtbf_seconds})
    return compute(
        "sqrt(2 * save_seconds * mtbf_seconds)",
        "s",
        source="Young 1974",
        save_seconds=save_seconds,
        mtbf_seconds=mtbf_seconds,
    )


def daly_interval(save_seconds: float, mtbf_seconds: float) -> Sized:
    """Higher-order optimum, seconds of work between saves; the MTBF itself once saves take twice as long."""
    require(positive={"save_seconds": save_seconds, "mtbf_seconds": mtbf_seconds})
    return compute(
        "sqrt(2 * save_seconds * mtbf_seconds) * (1 + sqrt(save_seconds / (2 * mtbf_seconds)) / 3"
        " + save_seconds / (2 * mtbf_seconds) / 9) - save_seconds"
        " if save_seconds < 2 * mtbf_seconds else mtbf_seconds",
        "s",
        source="Daly 2006",
        save_seconds=save_seconds,
        mtbf_seconds=mtbf_seconds,
    )


def optimal_interval(save_seconds: float, mtbf_seconds: float) -> Sized:
    """The exact optimum for exponential failures, seconds of work between saves."""
    require(positive={"save_seconds": save_seconds, "mtbf_seconds": mtbf_seconds})
    return compute(
        "mtbf_seconds * (1 + lambert_w0(-exp(-(1 + save_seconds / mtbf_seconds))))",
        "s",
        source="maximum of the efficiency for exponential failures (Daly 2006), by Lambert's W",
        note="efficiency is flat near the optimum: rounding to minutes is safe",
        save_seconds=save_seconds,
        mtbf_seconds=mtbf_seconds,
    )


def efficiency(interval_seconds: float, save_seconds: float, mtbf_seconds: float, restart_seconds: float) -> Sized:
    """Share of time that makes progress, with a save of ``save_seconds`` after every interval of work.

    ``save_seconds`` 0 and an interval as long as the job is training without checkpoints.
    """
    require(
        positive={"interval_seconds": interval_seconds, "mtbf_seconds": mtbf_seconds},
        non_negative={"save_seconds": save_seconds, "restart_seconds": restart_seconds},
    )
    return compute(
        "interval_seconds / (mtbf_seconds * exp(restart_seconds / mtbf_seconds)"
        " * expm1((interval_seconds + save_seconds) / mtbf_seconds))",
        "share",
        source="expected time with exponential failures (Daly 2006)",
        interval_seconds=interval_seconds,
        save_seconds=save_seconds,
        mtbf_seconds=mtbf_seconds,
        restart_seconds=restart_seconds,
    )


def goodput(save_seconds: float, mtbf_seconds: float, restart_seconds: float) -> Sized:
    """The efficiency at the exact optimal interval."""
    interval = optimal_interval(save_seconds, mtbf_seconds)
    return efficiency(interval.value, save_seconds, mtbf_seconds, restart_seconds)


def write_rate(checkpoint_bytes: float, stall_seconds: float) -> Sized:
    """Aggregate write rate that saves a checkpoint within the stall, MB/s (1e6 B/s)."""
    require(positive={"checkpoint_bytes": checkpoint_bytes, "stall_seconds": stall_seconds})
    return compute(
        "checkpoint_bytes / stall_seconds / 1e6",
        "MB/s",
        source="a synchronous save blocks the step",
        checkpoint_bytes=checkpoint_bytes,
        stall_seconds=stall_seconds,
    )


def flush_rate(checkpoint_bytes: float, notice_seconds: float = 120.0, margin_seconds: float = 30.0) -> Sized:
    """Aggregate write rate that saves a checkpoint inside a reclaim notice, MB/s; AWS gives 120 s.

    Raises:
        PlanError: ``notice-too-short`` when the margin leaves no time.
    """
    require(positive={"checkpoint_bytes": checkpoint_bytes}, non_negative={"margin_seconds": margin_seconds})
    if notice_seconds <= margin_seconds:
        raise refuse(
            code="notice-too-short",
            path="notice_seconds",
            value=f"{notice_seconds:g}",
            allowed=f"more than the margin of {margin_seconds:g} s",
            fix="rely on interval checkpoints instead of an emergency save",
        )
    return compute(
        "checkpoint_bytes / (notice_seconds - margin_seconds) / 1e6",
        "MB/s",
        source="EC2 Spot: two-minute notice, less the time until the process reacts",
        checkpoint_bytes=checkpoint_bytes,
        notice_seconds=notice_seconds,
        margin_seconds=margin_seconds,
    )
