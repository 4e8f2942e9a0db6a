"""Storage tiers: a file system on its legal grid for checkpoints, buckets for models and for what must be kept."""

from collections.abc import Sequence

from gpulanes.catalog import lustre_grids
from gpulanes.errors import GpulanesError
from gpulanes.kinds import lane
from gpulanes.kinds.pool import LANE_KEY, Kind
from gpulanes.plan.draft import Draft
from gpulanes.plan.model import BucketPlan, LustrePlan, StoragePlan
from gpulanes.plan.names import BUCKET_NAME, FILE_SYSTEM_NAME, physical_name
from gpulanes.sizing.checkpoint import write_rate
from gpulanes.sizing.cost import total
from gpulanes.sizing.sized import Sized
from gpulanes.sizing.storage import USABLE_FILL, LustreSize, checkpoint_content, lustre
from gpulanes.spec.storage import HotStorage
from gpulanes.spec.workload import TrainingWorkload

CHECKPOINT_PREFIX = "checkpoints/"
EXPORTED = ("NEW", "CHANGED", "DELETED")
"""Events exported to the archive; deletions too: the bucket mirrors the file system, and versions keep the past."""
QUIET_HOUR = "7:03:00"
"""Sunday 03:00 UTC in FSx's spelling, when no training window says otherwise."""


def storage(draft: Draft) -> None:
    """Decide every tier that the file names."""
    spec = draft.spec.storage
    hot = None
    if spec.hot is not None:
        try:
            hot = file_system(draft, spec.hot)
        except GpulanesError as error:
            draft.problems.extend(error.problems)
    draft.storage = StoragePlan(
        hot=hot,
        serving=None if spec.serving is None else bucket(draft, "inference", "serving", 0),
        archive=None if spec.archive is None else bucket(draft, "training", "archive", round(spec.archive.after.days)),
    )


def tags(draft: Draft, kind: Kind) -> dict[str, str]:
    """Return the fleet's tags and the lane that the tier serves."""
    return dict(lane.tags(kind, draft.spec.tags, LANE_KEY))


def bucket(draft: Draft, kind: Kind, purpose: str, after_days: int) -> BucketPlan:
    """Return a versioned bucket; current models never leave the standard class, checkpoints do."""
    return BucketPlan(
        name=physical_name([draft.stack, purpose], BUCKET_NAME),
        purpose="serving" if purpose == "serving" else "archive",
        versioned=True,
        archive_after_days=after_days,
        protect=True,
        tags=tags(draft, kind),
    )


def need(draft: Draft) -> dict[str, Sized]:
    """Return what the checkpoints of all programmes need: room side by side, and speed for the largest save."""
    rooms: dict[str, float] = {}
    rates: list[Sized] = []
    for name, workload in draft.each(TrainingWorkload):
        saved = draft.checkpoints.get(name)
        if saved is not None and workload.checkpoint is not None and saved.store == "hot":
            rooms[name] = checkpoint_content(saved.size_bytes).value
            rates.append(write_rate(saved.size_bytes, workload.checkpoint.save_time.seconds))
    content = total(rooms, "GiB", note="checkpoints kept, all programmes")
    none = Sized(0.0, "MB/s", "0", {}, "no checkpoints on this tier")
    return {"content": content, "write_rate_needed": max(rates, key=lambda rate: rate.value, default=none)}


def file_system(draft: Draft, hot: HotStorage) -> LustrePlan:
    """Return the file system: large enough, fast enough, in the training zone.

    Raises:
        PlanError: for a combination that is not sold.
    """
    needed = need(draft)
    content, rate = needed["content"].value, needed["write_rate_needed"].value
    if hot.capacity is None:
        size = offered(draft, hot, content, rate, hot.throughput_per_tib)
    else:
        size = stated_size(draft, hot, hot.capacity.gib, rate)
    draft.report("hot-storage", "hot", {**needed, **size.numbers()})
    archived = draft.spec.storage.archive is not None
    window = draft.spec.maintenance.training
    return LustrePlan(
        name=physical_name([draft.stack, "hot"], FILE_SYSTEM_NAME),
        deployment_type=size.grid.deployment_type,
        capacity_gib=size.capacity.count,
        throughput_per_tib=size.grid.mb_per_s_per_tib,
        metadata_iops=0 if size.metadata_iops is None else size.metadata_iops.count,
        efa=size.grid.efa,
        zone=hot.zone or training_zone(draft),
        linked_prefix=CHECKPOINT_PREFIX if archived else "",
        export_events=EXPORTED if archived and hot.export else (),
        weekly_maintenance=QUIET_HOUR if window is None else window.iso_start,
        tags=tags(draft, "training"),
    )


def training_zone(draft: Draft) -> str:
    """Return the zone of the first programme, else the fleet's first: storage in another zone costs time and money."""
    zones = [draft.zones[name][0] for name, _ in draft.each(TrainingWorkload)]
    return zones[0] if zones else draft.spec.zones[0]


def over_fabric(draft: Draft, hot: HotStorage) -> bool:
    """Return whether clients reach it over EFA: as stated, else where the nodes have it and the type can."""
    if hot.efa is not None:
        return hot.efa
    return hot.deployment == "persistent" and any(pool.efa_interfaces for pool in draft.pools_of("training"))


def offered(draft: Draft, hot: HotStorage, content_gib: float, write_mb_per_s: float, tier: int | None) -> LustreSize:
    """Return the smallest file system of a tier, or of any, that holds the content and writes fast enough."""
    return lustre(
        content_gib,
        write_mb_per_s,
        deployment_type="SCRATCH_2" if hot.deployment == "scratch" else "PERSISTENT_2",
        efa=over_fabric(draft, hot),
        mb_per_s_per_tib=tier,
        path="storage.hot",
    )


def tiers(hot: HotStorage) -> Sequence[int | None]:
    """Return the tiers to choose from, slowest and cheapest first; scratch has none."""
    if hot.throughput_per_tib is not None or hot.deployment == "scratch":
        return [hot.throughput_per_tib]
    return sorted({grid.mb_per_s_per_tib for grid in lustre_grids() if grid.deployment_type == "PERSISTENT_2"})


def stated_size(draft: Draft, hot: HotStorage, capacity_gib: float, write_mb_per_s: float) -> LustreSize:
    """Return the stated capacity on the grid, at the stated tier or else the slowest that writes fast enough."""
    sizes = [offered(draft, hot, capacity_gib * USABLE_FILL, 0.0, tier) for tier in tiers(hot)]
    size = next((one for one in sizes if one.write_rate.value >= write_mb_per_s), sizes[-1])
    if size.capacity.value > capacity_gib:
        kind = f"{size.grid.deployment_type}{' over EFA' if size.grid.efa else ''}"
        text = f"{capacity_gib:g} GiB cannot be bought as {kind}: rounded up to {size.capacity.count} GiB"
        draft.advise("capacity-rounded", "hot", text)
    if size.write_rate.value < write_mb_per_s:
        text = f"it writes {size.write_rate.value:.0f} MB/s, and saving in time needs {write_mb_per_s:.0f} MB/s"
        draft.warn("hot-too-slow", "hot", text)
    return size
