"""From what was stated about a pool to the complete pool."""

from collections.abc import Callable, Iterator, Mapping

from gpulanes.catalog import Instance
from gpulanes.errors import CatalogError, Problem, SpecError
from gpulanes.kinds import batch, inference, system, training
from gpulanes.kinds.hardware import Hardware, find, mixed, shared, with_accelerator, without_gpu
from gpulanes.kinds.intent import PoolIntent
from gpulanes.kinds.invariants import broken
from gpulanes.kinds.pool import Kind, Pool
from gpulanes.kinds.priority import Priority

_COMPLETE: Mapping[Kind, Callable[[PoolIntent, Hardware], Pool]] = {
    "inference": inference.pool,
    "training": training.pool,
    "batch": batch.pool,
    "system": system.pool,
}

PRIORITIES: Mapping[Kind, Priority] = {
    "inference": inference.PRIORITY,
    "training": training.PRIORITY,
    "batch": batch.PRIORITY,
}
"""Rank of the pods of each lane; add-ons use the classes that Kubernetes brings."""


def build(intent: PoolIntent) -> Pool:
    """Turn an intent into a complete pool with its kind's defaults.

    Spot inference, a single zone or a minimum of zero build: the rules judge them.

    Raises:
        CatalogError: when every problem is a name the catalogue does not know.
        SpecError: for anything else that no pool can be. Both carry all problems, with the intent's own
            field names as paths (``instance_types[0]``, ``nodes``, ``zones``).
    """
    types, unknown = find(intent.instance_types)
    malformed = [*broken(intent), *_unfit(intent, types)]
    if malformed:
        raise SpecError([*unknown, *malformed])
    if unknown:
        raise CatalogError(unknown)
    return _COMPLETE[intent.kind](intent, shared(types))


def _unfit(intent: PoolIntent, types: list[Instance]) -> Iterator[Problem]:
    yield from mixed(types)
    yield from with_accelerator(types) if intent.kind == "system" else without_gpu(types)
    if intent.kind == "training":
        yield from training.broken(intent)
