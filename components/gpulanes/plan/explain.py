"""One pool explained, as data: every number with its arithmetic, and what a pod writes to run there."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpulanes.errors import PlanError, Problem
from gpulanes.kinds.pool import Pool
from gpulanes.plan.model import Note, Plan, ServedWorkload, Step


@dataclass(frozen=True, slots=True)
class Explanation:
    """``steps`` are those that decided about the pool or its workloads, in the planner's order."""

    pool: Pool
    workloads: tuple[ServedWorkload, ...]
    steps: tuple[Step, ...]
    notes: tuple[Note, ...]
    node_selector: Mapping[str, str]
    tolerations: tuple[Mapping[str, str], ...]


def explain_pool(plan: Plan, name: str) -> Explanation:
    """Return everything the plan knows about a pool.

    The selector and the tolerations are read off the pool itself, so they are right even where labels or
    taints were set by hand.

    Raises:
        PlanError: ``unknown-pool``, with the pools there are.
    """
    pool = next((pool for pool in plan.pools if pool.name == name), None)
    if pool is None:
        names = ", ".join(pool.name for pool in plan.pools)
        raise PlanError([Problem("unknown-pool", "pool", name, f"one of {names}", "name a pool of the plan")])
    subjects = {pool.name, pool.kind, *pool.workloads}
    return Explanation(
        pool=pool,
        workloads=tuple(one for one in plan.workloads if name in one.pools),
        steps=tuple(step for step in plan.steps if step.subject in subjects),
        notes=tuple(note for note in plan.notes if note.subject in subjects),
        node_selector=pool.labels,
        tolerations=tuple(
            {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
            for taint in pool.taints
        ),
    )
