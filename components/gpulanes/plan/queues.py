"""Kueue's flavors and quotas in the three partition modes.

Every mode keeps the cohort, the queues and each lane's flavors, and changes limits only, so that a
switch is an edit in place. Limits are always numbers: an absent one means unlimited to Kueue.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from gpulanes.kinds import lane
from gpulanes.kinds.pool import LANE_KEY, LANES, Kind, Pool
from gpulanes.plan.draft import Draft
from gpulanes.plan.model import FlavorPlan, Mode, QueuePlan, QuotaPlan
from gpulanes.plan.names import KUBERNETES_NAME, physical_name
from gpulanes.spec.workload import BatchWorkload


@dataclass(frozen=True, slots=True)
class Share:
    """One flavor with the GPUs behind it."""

    flavor: FlavorPlan
    gpus: int
    accelerator: str


@dataclass(frozen=True, slots=True)
class Sharing:
    """What decides the quotas: the mode, each lane's shares, what inference lends, and who borrows from whom."""

    mode: Mode
    shares: Mapping[Kind, list[Share]]
    lent: Mapping[str, int]
    batch_from: frozenset[Kind]

    def quotas(self, kind: Kind) -> Iterator[QuotaPlan]:
        """Yield a lane's own flavors, then those it may borrow; order is preference."""
        for share in self.shares[kind]:
            yield QuotaPlan(share.flavor.name, share.gpus, 0, self.lending(kind, share))
        for share, limit in self.borrowed(kind):
            yield QuotaPlan(share.flavor.name, 0, limit, 0)

    def lending(self, kind: Kind, share: Share) -> int:
        """Return the GPUs of a lane's own flavor that others may borrow."""
        if self.mode != "borrow-and-return":
            return 0
        if kind == "inference":
            return self.lent[share.flavor.name]
        return share.gpus if kind == "training" and "training" in self.batch_from else 0

    def borrowed(self, kind: Kind) -> Iterator[tuple[Share, int]]:
        """Yield the other lanes' flavors that a lane lists, with the limit on each."""
        if self.mode == "logical":
            yield from ((share, 0) for share in self.across(kind) if not share.flavor.spot)
        elif self.mode == "borrow-and-return" and kind == "training":
            own = {share.accelerator for share in self.shares["training"]}
            yield from (
                (share, self.lent[share.flavor.name]) for share in self.shares["inference"] if share.accelerator in own
            )
        elif self.mode == "borrow-and-return" and kind == "batch":
            for lender in sorted(self.batch_from):
                yield from ((share, self.lending(lender, share)) for share in self.shares[lender])

    def across(self, kind: Kind) -> Iterator[Share]:
        """Yield the other of the two lanes' flavors."""
        other: Mapping[Kind, Kind] = {"inference": "training", "training": "inference"}
        if kind in other:
            yield from self.shares[other[kind]]


def flavors(draft: Draft) -> None:
    """Make one flavor per lane, accelerator and capacity type."""
    for kind in LANES:
        draft.flavors.extend(share.flavor for share in shares(draft, kind))


def queues(draft: Draft) -> None:
    """Make one ClusterQueue per lane that has work."""
    sharing = sharing_of(draft)
    cohort = physical_name([draft.stack, "gpu"], KUBERNETES_NAME)
    for kind in LANES:
        quotas = tuple(sharing.quotas(kind))
        if quotas:
            draft.queues.append(
                QueuePlan(
                    name=lane_name(draft, kind),
                    kind=kind,
                    namespace=lane_name(draft, kind),
                    cohort=cohort,
                    quotas=quotas,
                    reclaim_within_cohort=reclaim(kind, sharing),
                    within_cluster_queue="LowerPriority",
                )
            )


def lane_name(draft: Draft, kind: Kind) -> str:
    """Return the name of a lane's queue and namespace."""
    return physical_name([draft.stack, kind], KUBERNETES_NAME)


def reclaim(kind: Kind, sharing: Sharing) -> Literal["Never", "LowerPriority", "Any"]:
    """Return whose borrowed GPUs a lane takes back: inference anyone's, training those of lower rank."""
    if kind == "inference":
        return "Any"
    return "LowerPriority" if kind == "training" and "training" in sharing.batch_from else "Never"


def sharing_of(draft: Draft) -> Sharing:
    """Return what decides the quotas of this plan."""
    found: dict[Kind, list[Share]] = {kind: list(shares(draft, kind)) for kind in LANES}
    batch_from: frozenset[Kind] = frozenset(w.borrow for _, w in draft.each(BatchWorkload) if w.borrow is not None)
    return Sharing(draft.spec.partition.mode, found, lent(draft, found["inference"]), batch_from)


def shares(draft: Draft, kind: Kind) -> Iterator[Share]:
    """Yield the lane's flavors in order of preference: as its pools are weighted, then by name."""
    grouped: dict[tuple[str, str], list[Pool]] = {}
    for pool in sorted(draft.pools_of(kind), key=lambda pool: (-pool.weight, pool.name)):
        key = (pool.labels[lane.beside(LANE_KEY, "accelerator")], pool.capacity[0])
        grouped.setdefault(key, []).append(pool)
    for (accelerator, option), pools in grouped.items():
        flavor = FlavorPlan(
            name=physical_name([draft.stack, kind, accelerator, option], KUBERNETES_NAME),
            kind=kind,
            node_labels={
                LANE_KEY: kind,
                lane.beside(LANE_KEY, "accelerator"): accelerator,
                lane.beside(LANE_KEY, "capacity-type"): option,
            },
            tolerations=lane.tolerations(kind, LANE_KEY),
            spot=option == "spot",
        )
        yield Share(flavor, sum(pool.max_gpus for pool in pools), accelerator)


def lent(draft: Draft, inference: list[Share]) -> Mapping[str, int]:
    """Return what each inference flavor lends: what may be lent at all, in proportion to its GPUs."""
    total = sum(share.gpus for share in inference)
    return {share.flavor.name: draft.partition.lendable_gpus * share.gpus // total for share in inference}
