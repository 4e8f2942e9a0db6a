"""What is rendered against what was declared: a child takes what it does not know, and may differ in nothing."""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

from gpulanes.facts.model import Mismatch, PoolFacts, Taint
from gpulanes.facts.unknown import UNKNOWN, Fact, Unknown
from gpulanes.kinds.pool import Budget

_IDENTITY = ("kind", "service_class", "accelerated")


def with_declared(rendered: PoolFacts, declared: PoolFacts) -> PoolFacts:
    """Return the rendered pool under its declared identity, with the declared value wherever its own is unknown.

    Ids of subnets, images and templates are not known at the first preview; zones, types and market
    were declared as plain values, and they are what will be rendered.
    """
    taken: dict[str, object] = {}
    for field in fields(PoolFacts):
        own, said = getattr(rendered, field.name), getattr(declared, field.name)
        if not isinstance(own, Fact) or not isinstance(said, Fact):
            continue
        if not own.known or (field.name in _IDENTITY and said.known):
            taken[field.name] = Fact(own.path or said.path, said.value, given=said.given)
    if not rendered.min_nodes.given:
        taken["min_nodes"] = declared.min_nodes
        taken["max_nodes"] = declared.max_nodes
    tags = {name: fact for name, fact in rendered.instance_tags.items() if fact.known}
    return replace(
        rendered,
        name=declared.name,
        target=declared.target,
        origin="declared",
        instance_tags=tags,
        warm_nodes=declared.warm_nodes,
        workloads=declared.workloads,
        **taken,  # type: ignore[arg-type] # each value comes from the field of that name
    )


def mismatches(rendered: PoolFacts, declared: PoolFacts) -> Iterator[Mismatch]:
    """Yield every guarded field that is rendered with another value than declared.

    What may come from another resource differs from nothing while it is not known; of what never
    does, a value that is not known cannot be compared.
    """
    for name, shown in _compared(declared.provisioner).items():
        own, said = getattr(rendered, name), getattr(declared, name)
        if own.known and said.known:
            if shown(own.value) != shown(said.value):
                text = shown(own.value) if own.given else f"absent, which means {shown(own.value)}"
                yield Mismatch(declared.target, Fact(own.path, text), shown(said.value), rendered.place)
        elif name not in _LATE:
            yield _incomparable(rendered, declared, own if said.known else said)
    yield from _labels(rendered, declared)


def _incomparable(rendered: PoolFacts, declared: PoolFacts, unknown: Fact[Any]) -> Mismatch:
    return Mismatch(declared.target, Fact(unknown.path, UNKNOWN), "", rendered.place)


def _labels(rendered: PoolFacts, declared: PoolFacts) -> Iterator[Mismatch]:
    """Labels may be added on the way, never lost or changed."""
    for one in (rendered.labels, declared.labels):
        if not one.known:
            yield _incomparable(rendered, declared, one)
            return
    for key, value in declared.labels.get().items():
        found = rendered.labels.get().get(key, "")
        if isinstance(value, Unknown):
            yield _incomparable(rendered, declared, Fact(f"{declared.labels.path}[{key}]", UNKNOWN))
        elif found != value:
            yield Mismatch(declared.target, Fact(f"{rendered.labels.path}[{key}]", found), value, rendered.place)


def _text(value: object) -> str:
    return str(value)


def _capped(value: object) -> str:
    return "a limit" if value else "no limit"


def _sorted(values: tuple[str, ...]) -> str:
    return ", ".join(sorted(values))


def _taints(taints: tuple[Taint, ...]) -> str:
    return _sorted(tuple(f"{taint.key}={taint.value}:{taint.effect}" for taint in taints))


def _budgets(budgets: tuple[Budget, ...]) -> str:
    parts = ((b.nodes, "/".join(sorted(b.reasons)), b.schedule, b.duration) for b in budgets)
    return _sorted(tuple(" ".join(filter(None, part)) for part in parts))


def _node_group_capacity(values: tuple[str, ...]) -> str:
    """A reservation is a launch template's business: the group itself says ON_DEMAND."""
    return _sorted(tuple("on-demand" if value == "reserved" else value for value in values))


def _node_pool_capacity(values: tuple[str, ...]) -> str:
    """Karpenter calls a Capacity Block reserved capacity."""
    return _sorted(tuple("reserved" if value == "capacity-block" else value for value in values))


_Shown = Callable[..., str]
_LATE = ("types", "zones", "ami_type")
"""Fields that subnets, images or launch templates decide, whose ids are not known at the first preview."""
_BOTH: dict[str, _Shown] = {"types": _sorted, "zones": _sorted, "taints": _taints, "capped": _capped}
_NODE_GROUP: dict[str, _Shown] = {
    "capacity": _node_group_capacity,
    "min_nodes": _text,
    "max_nodes": _text,
    "ami_type": _text,
}
_NODE_POOL: dict[str, _Shown] = {
    "capacity": _node_pool_capacity,
    "consolidation_policy": _text,
    "consolidate_after": _text,
    "budgets": _budgets,
    "expire_after": _text,
}


def _compared(provisioner: str) -> dict[str, _Shown]:
    return {**_BOTH, **(_NODE_GROUP if provisioner == "node-group" else _NODE_POOL)}
