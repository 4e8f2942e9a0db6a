"""Capacity that must run so that losing zones or nodes is survived without scaling."""

from gpulanes.catalog.defaults import default
from gpulanes.sizing.formula import compute
from gpulanes.sizing.inputs import refuse, require
from gpulanes.sizing.sized import Sized

SPARE_TAIL = 0.01
"""Accepted chance that more nodes are in repair than there are spares."""

_STATIC = "static stability: what is left after the loss carries the load (AWS Builders' Library, Availability Zones)"


def _zones(zones: int, lost_zones: int) -> None:
    require(positive={"zones": zones}, non_negative={"lost_zones": lost_zones})
    if lost_zones >= zones:
        raise refuse(
            code="survives-nothing",
            path="nodes.survive",
            value=f"{lost_zones} zones of {zones}",
            allowed=f"fewer zones than the pool has ({zones})",
            fix="add zones or survive fewer",
        )


def per_zone(needed: int, zones: int, lost_zones: int, *, unit: str = "nodes") -> Sized:
    """What each zone must run so that the other zones carry ``needed`` alone.

    Raises:
        PlanError: ``survives-nothing`` when no zone would be left.
    """
    _zones(zones, lost_zones)
    return compute(
        "ceil(needed / (zones - lost_zones))",
        unit,
        source=_STATIC,
        needed=needed,
        zones=zones,
        lost_zones=lost_zones,
    )


def over_zones(needed: int, zones: int, lost_zones: int, *, unit: str = "nodes") -> Sized:
    """Total over all zones, even, such that ``needed`` is left after ``lost_zones`` are lost.

    Strict: ``needed`` includes the headroom, so headroom and failover multiply.
    """
    _zones(zones, lost_zones)
    return compute(
        "zones * ceil(needed / (zones - lost_zones))",
        unit,
        source=_STATIC,
        needed=needed,
        zones=zones,
        lost_zones=lost_zones,
    )


def over_zones_shared(needed: int, needed_at_peak: int, zones: int, lost_zones: int, *, unit: str = "nodes") -> Sized:
    """Total such that all zones carry ``needed`` (with headroom), and the rest ``needed_at_peak`` without it.

    Shared: one margin serves growth and failover, which a critical service must not assume.
    """
    _zones(zones, lost_zones)
    return compute(
        "max(needed, zones * ceil(needed_at_peak / (zones - lost_zones)))",
        unit,
        source=_STATIC,
        note="headroom is spent while a zone is lost",
        needed=needed,
        needed_at_peak=needed_at_peak,
        zones=zones,
        lost_zones=lost_zones,
    )


def with_spares(needed: int, spare_nodes: int, *, unit: str = "nodes") -> Sized:
    """N + k: ``spare_nodes`` beside what is needed, running or reserved."""
    require(non_negative={"needed": needed, "spare_nodes": spare_nodes})
    return compute("needed + spare_nodes", unit, source="N + k", needed=needed, spare_nodes=spare_nodes)


def repair_spares(nodes: int, repair_days: float, failures_per_node_day: float | None = None) -> Sized:
    """Training nodes to keep beside ``nodes`` so that repairs rarely shrink the job.

    ``failures_per_node_day`` defaults to the catalogue's published rate.
    """
    fallback = default("node_failures_per_day")
    rate = fallback.value if failures_per_node_day is None else failures_per_node_day
    require(positive={"nodes": nodes}, non_negative={"repair_days": repair_days, "failures_per_node_day": rate})
    return compute(
        "poisson_spares(nodes * failures_per_node_day * repair_days, tail)",
        "nodes",
        source="Poisson failures during a repair, tail below 1 %",
        note=fallback.source if failures_per_node_day is None else "",
        nodes=nodes,
        failures_per_node_day=rate,
        repair_days=repair_days,
        tail=SPARE_TAIL,
    )
