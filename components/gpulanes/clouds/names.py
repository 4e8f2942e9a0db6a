"""Name prefixes for the resources that the AWS provider completes with a unique suffix."""

from gpulanes.plan.names import physical_name

SUFFIX = 26
"""Length of the time-and-counter suffix that the provider appends to a ``namePrefix``."""


def prefix(name: str, limit: int) -> str:
    """Return a name prefix ending in ``-`` that leaves room for the suffix inside ``limit``."""
    return physical_name((name,), limit - SUFFIX - 1) + "-"
