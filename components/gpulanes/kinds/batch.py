"""Batch pools: work that can start again. First to go on borrowed inference capacity, so it ranks below training."""

from gpulanes.kinds import disruption
from gpulanes.kinds.hardware import Hardware
from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.lane import Choices, complete
from gpulanes.kinds.pool import Pool
from gpulanes.kinds.priority import Priority

PRIORITY = Priority(100, "Never")


def pool(intent: PoolIntent, hardware: Hardware) -> Pool:
    """Complete the pool."""
    return complete(intent, hardware, Choices(provisioner="karpenter", disruption=disruption.batch()))
