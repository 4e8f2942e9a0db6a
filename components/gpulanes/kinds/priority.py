"""The rank of a lane's pods."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Priority:
    """Value and preemption policy of a PriorityClass."""

    value: int
    preemption_policy: Literal["PreemptLowerPriority", "Never"]
