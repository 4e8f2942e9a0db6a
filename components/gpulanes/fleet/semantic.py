"""What a JSON Schema cannot say: every check here has a code of its own, and the codes are a closed list."""

from collections.abc import Callable, Iterator

from gpulanes.fleet.document import Document, Mistake
from gpulanes.fleet.fleet_checks import FLEET_CHECKS
from gpulanes.fleet.workload_checks import WORKLOAD_CHECKS

SEMANTIC_CODES: dict[str, str] = {
    "unit-range": "a quantity with its unit is well formed, but outside what can be",
    "whole-number": "a whole number is written with a decimal point (4.0), which JSON Schema cannot tell from 4",
    "zone-outside-region": "a zone does not belong to the fleet's region",
    "zone-not-in-fleet": "nodes or storage name a zone that the fleet's zones do not list",
    "names-too-long": "fleet and environment together exceed 40 characters, and every name starts with both",
    "windows-overlap": "the maintenance windows of the lanes overlap, so both could lose nodes at once",
    "export-without-archive": "hot storage is told to export to an archive tier that is not there",
    "system-name": "a workload named system is of another kind; that name belongs to the pool of add-ons",
    "pool-name-clash": "a workload's pool for one purchase option has the name of another workload",
    "min-over-max": "nodes.min exceeds nodes.max",
    "survive-zones": "the nodes must survive the loss of as many zones as they have, or more",
    "full-availability": "an availability of 100% can be promised by nobody",
    "zero-mfu": "a model FLOPs utilisation of 0% never finishes",
    "amount-too-small": "a model has fewer than a million parameters, or is trained on fewer tokens",
    "active-parameters": "a model uses more parameters per token than it has",
    "kv-heads": "a model has more key and value heads than attention heads",
    "deadline-after-cycle": "the deadline of a training cycle lies beyond the start of the next one",
    "checkpoint-tier": "checkpoints go to a storage tier that is not there",
    "checkpoint-interval": "the work between two saves is shorter than a save",
    "borrow-target": "a batch job borrows from a lane that has no workload",
    "borrow-partition": "a batch job only borrows, but the partition mode lends nothing",
}
"""Codes of what the published schema accepts and the loader still refuses."""

_CHECKS: tuple[Callable[[Document], Iterator[Mistake]], ...] = (*FLEET_CHECKS, *WORKLOAD_CHECKS)


def semantic_mistakes(document: Document) -> Iterator[Mistake]:
    """Run every check; each reads what is there and is silent about what is not."""
    for check in _CHECKS:
        yield from check(document)
