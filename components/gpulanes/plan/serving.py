"""Served models: does the model fit, what does a replica carry, how many replicas, on how many nodes."""

from gpulanes import catalog
from gpulanes.errors import PlanError, Problem
from gpulanes.plan.draft import Draft, Rate
from gpulanes.plan.resolve import dtypes, gpu_memory_mib
from gpulanes.sizing.demand import ESTIMATED_UTILISATION, MEASURED_UTILISATION, replicas_per_node
from gpulanes.sizing.inference_memory import InferenceFit, Serving, inference_fit, smallest_tensor_parallel
from gpulanes.sizing.replica_rate import estimated_replica_rate
from gpulanes.sizing.sized import Sized
from gpulanes.spec.workload import InferenceWorkload

MEASURED = "stated in the fleet file: measured inside the objective"


def memory(draft: Draft) -> None:
    """Weights and KV cache of a replica fit its GPUs, or the smallest number that does is named."""
    for name, workload in draft.each(InferenceWorkload):
        with draft.attempt(name):
            fit = fitted(draft, name, workload)
            draft.fits[name] = fit
            draft.report("memory", name, fit.numbers())


def fitted(draft: Draft, name: str, workload: InferenceWorkload) -> InferenceFit:
    """Return how a replica sits in memory; raises PlanError when it does not."""
    model, first, gpus = draft.models[name], draft.types[name][0], workload.replica.gpus
    memory_mib = gpu_memory_mib(draft, name)
    dtype, kv_dtype = dtypes(workload.model)
    replica = workload.replica
    serving = Serving(dtype=dtype, kv_dtype=kv_dtype, context_tokens=replica.context, concurrency=replica.concurrency)
    fit = inference_fit(model, memory_mib, gpus, serving)
    if not fit.fits:
        path = f"workloads.{name}.replica.gpus"
        smallest = smallest_tensor_parallel(model, memory_mib, first.gpus, serving, path=path)
        raise PlanError([too_few(path, fit, smallest, first.name)])
    return fit


def too_few(path: str, fit: InferenceFit, smallest: InferenceFit, type_name: str) -> Problem:
    """Describe a replica that does not fit its GPUs although it fits the node."""
    held, wanted = max(fit.max_concurrency.value, 0.0), fit.needed
    split = f"a divisor of {fit.heads} heads " if fit.heads else "GPUs "
    return Problem(
        code="replica-does-not-fit",
        path=path,
        value=str(fit.tensor_parallel),
        allowed=f"{split}with memory for {wanted:g} requests at once; this holds {held:.2f}",
        fix=f"use {smallest.tensor_parallel} GPUs of {type_name} per replica, the fewest that fit",
    )


def rate(draft: Draft) -> None:
    """Take the measured rate of a replica, else estimate it and say so."""
    for name, workload in draft.each(InferenceWorkload):
        with draft.attempt(name):
            sized = replica_rate(draft, name, workload)
            measured = workload.replica.requests_per_second is not None
            share = MEASURED_UTILISATION if measured else ESTIMATED_UTILISATION
            draft.rates[name] = Rate(sized.value, share)
            draft.report("rate", name, {"replica_rate": sized})
            if not measured:
                text = f"{sized.value:.2f} requests/s per replica is an estimate: measure it and state it"
                draft.advise("rate-estimated", name, text)


def replica_rate(draft: Draft, name: str, workload: InferenceWorkload) -> Sized:
    """Return requests per second of one replica."""
    stated = workload.replica.requests_per_second
    if stated is not None:
        return Sized(stated, "req/s", "requests_per_second", {"requests_per_second": stated}, MEASURED)
    tpot = workload.slo.tpot_p99
    return estimated_replica_rate(
        draft.models[name],
        draft.fits[name],
        catalog.gpu(draft.types[name][0].gpu, path="nodes.types"),
        tpot_seconds=None if tpot is None else tpot.seconds,
        path=f"workloads.{name}.replica",
    )


def packing(draft: Draft) -> None:
    """Whole replicas on one node; a replica over several nodes is refused."""
    for name, workload in draft.each(InferenceWorkload):
        gpus, per_node = workload.replica.gpus, draft.types[name][0].gpus
        if gpus > per_node:
            draft.refuse(name, spread_out(gpus, per_node, draft.types[name][0].name))
            continue
        sized = replicas_per_node(gpus, per_node)
        draft.per_node[name] = sized.count
        draft.report("packing", name, {"replicas_per_node": sized})


def spread_out(gpus: int, per_node: int, type_name: str) -> Problem:
    """Describe a replica that is larger than a node."""
    return Problem(
        code="replica-exceeds-node",
        path="replica.gpus",
        value=str(gpus),
        allowed=f"at most the {per_node} GPUs of {type_name}: tensor parallelism stays inside a node",
        fix="choose a type with more GPUs, a narrower dtype, or fewer GPUs per replica",
    )
