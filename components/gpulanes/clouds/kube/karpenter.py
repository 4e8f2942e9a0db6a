"""The Karpenter NodePool of a pool; the node class it refers to belongs to the cloud."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpulanes.kinds.pool import GPU_RESOURCE, Budget, Disruption, Pool, Taint

Manifest = dict[str, Any]

CAPACITY_TYPES: Mapping[str, str] = {
    "on-demand": "on-demand",
    "spot": "spot",
    "reserved": "reserved",
    "capacity-block": "reserved",  # Karpenter launches a Capacity Block as reserved capacity
}
ARCHITECTURES: Mapping[str, str] = {"x86_64": "amd64", "arm64": "arm64"}


@dataclass(frozen=True, slots=True)
class NodeClassRef:
    """The node class of a NodePool: API group, kind and name."""

    group: str
    kind: str
    name: str


def node_pool(pool: Pool, name: str, node_class: NodeClassRef, labels: Mapping[str, str]) -> Manifest:
    """Return the NodePool; every field that has a harmful default is written out.

    Raises ValueError for a pool without a disruption policy: Karpenter's own defaults consolidate at once.
    """
    if pool.disruption is None:
        message = f"pool {pool.name} has no disruption policy, and Karpenter's default would consolidate its nodes"
        raise ValueError(message)
    spec: Manifest = {
        "template": _template(pool, pool.disruption, node_class),
        "disruption": _disruption(pool.disruption),
    }
    if pool.capped:
        spec["limits"] = _limits(pool)
    if pool.weight:
        spec["weight"] = pool.weight
    metadata = {"name": name, "labels": dict(labels)}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": metadata, "spec": spec}


def _template(pool: Pool, disruption: Disruption, node_class: NodeClassRef) -> Manifest:
    spec: Manifest = {
        "nodeClassRef": {"group": node_class.group, "kind": node_class.kind, "name": node_class.name},
        "requirements": [
            _requirement("node.kubernetes.io/instance-type", pool.instance_types),
            # Never left out: without it Karpenter may buy all three, and buys Spot before on-demand.
            _requirement("karpenter.sh/capacity-type", sorted({CAPACITY_TYPES[item] for item in pool.capacity})),
            _requirement("topology.kubernetes.io/zone", pool.zones),
            _requirement("kubernetes.io/arch", [ARCHITECTURES[pool.architecture]]),
        ],
        "expireAfter": disruption.expire_after,
    }
    if pool.taints:
        spec["taints"] = [_taint(taint) for taint in pool.taints]
    if disruption.termination_grace_period:
        spec["terminationGracePeriod"] = disruption.termination_grace_period
    return {"metadata": {"labels": dict(pool.labels)}, "spec": spec}


def _taint(taint: Taint) -> Manifest:
    value = {"value": taint.value} if taint.value else {}
    return {"key": taint.key, **value, "effect": taint.effect}


def _requirement(key: str, values: "tuple[str, ...] | list[str]") -> Manifest:
    return {"key": key, "operator": "In", "values": list(values)}


def _disruption(disruption: Disruption) -> Manifest:
    return {
        "consolidationPolicy": disruption.consolidation_policy,
        "consolidateAfter": disruption.consolidate_after,
        "budgets": [_budget(budget) for budget in disruption.budgets],
    }


def _budget(budget: Budget) -> Manifest:
    rendered: Manifest = {"nodes": budget.nodes}
    if budget.reasons:
        rendered["reasons"] = list(budget.reasons)
    if budget.schedule:
        rendered |= {"schedule": budget.schedule, "duration": budget.duration}
    return rendered


def _limits(pool: Pool) -> Manifest:
    """GPUs are the cap that binds; nodes caps pools without GPUs and is a second stop for the others."""
    limits = {"nodes": str(pool.nodes.max)}
    return {GPU_RESOURCE: str(pool.max_gpus), **limits} if pool.max_gpus else limits
