"""Advice on the whole: whether these lanes are worth splitting, and what a careful reader would add."""

from collections.abc import Iterator

from gpulanes.plan.counts import stated
from gpulanes.plan.draft import Draft
from gpulanes.plan.model import Mode
from gpulanes.sizing.advice import Code, SplitAdvice, split_advice
from gpulanes.spec.nodes import NodesSpec
from gpulanes.spec.workload import BatchWorkload, InferenceWorkload, TrainingWorkload, Workload

FOLLOWED: dict[Code, tuple[Mode, ...]] = {
    "do-not-split": (),
    "split-logical": ("logical", "physical", "borrow-and-return"),
    "split-physical": ("physical", "borrow-and-return"),
    "split-borrow": ("borrow-and-return",),
}
"""Modes that already do what the advice says; a stronger separation than advised is nobody's business."""


def advice(draft: Draft) -> None:
    """Advise on the split, on fields that decide nothing, and on lanes without a maintenance window."""
    split(draft)
    for name, workload, nodes in draft.sized():
        for field, reason in unused(workload, nodes):
            draft.advise("field-unused", name, f"remove nodes.{field}: {reason}")
    windows = draft.spec.maintenance
    for kind, window in (("inference", windows.inference), ("training", windows.training)):
        karpenter = any(pool.provisioner == "karpenter" for pool in draft.pools if pool.kind == kind)
        if karpenter and window is None:
            draft.advise("no-window", kind, f"set maintenance.{kind}: without a window nodes are replaced at any time")


def split(draft: Draft) -> None:
    """Say when two lanes cost more than they give, or when another mode gives more."""
    inference, training = draft.pools_of("inference"), draft.pools_of("training")
    if not inference or not training:
        return
    given = split_advice(
        draft.gpus("inference", "training"),
        latency_objective=any(promises_latency(served) for _, served in draft.each(InferenceWorkload)),
        multi_node_training=any(job.nodes > 1 for job in draft.jobs.values()),
        gpus_per_node=max(pool.gpus_per_node for pool in (*inference, *training)),
    )
    if draft.spec.partition.mode not in FOLLOWED[given.code]:
        draft.advise(given.code, "partition", text(given))


def unused(workload: Workload, nodes: NodesSpec) -> Iterator[tuple[str, str]]:
    """Yield the fields of a workload's nodes that decide nothing, each with the reason."""
    if nodes.survive is not None and not isinstance(workload, InferenceWorkload):
        yield "survive", "it sizes what is served; other work starts again"
    if nodes.spares != "auto" and (stated(nodes) is not None or not isinstance(workload, TrainingWorkload)):
        yield "spares", "it sizes the nodes of training that are not stated"
    comes_and_goes = isinstance(workload, TrainingWorkload | BatchWorkload) and nodes.provisioner != "node-group"
    if nodes.min and comes_and_goes:
        yield "min", "Karpenter makes nodes for pods and holds none without them"


def text(given: SplitAdvice) -> str:
    """Return what to do and why."""
    return given.text if given.split else f"do not split into lanes: {given.text}; one pool with priorities is enough"


def promises_latency(served: InferenceWorkload) -> bool:
    """Return whether a served model promises a time to first token, or is critical by its class."""
    return served.slo.ttft_p99 is not None or served.service_class == "latency-critical"
