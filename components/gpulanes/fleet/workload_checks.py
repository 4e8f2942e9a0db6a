"""Semantic checks of workloads: names, nodes, models, cycles, checkpoints, borrowing."""

import re
from collections.abc import Callable, Iterator
from typing import get_args

from gpulanes.fleet.document import Document, Mistake
from gpulanes.spec.nodes import Capacity
from gpulanes.spec.workload import CheckpointSpec
from gpulanes.units import Amount, Duration, Fraction

LEAST = Amount(1e6)
"""The smallest language models that anybody trains have millions of parameters."""


def names(document: Document) -> Iterator[Mistake]:
    """Pools take the workload's name, and with several purchase options the option's after it."""
    workloads = document.mapping("workloads")
    if "system" in workloads and document.text("workloads", "system", "kind") not in ("system", ""):
        fix = "give the workload another name"
        yield Mistake("system-name", ("workloads", "system", "kind"), "kind system under this name", fix)
    for name in workloads:
        options = [text for _, text in document.texts_in("workloads", name, "capacity") if text in get_args(Capacity)]
        for option in options if len(options) > 1 else ():
            pool = f"{name}-{option}"
            if pool in workloads:
                allowed = f"another name: {name} makes a pool {pool} for its {option} capacity"
                yield Mistake("pool-name-clash", ("workloads", pool), allowed, "rename one of the two", value=pool)


def nodes(document: Document) -> Iterator[Mistake]:
    """Counts that can be, and a failure that leaves something standing."""
    for name in document.mapping("workloads"):
        path = ("workloads", name, "nodes")
        low, high = document.number(*path, "min"), document.number(*path, "max")
        if low is not None and high is not None and low > high:
            yield Mistake("min-over-max", (*path, "min"), f"at most max, {high:g}", "lower min, or raise max")
        lost = re.fullmatch(r"([1-9]) zones?", document.text(*path, "survive"))
        zones = list(document.texts_in(*path, "zones")) or list(document.texts_in("zones"))
        if lost and zones and int(lost[1]) >= len(zones):
            allowed = f"the loss of fewer zones than the {len(zones)} that the nodes have"
            yield Mistake("survive-zones", (*path, "survive"), allowed, "add zones, or survive nodes instead")


def shares(document: Document) -> Iterator[Mistake]:
    """Shares at the end of their scale that make a promise empty."""
    for name in document.mapping("workloads"):
        path = ("workloads", name, "slo", "availability")
        if document.unit(Fraction, *path) == Fraction(1.0):
            yield Mistake("full-availability", path, "below 100%", "promise what can be kept, such as 99.9%")
        path = ("workloads", name, "cycle", "mfu")
        if document.unit(Fraction, *path) == Fraction(0.0):
            yield Mistake("zero-mfu", path, "above 0%", "measure it, or leave it out for 40%")


def models(document: Document) -> Iterator[Mistake]:
    """Parts of a model that do not exceed the whole."""
    for name in document.mapping("workloads"):
        path = ("workloads", name, "model")
        active, whole = document.unit(Amount, *path, "active_parameters"), document.unit(Amount, *path, "parameters")
        if active and whole and active > whole:
            yield Mistake("active-parameters", (*path, "active_parameters"), f"at most {whole}", "swap or correct them")
        kv_heads, heads = document.number(*path, "kv_heads"), document.number(*path, "heads")
        if kv_heads is not None and heads is not None and kv_heads > heads:
            yield Mistake("kv-heads", (*path, "kv_heads"), f"at most heads, {heads:g}", "swap or correct them")


def amounts(document: Document) -> Iterator[Mistake]:
    """Parameters and tokens that no model has: the unit was forgotten."""
    for name in document.mapping("workloads"):
        for part, key in (("model", "parameters"), ("model", "active_parameters"), ("cycle", "tokens")):
            path = ("workloads", name, part, key)
            amount = document.unit(Amount, *path)
            if amount is not None and amount < LEAST:
                fix = f"write {amount.value:g}B if billions were meant"
                yield Mistake("amount-too-small", path, f"at least {LEAST}", fix)


def cycles(document: Document) -> Iterator[Mistake]:
    """A cycle ends before the next begins."""
    for name in document.mapping("workloads"):
        path = ("workloads", name, "cycle")
        deadline, every = document.unit(Duration, *path, "deadline"), document.unit(Duration, *path, "every")
        if deadline and every and deadline > every:
            fix = "shorten the deadline, or lengthen every"
            yield Mistake("deadline-after-cycle", (*path, "deadline"), f"at most every, {every}", fix)


def checkpoints(document: Document) -> Iterator[Mistake]:
    """Checkpoints have a place, and training advances between them."""
    for name in document.mapping("workloads"):
        path = ("workloads", name, "checkpoint")
        if not isinstance(document.at(*path), dict):
            continue
        store = document.at(*path, "store") or CheckpointSpec.model_fields["store"].default
        if store in ("hot", "archive") and store not in document.mapping("storage"):
            allowed = f"a tier that is there; storage.{store} is not"
            yield Mistake("checkpoint-tier", (*path, "store"), allowed, f"add storage.{store}", value=str(store))
        interval = document.unit(Duration, *path, "interval")
        save = document.unit(Duration, *path, "save_time") or CheckpointSpec.model_fields["save_time"].default
        if interval and interval <= save:
            fix = "lengthen the interval, or use auto"
            yield Mistake("checkpoint-interval", (*path, "interval"), f"longer than save_time, {save}", fix)


def borrowing(document: Document) -> Iterator[Mistake]:
    """What is borrowed exists and is lent."""
    workloads = document.mapping("workloads")
    kinds = {document.text("workloads", name, "kind") for name in workloads}
    lends = document.text("partition", "mode") == "borrow-and-return"
    for name in workloads:
        path = ("workloads", name, "borrow")
        lane = document.text(*path)
        if lane in ("inference", "training") and lane not in kinds:
            allowed = f"a lane that has workloads; none is of kind {lane}"
            yield Mistake("borrow-target", path, allowed, "borrow from the other lane, or give it nodes")
        elif lane and not lends and document.at("workloads", name, "nodes") is None:
            fix = "set partition.mode to borrow-and-return, or give the job nodes"
            yield Mistake("borrow-partition", path, "partition.mode borrow-and-return, or nodes of its own", fix)


WORKLOAD_CHECKS: tuple[Callable[[Document], Iterator[Mistake]], ...] = (
    names,
    nodes,
    shares,
    models,
    amounts,
    cycles,
    checkpoints,
    borrowing,
)
