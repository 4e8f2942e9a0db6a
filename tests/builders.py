"""Small builders for tests: each gives a legal value and lets the test state only what it is about."""

from collections.abc import Mapping
from typing import Any

from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.pool import Kind, Nodes


def pool_intent(
    kind: Kind,
    *,
    types: tuple[str, ...] | None = None,
    zones: tuple[str, ...] | None = None,
    nodes: Nodes = Nodes(3, 3, 3),  # noqa: B008 - frozen
    tags: Mapping[str, str] | None = None,
    **stated: Any,  # noqa: ANN401 - the intent's own fields
) -> PoolIntent:
    """Return an intent that builds: GPU types for a lane, a CPU type for system, one zone for training."""
    default_types = ("m7i.xlarge",) if kind == "system" else ("g6e.12xlarge",)
    default_zones = ("us-east-1a",) if kind == "training" else ("us-east-1a", "us-east-1b", "us-east-1c")
    return PoolIntent(
        name=f"{kind}-pool",
        kind=kind,
        instance_types=default_types if types is None else types,
        zones=default_zones if zones is None else zones,
        nodes=nodes,
        tags={} if tags is None else tags,
        **stated,
    )
