"""The last step: guarded fields that the file sets by hand. Rendered as written, reported, and judged by the rules."""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from gpulanes import kinds
from gpulanes.kinds.pool import Disruption, Pool, Taint
from gpulanes.plan.draft import Draft
from gpulanes.plan.model import PriorityPlan
from gpulanes.plan.pools import class_name
from gpulanes.spec.overrides import Overrides
from gpulanes.spec.workload import SystemWorkload


def overrides(draft: Draft) -> None:
    """Apply the overrides of every workload."""
    given = dict(stated(draft))
    draft.pools = [
        reduce(apply, [given[name] for name in pool.workloads if name in given], pool) for pool in draft.pools
    ]
    unguarded = {name for name, one in given.items() if one.pod_disruption_budget is False}
    draft.workloads = [replace(one, pdb_max_unavailable=0) if one.name in unguarded else one for one in draft.workloads]


def stated(draft: Draft) -> Iterator[tuple[str, Overrides]]:
    """Yield the overrides of every workload that has some; warn about each, and rank by hand what is so ranked."""
    for name, workload in sorted(draft.spec.workloads.items()):
        if isinstance(workload, SystemWorkload) or name in draft.failed:
            continue
        given = workload.overrides
        fields = sorted(field for field in type(given).model_fields if getattr(given, field) is not None)
        if not fields:
            continue
        yield name, given
        if given.priority is not None:
            rank = kinds.PRIORITIES[workload.kind]
            own = PriorityPlan(class_name(draft, name, workload), workload.kind, given.priority, rank.preemption_policy)
            draft.priorities.append(own)
        text = f"{', '.join(fields)} set by hand: rendered as written, and the rules judge it"
        draft.report("overrides", name, None, text)
        draft.warn("override", name, text)


def apply(pool: Pool, given: Overrides) -> Pool:
    """Return the pool with the fields that are set by hand."""
    labels = pool.labels if given.labels is None else given.labels
    taints = pool.taints if given.taints is None else tuple(Taint(t.key, t.value, t.effect) for t in given.taints)
    return replace(
        pool,
        labels=labels,
        taints=taints,
        ami_type=given.ami_type or pool.ami_type,
        disruption=None if pool.disruption is None else disruption(pool.disruption, given),
        capped=pool.capped if given.gpu_limit is None else given.gpu_limit,
    )


def disruption(planned: Disruption, given: Overrides) -> Disruption:
    """Return the disruption settings with those that are set by hand; a node group has none to set."""
    return replace(
        planned,
        consolidation_policy=given.consolidation_policy or planned.consolidation_policy,
        consolidate_after=given.consolidate_after or planned.consolidate_after,
        expire_after=given.expire_after or planned.expire_after,
    )
