"""Compute of a training run, the GPUs a deadline needs, and the time a given number takes."""

from gpulanes.catalog.gpus import Gpu
from gpulanes.sizing.formula import compute
from gpulanes.sizing.inputs import refuse, require
from gpulanes.sizing.sized import Sized

MFU = 0.4
"""Model FLOPs utilisation, dense models on NVLink with 50 GB/s per GPU between nodes: 0.35 to 0.45 published."""
CONSERVATIVE_MFU = 0.3
"""For small models or slower fabrics, whose published figures are far lower."""

_FLOPS = "6 FLOPs per parameter and token: 2 forward, 4 backward (Narayanan 2021)"


def training_flops(parameters: float, tokens: float) -> Sized:
    """FLOPs of a run. In a mixture of experts ``parameters`` are the active ones."""
    require(positive={"parameters": parameters, "tokens": tokens})
    return compute("6 * parameters * tokens", "FLOP", source=_FLOPS, parameters=parameters, tokens=tokens)


def peak_flops(gpu: Gpu, *, path: str = "nodes.types") -> float:
    """Dense bf16 peak of one GPU, FLOP/s.

    Raises:
        PlanError: ``gpu-speed-unknown`` where the catalogue has no figure.
    """
    if gpu.bf16_tflops is None:
        raise refuse(
            code="gpu-speed-unknown",
            path=path,
            value=gpu.name,
            allowed="an accelerator whose dense bf16 peak is established",
            fix="state node counts instead of a deadline, or a measured rate instead of an estimate",
        )
    return gpu.bf16_tflops * 1e12


def training_gpus(
    flops: float,
    deadline_seconds: float,
    gpu: Gpu,
    *,
    mfu: float = MFU,
    goodput: float = 1.0,
    path: str = "nodes.types",
) -> Sized:
    """GPUs that finish ``flops`` by the deadline; ``goodput`` is the share of time that makes progress."""
    require(
        positive={"flops": flops, "deadline_seconds": deadline_seconds},
        share={"mfu": mfu, "goodput": goodput},
    )
    return compute(
        "ceil(flops / (deadline_seconds * peak_flops * mfu * goodput))",
        "GPUs",
        source=f"{_FLOPS}; peak: {gpu.source}",
        note=gpu.note,
        flops=flops,
        deadline_seconds=deadline_seconds,
        peak_flops=peak_flops(gpu, path=path),
        mfu=mfu,
        goodput=goodput,
    )


def training_seconds(
    flops: float, gpus: int, gpu: Gpu, *, mfu: float = MFU, goodput: float = 1.0, path: str = "nodes.types"
) -> Sized:
    """How long ``gpus`` GPUs take, seconds."""
    require(positive={"flops": flops, "gpus": gpus}, share={"mfu": mfu, "goodput": goodput})
    return compute(
        "flops / (gpus * peak_flops * mfu * goodput)",
        "s",
        source=f"{_FLOPS}; peak: {gpu.source}",
        note=gpu.note,
        flops=flops,
        gpus=gpus,
        peak_flops=peak_flops(gpu, path=path),
        mfu=mfu,
        goodput=goodput,
    )


def training_nodes(gpus: int, gpus_per_node: int) -> Sized:
    """Whole nodes that hold ``gpus`` GPUs."""
    require(positive={"gpus": gpus, "gpus_per_node": gpus_per_node})
    return compute("ceil(gpus / gpus_per_node)", "nodes", source="whole nodes", gpus=gpus, gpus_per_node=gpus_per_node)
