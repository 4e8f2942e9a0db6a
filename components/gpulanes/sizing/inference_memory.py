"""Does a model fit, and how many requests at once does its KV cache hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gpulanes.catalog.models import ModelFacts
from gpulanes.sizing.formula import compute
from gpulanes.sizing.inputs import refuse, require
from gpulanes.sizing.sized import Sized

BYTES_PER_PARAMETER: Mapping[str, float] = {
    "fp32": 4.0,
    "bf16": 2.0,
    "fp16": 2.0,
    "fp8": 1.0,
    "int8": 1.0,
    "int4": 0.516,
}
"""int4 in groups of 128: half a byte plus one fp16 scale per group."""
KV_BYTES: Mapping[str, float] = {"bf16": 2.0, "fp16": 2.0, "fp8": 1.0}

GUARDRAIL_OVERHEAD_GIB = 8.0
"""Per GPU, activations and runtime: never over-predicts any of 72 measured TensorRT-LLM capacities (aiconfigurator)."""
ESTIMATE_OVERHEAD_GIB = 6.0
"""Per GPU, the unbiased fit to the same 72 measurements: -3.8 % to +1.2 %."""
UTILISATION = 0.9
"""vLLM's default gpu_memory_utilization, a share of the whole memory."""
BLOCK_TOKENS = 16
"""Tokens per block of a paged KV cache (vLLM's default)."""

_WEIGHTS = "sum of tensors times bytes per parameter; quantised checkpoints keep embeddings in bf16 (vLLM PR 12569)"
_KV = "keys and values of every layer, KV heads split over the tensor-parallel ranks (arXiv 2505.09343 Table 1)"
_BUDGET = {
    "total": "vLLM: a share of the whole memory less weights and runtime (vllm PR 13596)",
    "free": "TensorRT-LLM: a share of what weights and runtime leave free (aiconfigurator sdk/memory.py)",
}


def weights(model: ModelFacts, dtype: str) -> Sized:
    """Memory of all weights, GiB. Below 2 bytes per parameter the embeddings stay in bf16."""
    each = BYTES_PER_PARAMETER[dtype]
    if each >= 2.0:  # noqa: PLR2004 - bf16, the width that quantised checkpoints keep for embeddings
        formula = "parameters * bytes_per_parameter / 2**30"
        return compute(formula, "GiB", source=_WEIGHTS, parameters=model.parameters, bytes_per_parameter=each)
    return compute(
        "(parameters * bytes_per_parameter + embedding_parameters * (2 - bytes_per_parameter)) / 2**30",
        "GiB",
        source=_WEIGHTS,
        parameters=model.parameters,
        bytes_per_parameter=each,
        embedding_parameters=model.embedding_parameters,
    )


def kv_per_token(model: ModelFacts, kv_dtype: str = "bf16", tensor_parallel: int = 1) -> Sized:
    """KV cache of one token on one GPU, bytes. Every rank holds at least one KV head."""
    return compute(
        "2 * layers * max(1, ceil(kv_heads / tensor_parallel)) * head_dim * kv_bytes",
        "bytes/token",
        source=_KV,
        layers=model.layers,
        kv_heads=model.kv_heads,
        tensor_parallel=tensor_parallel,
        head_dim=model.head_dim,
        kv_bytes=KV_BYTES[kv_dtype],
    )


def kv_budget(
    gpu_memory_mib: float,
    weights_gib: float,
    tensor_parallel: int = 1,
    *,
    utilisation: float = UTILISATION,
    overhead_gib: float = GUARDRAIL_OVERHEAD_GIB,
    fraction_of: Literal["total", "free"] = "total",
) -> Sized:
    """Memory for the KV cache on one GPU, GiB; below zero when the weights alone do not fit."""
    require(
        positive={"gpu_memory_mib": gpu_memory_mib, "weights_gib": weights_gib, "tensor_parallel": tensor_parallel},
        non_negative={"overhead_gib": overhead_gib},
        share={"utilisation": utilisation},
    )
    formula = {
        "total": "utilisation * gpu_memory_mib / 1024 - weights_gib / tensor_parallel - overhead_gib",
        "free": "utilisation * (gpu_memory_mib / 1024 - weights_gib / tensor_parallel - overhead_gib)",
    }[fraction_of]
    return compute(
        formula,
        "GiB",
        source=_BUDGET[fraction_of],
        utilisation=utilisation,
        gpu_memory_mib=gpu_memory_mib,
        weights_gib=weights_gib,
        tensor_parallel=tensor_parallel,
        overhead_gib=overhead_gib,
    )


