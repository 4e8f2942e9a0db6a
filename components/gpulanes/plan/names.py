"""Every physical name is built here, inside the length limit of the thing it names."""

from collections.abc import Sequence
from hashlib import sha256

KUBERNETES_NAME = 63
"""Kubernetes allows 253 characters for many kinds, but names of queues and flavors become label values (63)."""

FILE_SYSTEM_NAME = 100
BUCKET_NAME = 63 - 8
"""S3 allows 63; eight are left for the random suffix that makes the name unique in the world."""

_HASH = 8


def physical_name(parts: Sequence[str], limit: int) -> str:
    """Join ``parts`` with hyphens; a name longer than ``limit`` is cut and ends with a hash of the whole.

    Short names come out unchanged, equal parts give equal names on every run, and two long names that
    differ only at the end stay different. Raises ValueError when ``limit`` leaves no room for a hash.
    """
    if limit < 2 * _HASH:
        message = f"a limit of {limit} characters leaves no room for a readable name and its hash"
        raise ValueError(message)
    name = "-".join(part for part in parts if part)
    if len(name) <= limit:
        return name
    digest = sha256("\0".join(parts).encode()).hexdigest()[:_HASH]
    return f"{name[: limit - _HASH - 1].rstrip('-')}-{digest}"


def stack_name(fleet: str, environment: str) -> str:
    """Return the name of a fleet in its environment, the prefix of every name."""
    return physical_name([fleet, environment], KUBERNETES_NAME)
