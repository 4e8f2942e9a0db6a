"""What every pool must meet, whatever its kind. Paths name the intent's own fields."""

from collections.abc import Iterator

from gpulanes.errors import Problem
from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.pool import Pool

_RESERVED = ("reserved", "capacity-block")
_HEAVIEST = 100
"""Karpenter takes weights from 1 to 100, and 0 here leaves it out."""


def broken(intent: PoolIntent) -> Iterator[Problem]:
    """Yield one problem for each invariant that the intent does not meet."""
    yield from _lists(intent)
    yield from _counts(intent)
    yield from _reservation(intent)


def _lists(intent: PoolIntent) -> Iterator[Problem]:
    if not intent.instance_types:
        yield Problem("no-types", "instance_types", "", "at least one instance type", "name the type to use")
    if not intent.zones:
        yield Problem("no-zones", "zones", "", "at least one zone", "name the zones the pool may use")
    if len(set(intent.zones)) < len(intent.zones):
        yield Problem("repeated-zone", "zones", ", ".join(intent.zones), "each zone once", "drop the repeated zone")
    if len(intent.capacity) != 1:
        yield Problem(
            code="capacity-options",
            path="capacity",
            value=", ".join(intent.capacity),
            allowed="exactly one capacity option: inside one pool their order is fixed by the provisioner",
            fix="make one pool per option and order them with weight",
        )


def _counts(intent: PoolIntent) -> Iterator[Problem]:
    nodes = intent.nodes
    if not 0 <= nodes.min <= nodes.desired <= nodes.max:
        yield Problem(
            code="node-counts",
            path="nodes",
            value=f"min {nodes.min}, desired {nodes.desired}, max {nodes.max}",
            allowed="0 <= min <= desired <= max",
            fix="raise max or lower min",
        )
    if nodes.max < 1:
        yield Problem("no-nodes", "nodes.max", str(nodes.max), "at least 1", "give the pool room for a node")
    if not 0 <= intent.weight <= _HEAVIEST:
        yield Problem("weight", "weight", str(intent.weight), f"0 to {_HEAVIEST}", "choose a weight in this range")


def _reservation(intent: PoolIntent) -> Iterator[Problem]:
    wanted = any(option in _RESERVED for option in intent.capacity)
    if wanted and intent.reservation is None:
        yield Problem(
            code="reservation-missing",
            path="reservation",
            value="",
            allowed=f"{' or '.join(_RESERVED)} capacity needs a reservation to draw on",
            fix="give the reservation's id or tags and how many nodes it holds",
        )


def beyond_node_group(pool: Pool) -> Iterator[Problem]:
    """Yield what a node group cannot do, though Karpenter can; nothing for a pool of Karpenter's."""
    if pool.provisioner != "node-group":
        return
    if pool.reservation is not None and not pool.reservation.id:
        yield Problem(
            code="reservation-id",
            path="reservation",
            value=", ".join(f"{key}={value}" for key, value in pool.reservation.tags.items()),
            allowed="the id of a reservation: a node group cannot find one by its tags",
            fix="give the id (cr-…), or use the provisioner karpenter",
        )
    if "capacity-block" in pool.capacity:
        yield from _one("instance_types", pool.instance_types)
        yield from _one("zones", pool.zones)


def _one(path: str, names: tuple[str, ...]) -> Iterator[Problem]:
    if len(names) != 1:
        allowed = "one: a node group in a Capacity Block has the type and the zone of the block"
        yield Problem("capacity-block", path, ", ".join(names), allowed, "name that of the block alone")
