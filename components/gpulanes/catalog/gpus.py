"""Speed of accelerators: what time estimates need."""

from dataclasses import dataclass
from datetime import date
from functools import cache

from gpulanes.catalog.hints import unknown
from gpulanes.catalog.rows import day, number, rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One accelerator model. ``None`` where a figure is not established.

    ``bf16_tflops`` is the dense peak (1e12 FLOP/s, never the doubled sparsity figure),
    ``memory_gb_per_s`` the peak memory bandwidth (1e9 B/s), ``power_w`` the limit of the GPU alone.
    """

    name: str
    bf16_tflops: float | None
    memory_gb_per_s: float | None
    power_w: float | None
    note: str
    source: str
    as_of: date


@cache
def gpus() -> dict[str, Gpu]:
    """Every accelerator model by the name that instance types use."""
    return {
        row["gpu"]: Gpu(
            name=row["gpu"],
            bf16_tflops=number(row, "bf16_tflops"),
            memory_gb_per_s=number(row, "memory_gb_per_s"),
            power_w=number(row, "power_w"),
            note=row["note"],
            source=row["source"],
            as_of=day(row["as_of"]),
        )
        for row in rows("gpus.csv")
    }


def gpu(name: str, *, path: str = "gpu") -> Gpu:
    """Look up an accelerator model by name.

    Raises:
        CatalogError: ``unknown-gpu``, with the nearest name.
    """
    found = gpus().get(name)
    if found is None:
        raise unknown(
            code="unknown-gpu",
            path=path,
            name=name,
            allowed=f"one of {', '.join(gpus())}",
            known=gpus(),
            otherwise="use an accelerator of the catalogue",
        )
    return found