def kv_tokens(kv_budget_gib: float, kv_bytes_per_token: float) -> Sized:
    """Tokens that the KV cache holds, in whole blocks; 0 when there is no room."""
    return compute(
        "max(0, block_tokens * floor(kv_budget_gib * 2**30 / (block_tokens * kv_bytes_per_token)))",
        "tokens",
        source="paged KV cache: whole blocks (vLLM)",
        block_tokens=BLOCK_TOKENS,
        kv_budget_gib=kv_budget_gib,
        kv_bytes_per_token=kv_bytes_per_token,
    )


def max_concurrency(tokens: float, context_tokens: float) -> Sized:
    """Requests of full context that fit at once; below 1 the model cannot serve that context at all."""
    require(positive={"context_tokens": context_tokens})
    return compute(
        "kv_tokens / context_tokens",
        "requests",
        source="vLLM's start-up log: maximum concurrency",
        kv_tokens=tokens,
        context_tokens=context_tokens,
    )


@dataclass(frozen=True, slots=True)
class InferenceFit:
    """How one replica sits in the memory of its GPUs. ``needed`` is the concurrency asked for."""

    tensor_parallel: int
    weights: Sized
    kv_per_token: Sized
    kv_budget: Sized
    kv_tokens: Sized
    max_concurrency: Sized
    needed: float
    heads: int

    @property
    def fits(self) -> bool:
        """Whether the heads divide over the GPUs and the cache holds the concurrency asked for."""
        return self.heads % self.tensor_parallel == 0 and self.max_concurrency.value >= self.needed

    def numbers(self) -> dict[str, Sized]:
        """Every number by name, in the order in which each needs the one before."""
        return {
            "weights": self.weights,
            "kv_per_token": self.kv_per_token,
            "kv_budget": self.kv_budget,
            "kv_tokens": self.kv_tokens,
            "max_concurrency": self.max_concurrency,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What one replica must hold: types of weights and cache, context length, requests at once; and the margins."""

    dtype: str = "bf16"
    kv_dtype: str = "bf16"
    context_tokens: int = 8192
    concurrency: float = 1.0
    utilisation: float = UTILISATION
    overhead_gib: float = GUARDRAIL_OVERHEAD_GIB
    fraction_of: Literal["total", "free"] = "total"


def inference_fit(model: ModelFacts, gpu_memory_mib: float, gpus: int, serving: Serving) -> InferenceFit:
    """How ``model`` sits on ``gpus`` GPUs as tensor-parallel ranks.

    Raises:
        PlanError: a memory, count or margin that has no meaning.
    """
    require(positive={"gpus": gpus, "concurrency": serving.concurrency})
    held = weights(model, serving.dtype)
    each = kv_per_token(model, serving.kv_dtype, gpus)
    room = kv_budget(
        gpu_memory_mib,
        held.value,
        gpus,
        utilisation=serving.utilisation,
        overhead_gib=serving.overhead_gib,
        fraction_of=serving.fraction_of,
    )
    tokens = kv_tokens(room.value, each.value)
    most = max_concurrency(tokens.value, serving.context_tokens)
    return InferenceFit(gpus, held, each, room, tokens, most, serving.concurrency, model.heads)


def smallest_tensor_parallel(
    model: ModelFacts, gpu_memory_mib: float, max_gpus: int, serving: Serving, *, path: str = "replica.gpus"
) -> InferenceFit:
    """The fit on the fewest GPUs (1, 2, 4 … that divide the heads) that holds the concurrency asked for.

    Raises:
        PlanError: ``model-does-not-fit`` when no such number up to ``max_gpus`` does.
    """
    tried = []
    gpus = 1
    while gpus <= max_gpus:
        fit = inference_fit(model, gpu_memory_mib, gpus, serving)
        if fit.fits:
            return fit
        tried.append(f"{gpus} GPUs hold {fit.max_concurrency.value:.2f}")
        gpus *= 2
    raise refuse(
        code="model-does-not-fit",
        path=path,
        value=f"{model.name} in {serving.dtype} on {gpu_memory_mib:g} MiB",
        allowed=f"room for {serving.concurrency:g} requests of {serving.context_tokens} tokens: {'; '.join(tried)}",
        fix="use a narrower dtype, GPUs with more memory or a shorter context",
    )
