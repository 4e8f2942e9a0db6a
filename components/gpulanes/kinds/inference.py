"""Inference pools: what serves stays up. Wherever it runs, only empty or drifted nodes go, one at a time."""

from gpulanes.kinds import disruption
from gpulanes.kinds.hardware import Hardware
from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.lane import Choices, complete
from gpulanes.kinds.pool import Pool
from gpulanes.kinds.priority import Priority

PRIORITY = Priority(100_000, "PreemptLowerPriority")
"""Far above the other lanes, with room for ranks between; below the system classes (2 000 000 000)."""


def pool(intent: PoolIntent, hardware: Hardware) -> Pool:
    """Complete the pool. Never a cluster placement group: nodes that stand together fail together."""
    choices = Choices(
        provisioner="node-group",
        disruption=disruption.serving(intent.window),
        service_class=intent.service_class or "standard",
    )
    return complete(intent, hardware, choices)
