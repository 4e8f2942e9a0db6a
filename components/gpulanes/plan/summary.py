"""A plan in one row per lane."""

from dataclasses import dataclass

from gpulanes.kinds.pool import KINDS, Kind
from gpulanes.plan.model import Plan


@dataclass(frozen=True, slots=True)
class LaneRow:
    """One lane: its pools and workloads by name, nodes and GPUs from held to cap, cost and budget (0: none)."""

    kind: Kind
    pools: tuple[str, ...]
    workloads: tuple[str, ...]
    min_nodes: int
    max_nodes: int
    max_gpus: int
    monthly_usd: float
    budget_usd: float


def summary(plan: Plan) -> tuple[LaneRow, ...]:
    """Return a row for every lane that has pools or workloads, in the order of the lanes."""
    rows = (row(plan, kind) for kind in KINDS)
    return tuple(one for one in rows if one.pools or one.workloads)


def row(plan: Plan, kind: Kind) -> LaneRow:
    """Return the row of one lane."""
    pools = [pool for pool in plan.pools if pool.kind == kind]
    costs = [cost for cost in plan.costs if cost.kind == kind]
    return LaneRow(
        kind=kind,
        pools=tuple(pool.name for pool in pools),
        workloads=tuple(one.name for one in plan.workloads if one.kind == kind),
        min_nodes=sum(pool.nodes.min for pool in pools),
        max_nodes=sum(pool.nodes.max for pool in pools),
        max_gpus=sum(pool.max_gpus for pool in pools),
        monthly_usd=sum((cost.monthly.value for cost in costs), 0.0),
        budget_usd=sum((cost.budget_usd for cost in costs), 0.0),
    )
