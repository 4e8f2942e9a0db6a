"""Demand, service level and replica of a served model."""

from typing import Annotated, Literal

from pydantic import Field

from gpulanes.spec.base import Model
from gpulanes.units import Duration, Fraction, PerTime

ServiceClass = Literal["latency-critical", "standard", "best-effort"]


class Demand(Model):
    """Load on a served model: mean rate, peak over mean, headroom on top, growth of the rate."""

    requests_per_second: Annotated[float, Field(gt=0, le=1e6)]
    peak_factor: Annotated[float, Field(ge=1, le=100)] = 1.5
    headroom: Fraction = Fraction(0.25)
    growth: PerTime | None = None


class Slo(Model):
    """Latency and availability objectives. ``ttft`` time to first token, ``tpot`` time per output token."""

    ttft_p99: Duration | None = None
    tpot_p99: Duration | None = None
    availability: Fraction | None = None


class Replica(Model):
    """One replica: GPUs, its measured rate inside the SLO (estimated when absent), context length in tokens, start-up time."""

    gpus: Annotated[int, Field(ge=1, le=64)]
    requests_per_second: Annotated[float, Field(gt=0, le=1e5)] | None = None
    context: Annotated[int, Field(ge=1, le=10_000_000)] = 8192
    concurrency: Annotated[int, Field(ge=1, le=100_000)] = 1
    startup: Duration = Duration(300.0)
