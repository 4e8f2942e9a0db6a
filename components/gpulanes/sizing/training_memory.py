"""Memory of training state, and what a resumable checkpoint weighs."""

from typing import Literal

from gpulanes.sizing.formula import compute
from gpulanes.sizing.inputs import require
from gpulanes.sizing.sized import Sized

Sharding = Literal["none", "zero1", "zero2", "zero3"]

STATES_SHARE = 0.5
"""Share of GPU memory that states may take when nothing else is known; the rest is for activations and buffers."""

_FORMULAS: dict[Sharding, str] = {
    "none": "16 * parameters / 2**30",
    "zero1": "(4 * parameters + 12 * parameters / data_parallel) / 2**30",
    "zero2": "(2 * parameters + 14 * parameters / data_parallel) / 2**30",
    "zero3": "16 * parameters / data_parallel / 2**30",
}


def model_states(parameters: float, sharding: Sharding, data_parallel: int) -> Sized:
    """Weights, gradients and optimiser state on one GPU, GiB; mixed-precision Adam, 2 + 2 + 12 bytes."""
    require(positive={"parameters": parameters, "data_parallel": data_parallel})
    return compute(
        _FORMULAS[sharding],
        "GiB",
        source="ZeRO, arXiv 1910.02054, Table 1 (K = 12)",
        note="without activations",
        parameters=parameters,
        **({} if sharding == "none" else {"data_parallel": data_parallel}),
    )


def gpus_for_states(parameters: float, gpu_memory_mib: float, states_share: float = STATES_SHARE) -> Sized:
    """The fewest GPUs whose memory holds fully sharded states in ``states_share`` of it."""
    require(positive={"parameters": parameters, "gpu_memory_mib": gpu_memory_mib}, share={"states_share": states_share})
    return compute(
        "ceil(16 * parameters / (gpu_memory_mib * 2**20 * states_share))",
        "GPUs",
        source="ZeRO stage 3 / FSDP, arXiv 1910.02054: 16 bytes per parameter over all GPUs",
        note="the rest of the memory is for activations",
        parameters=parameters,
        gpu_memory_mib=gpu_memory_mib,
        states_share=states_share,
    )


def checkpoint_size(parameters: float) -> Sized:
    """A full resumable checkpoint, bytes: bf16 weights, fp32 master weights and both Adam moments."""
    require(positive={"parameters": parameters})
    return compute(
        "14 * parameters",
        "bytes",
        source="14 bytes per parameter (MLPerf Storage v2 checkpoint sizes)",
        parameters=parameters,
    )
