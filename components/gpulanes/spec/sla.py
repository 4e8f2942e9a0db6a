"""Demand, service level and replica of a served model."""

from typing import Annotated, Literal

from pydantic import Field

from gpulanes.spec.base import Model
from gpulanes.units import Duration, Fraction, PerTime

ServiceClass = Literal["latency-critical", "standard", "best-effort"]


class Demand(Model):
    """Load on a served model: mean rate, peak over mean, headroom on top, growth of the rate."""

    requests_per_second: Annotated[float, Field(ge=0.001, le=1e6)]
    """Mean request rate."""
    peak_factor: Annotated[float, Field(ge=1, le=100)] = 1.5
    """Peak rate over mean rate, of one-minute means."""
    headroom: Fraction = Fraction(0.25)
    """Capacity on top of the peak."""
    growth: PerTime | None = None
    """How fast the load can rise: requests per second gained per time. Sizes what must be warm while nodes start."""


class Slo(Model):
    """Latency and availability objectives. ``ttft`` time to first token, ``tpot`` time per output token."""

    ttft_p99: Duration | None = None
    """Time to first token, 99th percentile."""
    tpot_p99: Duration | None = None
    """Time per output token, 99th percentile."""
    availability: Fraction | None = None
    """Share of the month in which the service answers; below 100%."""


class Replica(Model):
    """One replica: GPUs, rate inside the SLO (estimated when absent), context length, start-up time."""

    gpus: Annotated[int, Field(ge=1, le=64)]
    """GPUs of one replica."""
    requests_per_second: Annotated[float, Field(ge=0.001, le=1e5)] | None = None
    """Measured rate of one replica inside the SLO. Left out, it is estimated, and the plan says so."""
    context: Annotated[int, Field(ge=1, le=10_000_000)] = 8192
    """Longest sequence in tokens, prompt and answer."""
    concurrency: Annotated[int, Field(ge=1, le=100_000)] = 1
    """Sequences of that length that one replica must hold at once."""
    startup: Duration = Duration(300.0)
    """From a running node to a replica that answers."""
