"""How the lanes share: what inference never lends, and what may be borrowed."""

from gpulanes.errors import Problem
from gpulanes.plan.draft import Draft
from gpulanes.plan.model import PartitionPlan
from gpulanes.sizing.formula import compute
from gpulanes.sizing.sized import Sized
from gpulanes.spec.workload import BatchWorkload, InferenceWorkload

_FLOOR = "never lent: what may fail, growth while nodes start, and one node to scale into"


def partition(draft: Draft) -> None:
    """Decide the reserve and what is left to lend; only borrow-and-return lends at all."""
    mode = draft.spec.partition.mode
    total = draft.gpus("inference")
    if mode != "borrow-and-return":
        draft.partition = PartitionPlan(mode, total, 0)
        draft.report("partition", mode, {"reserve": _gpus("inference_gpus", total, "this mode lends nothing")})
        if draft.spec.partition.reserve is not None:
            draft.advise("reserve-unused", "partition", f"remove partition.reserve: mode {mode} lends nothing anyway")
        return
    floor = failover_floor(draft)
    reserve = floor if draft.spec.partition.reserve is None else stated_reserve(draft, draft.spec.partition.reserve)
    if reserve.value > total and complete(draft):
        draft.problems.append(too_much(draft.spec.partition.reserve or "", total))
    lendable = compute(
        "max(0, inference_gpus - reserve)",
        "GPUs",
        source="what inference holds less what it never lends",
        inference_gpus=total,
        reserve=reserve.value,
    )
    draft.partition = PartitionPlan(mode, reserve.count, lendable.count)
    draft.report("partition", mode, {"floor": floor, "reserve": reserve, "lendable": lendable})
    if reserve.value < floor.value:
        text = f"a reserve of {reserve.count} GPUs is below the {floor.count} for failover, growth and one node more"
        draft.warn("reserve-below-floor", "partition", text)
    warn_batch(draft, lendable.count)


def complete(draft: Draft) -> bool:
    """Return whether every served model could be sized, so that the lane is all there."""
    return not any(isinstance(draft.spec.workloads[name], InferenceWorkload) for name in draft.failed)


def failover_floor(draft: Draft) -> Sized:
    """Return the least reserve that keeps the promises: per workload, and no more than it has."""
    parts = [
        min(draft.nodes[name].max, draft.margins[name].failover + draft.margins[name].warm + 1)
        * draft.types[name][0].gpus
        for name, _ in draft.each(InferenceWorkload)
    ]
    return _gpus("floor", sum(parts), _FLOOR)


def stated_reserve(draft: Draft, text: str) -> Sized:
    """Return the reserve that the file states, in GPUs; a node counts as the largest of the lane."""
    count, unit = text.split()
    if unit.startswith("gpu"):
        return _gpus("reserve", int(count), "stated in the fleet file")
    per_node = max((draft.types[name][0].gpus for name, _ in draft.each(InferenceWorkload)), default=0)
    return compute(
        "nodes * gpus_per_node", "GPUs", source="stated in the fleet file", nodes=int(count), gpus_per_node=per_node
    )


def too_much(text: str, total: int) -> Problem:
    """Describe a reserve that exceeds the lane."""
    return Problem(
        code="reserve-exceeds-lane",
        path="partition.reserve",
        value=text,
        allowed=f"at most the {total} GPUs of the inference lane",
        fix="lower the reserve, or leave it out to have it sized",
    )


def warn_batch(draft: Draft, lendable: int) -> None:
    """Warn about batch jobs that want more than is ever lent."""
    for name, workload in draft.each(BatchWorkload):
        wanted = workload.gpus or 0
        if workload.borrow == "inference" and name not in draft.nodes and wanted > lendable:
            draft.warn("batch-exceeds-lendable", name, f"it runs on {wanted} GPUs, and {lendable} may be lent")


def _gpus(name: str, count: int, source: str) -> Sized:
    return Sized(count, "GPUs", name, {name: count}, source)
