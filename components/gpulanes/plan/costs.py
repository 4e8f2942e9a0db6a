"""What each lane costs in a month, and whether that is inside its budget. Nodes only: no storage, no traffic."""

from collections.abc import Mapping

from gpulanes import catalog
from gpulanes.kinds.pool import KINDS, Kind, Pool
from gpulanes.plan.draft import Draft
from gpulanes.plan.model import LaneCost
from gpulanes.sizing.cost import daily_duty, hourly, monthly, total
from gpulanes.spec.workload import BatchWorkload

NODES_ONLY = "nodes at their cap, without storage and traffic"


def costs(draft: Draft) -> None:
    """Price every lane that has pools, and warn where the budget is exceeded."""
    for kind in KINDS:
        pools = draft.pools_of(kind)
        if not pools:
            continue
        parts: dict[str, float] = {}
        for name, group in by_workload(pools).items():
            parts.update(price(draft, name, group))
        budget = budget_usd(draft, kind)
        lane = total(parts, note=NODES_ONLY)
        draft.costs.append(LaneCost(kind, lane, budget))
        if budget and lane.value > budget:
            text = f"{lane.value:,.0f} USD/month exceeds the budget of {budget:,.0f} USD/month"
            draft.warn("budget-exceeded", kind, text)


def by_workload(pools: list[Pool]) -> Mapping[str, list[Pool]]:
    """Return a lane's pools by the workload they were made for, in order of preference."""
    found: dict[str, list[Pool]] = {}
    for pool in pools:
        found.setdefault(pool.workloads[0] if pool.workloads else pool.name, []).append(pool)
    return found


def budget_usd(draft: Draft, kind: Kind) -> float:
    """Return the lane's ceiling; 0 when the file sets none."""
    budget = draft.spec.budget
    stated = {
        "inference": budget.inference,
        "training": budget.training,
        "batch": budget.batch,
        "system": budget.system,
    }[kind]
    return 0.0 if stated is None else stated.usd


def price(draft: Draft, name: str, pools: list[Pool]) -> dict[str, float]:
    """Return the monthly cost of each pool of a workload.

    A reservation is billed whole and always; what it does not hold runs on the next option, while it runs.
    """
    job = draft.jobs.get(name)
    remaining = draft.nodes[name].max if job is None else job.nodes
    parts: dict[str, float] = {}
    for pool in pools:
        whole = pool.capacity[0] == "reserved"
        held = pool.reservation.nodes if whole and pool.reservation else min(remaining, pool.nodes.max)
        cost = priced(draft, pool, held, 1.0 if whole else share_of_month(draft, name))
        if cost is not None:
            parts[pool.name] = cost
        remaining -= min(remaining, pool.nodes.max)
    return parts


def share_of_month(draft: Draft, name: str) -> float:
    """Return how much of the month a workload's nodes run: the run of a cycle, a daily window, or all of it."""
    if name in draft.jobs:
        return draft.jobs[name].duty
    workload = draft.spec.workloads[name]
    if not isinstance(workload, BatchWorkload) or workload.window is None:
        return 1.0
    return daily_duty(workload.window.duration.seconds).value


def priced(draft: Draft, pool: Pool, nodes: int, duty: float) -> float | None:
    """Return the pool's monthly cost at its dearest type; warn where the catalogue has no price, and count nothing."""
    region, option = draft.spec.region, pool.capacity[0]
    found = [hourly(catalog.instance(name), region, option) for name in pool.instance_types]
    prices = [price for price in found if price is not None]
    if len(prices) < len(found):
        draft.warn("price-unknown", pool.name, f"the catalogue has no {option} price for one of its types")
    if not prices:
        return None
    dearest = max(prices, key=lambda price: price.value)
    cost = monthly(nodes, dearest.value, duty=duty)
    draft.report("cost", pool.name, {"hourly": dearest, "monthly": cost})
    return cost.value
