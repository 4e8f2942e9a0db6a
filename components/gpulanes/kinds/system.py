"""System pools: where add-ons run. No taint, so that charts need no tolerations; CPU types, so that no GPU idles."""

from gpulanes.kinds import disruption
from gpulanes.kinds.hardware import Hardware
from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.lane import Choices, complete
from gpulanes.kinds.pool import Pool


def pool(intent: PoolIntent, hardware: Hardware) -> Pool:
    """Complete the pool. A node group: Karpenter runs here, and cannot make the node it needs itself."""
    return complete(intent, hardware, Choices(provisioner="node-group", disruption=disruption.system()))
