"""Fleets that a careful person writes: every valid feature with every other, and nothing that a rule objects to."""

from typing import Any

from hypothesis import strategies as st

from builders import Data, merged

ZONES = ["us-east-1a", "us-east-1b", "us-east-1c"]
OWNED = ["on-demand", "reserved"]
RECLAIMED = [*OWNED, "spot", "capacity-block"]
BLOCK = 4
"""Nodes of every reservation; the nodes of a workload may need fewer or more."""

SERVED: list[Data] = [
    {"model": "llama-3.1-8b", "replica": {"gpus": 1}, "nodes": {"types": ["g6e.2xlarge"]}},
    {"model": "llama-3.1-8b", "replica": {"gpus": 1}, "nodes": {"types": ["g6e.2xlarge", "g6e.4xlarge"]}},
    {
        "model": {"name": "llama-3.1-70b", "dtype": "fp8"},
        "replica": {"gpus": 4},
        "nodes": {"types": ["g6e.12xlarge"]},
    },
    {
        "model": {"parameters": "8B", "layers": 32, "kv_heads": 8, "head_dim": 128, "hidden": 4096},
        "replica": {"gpus": 2, "context": 32_768},
        "nodes": {"types": ["p5.48xlarge"]},
    },
]
"""Models by name and by numbers, on GPUs that hold them."""

TRAINED: list[Data] = [
    {"model": "llama-3.1-8b", "nodes": {"types": ["p4d.24xlarge"]}, "cycle": {"tokens": "10B"}},
    {"model": {"parameters": "70.6B"}, "nodes": {"types": ["p5.48xlarge"]}, "cycle": {"tokens": "20B"}},
    {"model": {"parameters": "1B"}, "nodes": {"types": ["g6e.2xlarge"]}, "cycle": {"tokens": "1B"}},
]
"""From one node to several with a fabric."""


def _some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Data]:
    return st.fixed_dictionaries({}, optional=fields)


def _bought(draw: st.DrawFn, options: list[str]) -> Data:
    """One or two options in order, with the reservation that some of them need: one at most."""
    pairs = [[one] for one in options] + [[a, b] for a in options for b in options if a != b]
    capacity = draw(st.sampled_from([pair for pair in pairs if not {"reserved", "capacity-block"} <= set(pair)]))
    booked = {"nodes": BLOCK, "id": "cr-0a1b"}
    return {
        "capacity": capacity,
        "nodes": {"reservation": booked if {"reserved", "capacity-block"} & {*capacity} else None},
    }


def _counts(least: int) -> st.SearchStrategy[Data]:
    return st.sampled_from([{}, {}, {"count": least}, {"min": least, "max": 9}])


_provisioner = _some(provisioner=st.sampled_from(["node-group", "karpenter"]))


@st.composite
def served(draw: st.DrawFn) -> Data:
    """A served model over three zones: sized, or with counts that give every purchase option a node."""
    demand = _some(peak_factor=st.floats(1, 4), headroom=st.sampled_from(["0%", "25%", 1.0]), growth=st.just("0.4/min"))
    nodes = {**draw(_provisioner), **draw(_counts(3)), **draw(_some(survive=st.sampled_from(["1 zone", "2 nodes"])))}
    stated: Data = {
        "kind": "inference",
        "service_class": draw(st.sampled_from(["latency-critical", "standard", "best-effort"])),
        "demand": {"requests_per_second": draw(st.floats(0.001, 100)), **draw(demand)},
        "replica": draw(_some(requests_per_second=st.floats(0.1, 10), startup=st.sampled_from(["10s", "20m"]))),
        "slo": draw(_some(ttft_p99=st.just("2s"), availability=st.just("99.9%"))),
        "nodes": nodes,
    }
    return merged(merged(draw(st.sampled_from(SERVED)), stated), _bought(draw, OWNED))


@st.composite
def trained(draw: st.DrawFn) -> Data:
    """A programme in one zone, with checkpoints, on every kind of capacity, sized or counted."""
    stated: Data = {
        "kind": "training",
        "cycle": {"every": "30d", "deadline": "25d"},
        "checkpoint": draw(_some(interval=st.sampled_from(["auto", "20m"]), store=st.sampled_from(["hot", "archive"]))),
        "nodes": {**draw(_provisioner), **draw(_counts(1))},
        **draw(_some(longest_job=st.sampled_from(["90s", "2h", "20d"]))),
    }
    return merged(merged(draw(st.sampled_from(TRAINED)), stated), _bought(draw, RECLAIMED))


@st.composite
def scored(draw: st.DrawFn) -> Data:
    """A batch job on nodes of its own; in a Capacity Block they are in its zone."""
    stated: Data = {
        "kind": "batch",
        "gpus": draw(st.integers(1, 32)),
        "nodes": {"types": ["g6e.12xlarge"], "zones": ["us-east-1b"], **draw(_provisioner), **draw(_counts(1))},
        **draw(_some(window=st.just("22:00-06:00 UTC"))),
    }
    return merged(stated, _bought(draw, RECLAIMED))


_addons = _counts(2).map(lambda counts: {"kind": "system", "nodes": {"types": ["m7i.xlarge"], **counts}})
_environment = _some(
    cluster=st.sampled_from([{"kubernetes": "1.34"}, {"kubernetes": None, "existing": "shared"}]),
    maintenance=st.just({"inference": "Sun 03:00 +4h UTC", "training": "Wed 12:00 +4h UTC"}),
    budget=st.just({"inference": "1 USD/month"}),
    storage=_some(
        hot=_some(capacity=st.just("5TB"), throughput_per_tib=st.sampled_from([125, 1000]), efa=st.booleans()),
        archive=st.just({"after": "60d"}),
        serving=st.just({"kind": "object"}),
    ),
)


@st.composite
def sane_fleets(draw: st.DrawFn) -> tuple[dict[str, Data], Data]:
    """Workloads, and changes to the rest of the file; batch jobs borrow from a lane that is there and lends."""
    lanes = {"chat": served(), "rerank": served(), "pretrain": trained(), "tune": trained(), "score": scored()}
    names = draw(st.sets(st.sampled_from([*lanes, "addons"]), min_size=1))
    workloads = {name: draw(lanes.get(name, _addons)) for name in sorted(names)}
    mode = draw(st.sampled_from(["physical", "logical", "borrow-and-return"]))
    lenders = sorted({one["kind"] for one in workloads.values()} & {"inference", "training"})
    borrows: bool = draw(st.booleans())
    if borrows and lenders and mode == "borrow-and-return":
        workloads["nightly"] = {"kind": "batch", "borrow": draw(st.sampled_from(lenders)), "gpus": 4}
    return workloads, {"partition": {"mode": mode}, **draw(_environment)}
