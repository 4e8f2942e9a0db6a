"""When two lanes are worth it, and when they are not; and what a partition yields."""

from dataclasses import dataclass
from typing import Literal

from gpulanes.sizing.formula import compute
from gpulanes.sizing.inputs import require
from gpulanes.sizing.sized import Sized

ONE_POOL_GPUS = 2
"""Up to here do not split: two halves of one erlang cost 33 to 50 % more than one pool (Erlang C, P(wait) ≤ 0.2)."""
LOGICAL_GPUS = 16
"""Up to here one pool with priorities: at 2 to 8 erlangs each a split still costs 14 to 33 %."""
BORROW_GPUS = 64
"""Above this a split costs 3 to 9 %, and idle peaks are large enough to lend."""
TRAINING_SHARE = 0.1
"""Below this share of GPU-hours training does not pay for a lane of its own."""
NODES_PER_POOL = 2
"""N + 1 on the smallest pool there is."""
OVERSIZE = 2.0
"""Two minimal pools may be this many times the demand."""

Code = Literal["do-not-split", "split-logical", "split-physical", "split-borrow"]


@dataclass(frozen=True, slots=True)
class SplitAdvice:
    """How to share GPUs. ``split`` false: one pool without lanes. ``text`` says why, for people."""

    code: Code
    split: bool
    text: str


def minimum_split(gpus_per_node: int) -> Sized:
    """GPUs of two minimal pools, each able to lose a node."""
    require(positive={"gpus_per_node": gpus_per_node})
    return compute(
        "2 * nodes_per_pool * gpus_per_node",
        "GPUs",
        source="whole nodes, two pools, N + 1",
        nodes_per_pool=NODES_PER_POOL,
        gpus_per_node=gpus_per_node,
    )


def split_advice(
    demand_gpus: float,
    *,
    latency_objective: bool = False,
    multi_node_training: bool = False,
    training_share: float | None = None,
    gpus_per_node: int = 1,
) -> SplitAdvice:
    """Whether to split ``demand_gpus`` into lanes, and how.

    ``latency_objective``: some served model promises a p99 time to first token. ``training_share``:
    training's part of the GPU-hours, if known.
    """
    require(non_negative={"demand_gpus": demand_gpus, "training_share": training_share or 0.0})
    if demand_gpus <= ONE_POOL_GPUS:
        return SplitAdvice("do-not-split", split=False, text=f"{demand_gpus:g} GPUs: two pools would idle half of them")
    if training_share is not None and training_share < TRAINING_SHARE:
        text = f"training takes {training_share:.0%} of the GPU-hours: it does not pay for a lane of its own"
        return SplitAdvice("do-not-split", split=False, text=text)
    smallest = minimum_split(gpus_per_node).count
    if smallest > OVERSIZE * demand_gpus:
        text = f"two pools of whole nodes with N + 1 are {smallest} GPUs, more than twice the {demand_gpus:g} needed"
        return SplitAdvice("do-not-split", split=False, text=text)
    if demand_gpus > BORROW_GPUS:
        text = f"{demand_gpus:g} GPUs: split, and lend what inference leaves idle"
        return SplitAdvice("split-borrow", split=True, text=text)
    if latency_objective or multi_node_training or demand_gpus > LOGICAL_GPUS:
        text = f"{demand_gpus:g} GPUs: two pools, so that neither lane can take the other's nodes"
        return SplitAdvice("split-physical", split=True, text=text)
    text = f"{demand_gpus:g} GPUs: one set of nodes with quotas and priorities"
    return SplitAdvice("split-logical", split=True, text=text)


def lendable_gpus(inference_gpus: float, steady_gpus: float, headroom: float, reserve_gpus: float) -> Sized:
    """GPUs that inference can lend at its steady load; none when the load takes all."""
    require(
        non_negative={
            "inference_gpus": inference_gpus,
            "steady_gpus": steady_gpus,
            "headroom": headroom,
            "reserve_gpus": reserve_gpus,
        }
    )
    return compute(
        "max(0, inference_gpus - (1 + headroom) * steady_gpus - reserve_gpus)",
        "GPUs",
        source="borrow-and-return: capacity less load with headroom less the reserve",
        inference_gpus=inference_gpus,
        steady_gpus=steady_gpus,
        headroom=headroom,
        reserve_gpus=reserve_gpus,
    )


def pool_utilisation(peak_factor: float, headroom: float, zone_factor: float = 1.0) -> Sized:
    """Mean utilisation of a pool sized for its peak; ``zone_factor`` is zones / (zones - lost zones)."""
    require(positive={"peak_factor": peak_factor, "zone_factor": zone_factor}, non_negative={"headroom": headroom})
    return compute(
        "1 / (peak_factor * (1 + headroom) * zone_factor)",
        "share",
        source="mean over what the peak, the headroom and the failover need",
        peak_factor=peak_factor,
        headroom=headroom,
        zone_factor=zone_factor,
    )
