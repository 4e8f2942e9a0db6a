"""Hypothesis strategies: fleets that the loader accepts, and what carelessness makes of them."""

import copy
from typing import Any

from hypothesis import strategies as st

REGION = "eu-west-1"
ZONES = [f"{REGION}{letter}" for letter in "abc"]

Data = dict[str, Any]

_names = st.from_regex(r"[a-z]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True).filter(lambda name: name != "system")
_durations = st.sampled_from(["2s", "90s", "5m", "4h", "1.5h", "30d", "2w"])
_shares = st.sampled_from(["25%", "99.9%", 0.5, 0.25])
_budgets = st.integers(1, 10**6).map(lambda usd: f"{usd} USD/month")


def _optional(required: dict[str, Any], **optional: Any) -> st.SearchStrategy[Data]:  # noqa: ANN401 - strategies of any value
    return st.fixed_dictionaries(required, optional=optional)


def nodes() -> st.SearchStrategy[Data]:
    """Nodes without a reservation, of fixed size or of a range, or left to be sized."""
    types = st.lists(st.sampled_from(["p5.48xlarge", "g6e.12xlarge", "g6e.48xlarge"]), min_size=1, unique=True)
    sizes: list[Data] = [{}, {"count": 2}, {"min": 1, "max": 4}]
    free = _optional(
        {"types": types},
        provisioner=st.sampled_from(["node-group", "karpenter"]),
        survive=st.sampled_from(["1 node", "nothing"]),
        zones=st.lists(st.sampled_from(ZONES), min_size=1, unique=True),
        spares=st.sampled_from(["auto", 0, 2]),
        disk_gib=st.integers(50, 1000),
    )
    return st.builds(lambda one, size: {**one, **size}, free, st.sampled_from(sizes))


def _buying(*options: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(options), min_size=1, unique=True)


def _shape() -> st.SearchStrategy[Data]:
    return _optional(
        {"parameters": st.sampled_from(["70.6B", 8e9, "1.5T"])},
        layers=st.just(80),
        kv_heads=st.just(8),
        head_dim=st.just(128),
        dtype=st.sampled_from(["bf16", "fp8"]),
    )


_named = st.just("llama-3.1-70b") | st.just({"name": "llama-3.1-70b", "dtype": "fp8"})


def inference() -> st.SearchStrategy[Data]:
    """A served model, named in the catalogue."""
    return _optional(
        {
            "kind": st.just("inference"),
            "model": _named,
            "demand": _optional(
                {"requests_per_second": st.floats(0.1, 1000)}, headroom=_shares, growth=st.just("0.4/min")
            ),
            "replica": _optional(
                {"gpus": st.integers(1, 8)}, requests_per_second=st.integers(1, 9), startup=_durations
            ),
            "nodes": nodes(),
        },
        service_class=st.sampled_from(["latency-critical", "standard", "best-effort"]),
        slo=_optional({}, ttft_p99=_durations, availability=_shares),
        capacity=_buying("on-demand", "spot"),
        overrides=_optional(
            {}, gpu_limit=st.booleans(), priority=st.integers(-5, 5), labels=st.just({"workload": "x"})
        ),
    )


def training() -> st.SearchStrategy[Data]:
    """A training programme with a cycle, on Spot with a checkpoint."""
    cycle = {"tokens": "200B", "every": "30d", "deadline": "14d"}
    return _optional(
        {
            "kind": st.just("training"),
            "model": _named | _shape(),
            "cycle": st.just(cycle) | st.just({**cycle, "mfu": "35%"}),
            "nodes": nodes(),
            "checkpoint": _optional(
                {}, interval=st.sampled_from(["auto", "20m"]), store=st.sampled_from(["hot", "archive"])
            ),
        },
        capacity=_buying("on-demand", "spot"),
        longest_job=_durations,
    )


def batch() -> st.SearchStrategy[Data]:
    """Batch inference on nodes of its own."""
    return _optional(
        {"kind": st.just("batch"), "nodes": nodes(), "gpus": st.integers(1, 64)}, window=st.just("22:00-06:00 UTC")
    )


def system() -> st.SearchStrategy[Data]:
    """The pool of add-ons."""
    return st.fixed_dictionaries({"kind": st.just("system"), "nodes": nodes()})


def _workloads() -> st.SearchStrategy[Data]:
    one = inference() | training() | batch() | system()
    distinct = st.dictionaries(_names, one, min_size=1, max_size=4)
    return distinct.filter(
        lambda found: not any(f"{name}-{option}" in found for name in found for option in ("spot", "on-demand"))
    )


def documents() -> st.SearchStrategy[Data]:
    """Fleets that the loader accepts."""
    return _optional(
        {
            "fleet": _names,
            "cloud": st.just("aws"),
            "region": st.just(REGION),
            "zones": st.just(ZONES),
            "cluster": st.sampled_from([{"kubernetes": "1.34"}, {"existing": "shared"}]),
            "tags": _optional(
                {"environment": st.sampled_from(["dev", "prod"])},
                owner=st.just("ml"),
                **{"cost-center": st.just("4711")},
            ),
            "workloads": _workloads(),
            "storage": _optional(
                {"hot": _optional({}, capacity=st.just("4800GiB"), export=st.booleans()), "archive": st.just({})},
                serving=st.just({"kind": "object"}),
            ),
        },
        partition=_optional(
            {}, mode=st.sampled_from(["physical", "logical", "borrow-and-return"]), reserve=st.just("2 nodes")
        ),
        maintenance=st.just({"inference": "Sun 03:00 +4h UTC", "training": "Wed 12:00 +4h UTC"}),
        budget=_optional({}, inference=_budgets, training=_budgets),
    )


_junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([10**30, -1e300, 4.0, 0.5, 1e308, 65, 1001, 10_001, -(10**10)]),
    st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="\x7f"), max_size=8),
    st.sampled_from(
        ["5x", "3651d", "0s", "300%", "-1GiB", "reserved", "capacity-block", "spot", "inference", "5 zones"]
    ),
    st.sampled_from([[], {}, [None], ["spot", "spot"], {"a": 1}, {"id": "cr-1", "nodes": 1}, [[1]], {"kind": "batch"}]),
)


@st.composite
def mutated(draw: st.DrawFn) -> Data:
    """A fleet with one to three careless changes: something dropped, renamed, doubled, added or replaced by junk."""
    document = copy.deepcopy(draw(documents()))
    for _ in range(draw(st.integers(1, 3))):
        _mutate(draw, document)
    return document


def _mutate(draw: st.DrawFn, document: Data) -> None:
    around = draw(st.sampled_from([*_containers(document)][::-1]))  # the inner ones first, where the limits are
    if isinstance(around, list):
        position = draw(st.integers(0, len(around)))
        around[position : position + draw(st.integers(0, 1))] = [draw(_junk | st.sampled_from([*around, "x"]))]
        return
    known = [
        "tags",
        "nodes",
        "reservation",
        "count",
        "min",
        "max",
        "borrow",
        "capacity",
        "checkpoint",
        "kubernetes",
        "name",
        "é",
    ]
    key = draw(st.sampled_from([*around, *known]))
    action = draw(st.sampled_from(["drop", "rename", "replace"]))
    value = around.pop(key, None)
    if action == "rename":
        around[draw(st.sampled_from([f"{key}s", key.upper(), "workload", "kind"]))] = value
    elif action == "replace":
        around[key] = draw(_junk)


def _containers(value: Any) -> Any:  # noqa: ANN401 - plain data
    if isinstance(value, dict | list):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from _containers(item)
