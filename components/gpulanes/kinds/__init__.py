"""The kinds of pool: what each is by default, and what none may be. No cloud in sight."""

from gpulanes.kinds.builder import PRIORITIES, build
from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.pool import Pool
from gpulanes.kinds.priority import Priority

__all__ = ["PRIORITIES", "Pool", "PoolIntent", "Priority", "build"]
