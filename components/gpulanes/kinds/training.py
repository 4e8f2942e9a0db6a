"""Training pools: cheap, capped, gone when idle; preemptible and never preempting."""

from collections.abc import Iterator

from gpulanes.errors import Problem
from gpulanes.kinds import disruption
from gpulanes.kinds.hardware import Hardware
from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.lane import Choices, Placement, complete
from gpulanes.kinds.pool import Pool
from gpulanes.kinds.priority import Priority

PRIORITY = Priority(1_000, "Never")
MOST_UNAVAILABLE = 100
"""EKS refuses a node group's ``maxUnavailable`` above 100."""


def broken(intent: PoolIntent) -> Iterator[Problem]:
    """Yield what no training pool can be: fabric over several zones, Spot without checkpoints."""
    if intent.multi_node and len(intent.zones) > 1:
        yield Problem(
            code="fabric-zones",
            path="zones",
            value=", ".join(intent.zones),
            allowed="one zone: EFA and cluster placement groups do not reach across zones",
            fix=f"keep one zone, such as {intent.zones[0]}, or make one pool per zone",
        )
    if "spot" in intent.capacity and intent.checkpoint is None:
        yield Problem(
            code="spot-without-checkpoint",
            path="checkpoint",
            value="",
            allowed="a checkpoint store and interval: without them a reclaim loses the whole run",
            fix="add a checkpoint, or use on-demand capacity",
        )


def pool(intent: PoolIntent, hardware: Hardware) -> Pool:
    """Complete the pool."""
    choices = Choices(
        provisioner="karpenter",
        disruption=disruption.training(intent.window, intent.longest_job_seconds),
        placement=placement(intent),
        max_unavailable=min(MOST_UNAVAILABLE, max(1, intent.nodes.max // 3)),
    )
    return complete(intent, hardware, choices)


def placement(intent: PoolIntent) -> Placement:
    """Nodes of one job stand together; a reservation has its place already, and a group of ours would starve it."""
    if not intent.multi_node:
        return "none"
    return "cluster" if intent.reservation is None else "reservation"
