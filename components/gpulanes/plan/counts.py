"""Counts that the user states, and what may fail without breaking the promise."""

from dataclasses import dataclass, field

from gpulanes.kinds.pool import Nodes, ServiceClass
from gpulanes.spec.nodes import NodesSpec

MOST_NODES = 10_000
"""What a file may state is what a plan may size: beyond it a number is a slip, not a fleet."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What a served workload survives: zones or nodes. ``strict`` keeps the headroom while it lasts."""

    zones: int
    nodes: int
    strict: bool = field(kw_only=True)

    def __str__(self) -> str:
        """Print as the file says it: ``1 zone``, ``2 nodes``, ``nothing``."""
        count, unit = (self.zones, "zone") if self.zones else (self.nodes, "node")
        return "nothing" if not count else f"{count} {unit}{'s' if count > 1 else ''}"


def stated(nodes: NodesSpec) -> Nodes | None:
    """Return the counts that the file fixes, or ``None`` when the nodes are to be sized."""
    if nodes.count is not None:
        return Nodes(nodes.count, nodes.count, nodes.count)
    if nodes.min is not None and nodes.max is not None:
        return Nodes(nodes.min, nodes.min, nodes.max)
    return None


def stated_while_busy(nodes: NodesSpec) -> Nodes | None:
    """Return the stated counts of nodes that come for work and go after it; ``None`` when they are to be sized.

    Karpenter makes nodes for pods and holds none: what is stated is its cap. A node group is held at the minimum.
    """
    given = stated(nodes)
    return given if given is None or nodes.provisioner == "node-group" else Nodes(0, 0, given.max)


def loss(survive: str | None, service_class: ServiceClass, zones: int) -> Loss:
    """Return what must be survived; left out, the service class decides.

    Best effort survives nothing. The others survive a zone where there are two, else a node. A critical
    service keeps its headroom meanwhile: growth and failure may come together.
    """
    strict = service_class == "latency-critical"
    if survive is None:
        if service_class == "best-effort":
            return Loss(0, 0, strict=strict)
        return Loss(1, 0, strict=strict) if zones > 1 else Loss(0, 1, strict=strict)
    count, _, unit = survive.partition(" ")
    if unit.startswith("zone"):
        return Loss(int(count), 0, strict=strict)
    return Loss(0, int(count) if unit else 0, strict=strict)
