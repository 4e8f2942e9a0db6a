"""A stand-in for a measured request rate: what memory bandwidth and arithmetic allow one replica."""

from gpulanes.catalog.gpus import Gpu
from gpulanes.catalog.models import ModelFacts
from gpulanes.sizing.formula import compute, floor
from gpulanes.sizing.inference_memory import InferenceFit
from gpulanes.sizing.inputs import refuse, require
from gpulanes.sizing.sized import Sized
from gpulanes.sizing.training_time import peak_flops

BANDWIDTH_SHARE = 0.8
"""Share of the peak memory bandwidth that decoding reaches (aiconfigurator's empirical factor)."""
PREFILL_MFU = 0.4
"""Share of the dense bf16 peak that prefill reaches (planning value for dense models)."""
INPUT_TOKENS = 1154.7
OUTPUT_TOKENS = 211.1
"""Mean tokens of a conversation request (Azure LLM inference trace 2023)."""

_SOURCE = "roofline: prefill at 2 FLOPs per parameter and token, decode reads weights and cache once per step"


def _bandwidth(gpu: Gpu, path: str) -> float:
    """Peak memory bandwidth, bytes/s."""
    if gpu.memory_gb_per_s is None:
        raise refuse(
            code="gpu-speed-unknown",
            path=path,
            value=gpu.name,
            allowed="an accelerator whose memory bandwidth is established",
            fix="state a measured requests_per_second for the replica",
        )
    return gpu.memory_gb_per_s * 1e9


def decode_batch(
    fit: InferenceFit, gpu: Gpu, context_tokens: float, tpot_seconds: float | None, *, path: str = "replica"
) -> int:
    """Requests decoded together: what the cache holds, and no more than the time per output token allows.

    Raises:
        PlanError: ``tpot-unreachable`` when reading the weights alone takes longer, ``no-room-to-serve``
            when the cache holds not one request.
    """
    require(positive={"context_tokens": context_tokens})
    batch = floor(fit.kv_tokens.value / context_tokens)
    if batch < 1:
        raise refuse(
            code="no-room-to-serve",
            path=path,
            value=f"{fit.kv_tokens.value:g} tokens of KV cache",
            allowed=f"at least one request of {context_tokens:g} tokens",
            fix="use more GPUs per replica, a narrower dtype or GPUs with more memory",
        )
    if tpot_seconds is None:
        return batch
    weight_bytes = fit.weights.value * 2**30 / fit.tensor_parallel
    readable_per_second = BANDWIDTH_SHARE * _bandwidth(gpu, path)
    readable = tpot_seconds * readable_per_second - weight_bytes
    allowed = floor(readable / (context_tokens * fit.kv_per_token.value))
    if allowed < 1:
        raise refuse(
            code="tpot-unreachable",
            path=path,
            value=f"{tpot_seconds * 1000:g} ms per output token",
            allowed=f"more than {weight_bytes / readable_per_second * 1000:.1f} ms, to read weights",
            fix="use more GPUs per replica, a narrower dtype or GPUs with more bandwidth",
        )
    return min(batch, allowed)


def estimated_replica_rate(
    model: ModelFacts,
    fit: InferenceFit,
    gpu: Gpu,
    *,
    input_tokens: float = INPUT_TOKENS,
    output_tokens: float = OUTPUT_TOKENS,
    tpot_seconds: float | None = None,
    path: str = "replica",
) -> Sized:
    """Requests per second of one replica, estimated. Not a measurement: it knows neither engine nor kernels.

    Prefill and decode take turns. Plan with ``ESTIMATED_UTILISATION`` on top, and replace it by a
    measured rate.
    """
    require(positive={"input_tokens": input_tokens, "output_tokens": output_tokens})
    context = input_tokens + output_tokens
    return compute(
        "1 / (2 * active_parameters * input_tokens / (gpus * peak_flops * prefill_mfu)"
        " + output_tokens * (weight_bytes_per_gpu / batch + (input_tokens + output_tokens / 2) * kv_bytes_per_token)"
        " / (bandwidth_share * bandwidth_bytes_per_second))",
        "req/s",
        source=_SOURCE,
        note="estimate, not measured: state requests_per_second once a load test has it",
        active_parameters=model.active_parameters,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        gpus=fit.tensor_parallel,
        peak_flops=peak_flops(gpu, path=path),
        prefill_mfu=PREFILL_MFU,
        weight_bytes_per_gpu=fit.weights.value * 2**30 / fit.tensor_parallel,
        batch=decode_batch(fit, gpu, context, tpot_seconds, path=path),
        kv_bytes_per_token=fit.kv_per_token.value,
        bandwidth_share=BANDWIDTH_SHARE,
        bandwidth_bytes_per_second=_bandwidth(gpu, path),
    )
