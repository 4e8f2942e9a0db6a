"""Small builders for tests: each gives a legal value and lets the test state only what it is about."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from gpulanes.fleet import FleetSpec, load_bytes, load_data
from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.pool import Kind, Nodes
from gpulanes.plan import Plan, plan

STACKS = Path(__file__).resolve().parent.parent / "stacks"

Data = dict[str, Any]


def pool_intent(
    kind: Kind,
    *,
    types: tuple[str, ...] | None = None,
    zones: tuple[str, ...] | None = None,
    nodes: Nodes = Nodes(3, 3, 3),  # noqa: B008 - frozen
    tags: Mapping[str, str] | None = None,
    **stated: Any,  # noqa: ANN401 - the intent's own fields
) -> PoolIntent:
    """Return an intent that builds: GPU types for a lane, a CPU type for system, one zone for training."""
    default_types = ("m7i.xlarge",) if kind == "system" else ("g6e.12xlarge",)
    default_zones = ("us-east-1a",) if kind == "training" else ("us-east-1a", "us-east-1b", "us-east-1c")
    return PoolIntent(
        name=f"{kind}-pool",
        kind=kind,
        instance_types=default_types if types is None else types,
        zones=default_zones if zones is None else zones,
        nodes=nodes,
        tags={} if tags is None else tags,
        **stated,
    )


def merged(base: Data, changes: Mapping[str, Any]) -> Data:
    """Return ``base`` with ``changes``; mappings merge, and ``None`` removes the key."""
    found = dict(base)
    for key, value in changes.items():
        if value is None:
            found.pop(key, None)
        elif isinstance(value, Mapping):
            there = found.get(key)
            found[key] = merged(there if isinstance(there, dict) else {}, value)
        else:
            found[key] = value
    return found


def served(**changes: Any) -> Data:  # noqa: ANN401 - fields of the file
    """Return a served model that fits one GPU: five nodes at its peak with headroom."""
    base = {
        "kind": "inference",
        "model": "llama-3.1-8b",
        "demand": {"requests_per_second": 5, "peak_factor": 1.6, "headroom": "25%"},
        "replica": {"gpus": 1, "requests_per_second": 2},
        "nodes": {"types": ["g6e.2xlarge"]},
    }
    return merged(base, changes)


def programme(**changes: Any) -> Data:  # noqa: ANN401 - fields of the file
    """Return a training programme over several p5 nodes, on demand, with checkpoints."""
    base = {
        "kind": "training",
        "model": {"parameters": "70.6B"},
        "cycle": {"tokens": "50B", "every": "30d", "deadline": "14d"},
        "nodes": {"types": ["p5.48xlarge"]},
        "checkpoint": {"store": "hot"},
    }
    return merged(base, changes)


def scoring(**changes: Any) -> Data:  # noqa: ANN401 - fields of the file
    """Return a batch job that borrows from inference."""
    return merged({"kind": "batch", "borrow": "inference", "gpus": 2}, changes)


def fleet_data(workloads: Mapping[str, Data] | None = None, **changes: Any) -> Data:  # noqa: ANN401 - fields of the file
    """Return a whole fleet file as plain data; ``None`` removes a field."""
    base = {
        "fleet": "chat",
        "cloud": "aws",
        "region": "us-east-1",
        "zones": ["us-east-1a", "us-east-1b", "us-east-1c"],
        "cluster": {"kubernetes": "1.34"},
        "tags": {"environment": "test", "owner": "ml-platform", "cost-center": "4711"},
        "workloads": {"chat": served()} if workloads is None else dict(workloads),
        "storage": {"hot": {}, "archive": {}},
    }
    return merged(base, changes)


def fleet_spec(workloads: Mapping[str, Data] | None = None, **changes: Any) -> FleetSpec:  # noqa: ANN401
    """Return a fleet that loads; without workloads it serves one model."""
    return load_data(fleet_data(workloads, **changes))


def fleet_plan(workloads: Mapping[str, Data] | None = None, **changes: Any) -> Plan:  # noqa: ANN401
    """Return the plan of ``fleet_spec`` with the same arguments."""
    return plan(fleet_spec(workloads, **changes))


@cache
def stack_plan(environment: str) -> Plan:
    """Return the plan of a shipped fleet file."""
    file = STACKS / f"{environment}.yaml"
    return plan(load_bytes(file.read_bytes(), file=f"stacks/{file.name}"))


def prod_plan() -> Plan:
    """Return the plan of the shipped production file."""
    return stack_plan("prod")
