"""FSx for Lustre on its legal grid: capacity, throughput, metadata, addresses."""

from collections.abc import Iterable
from dataclasses import dataclass

from gpulanes.catalog.lustre import DeploymentType, LustreGrid, lustre_grids
from gpulanes.sizing.formula import compute
from gpulanes.sizing.inputs import refuse, require
from gpulanes.sizing.sized import Sized

USABLE_FILL = 0.8
"""Share of a parallel file system that stays fast and safe to fill (stas00/ml-engineering, storage)."""
CHECKPOINTS_KEPT = 3
"""One being written, the last good one, and the one before it in case that is bad (judgement)."""

_STEPS = "capacity is the first step or a multiple of the increment"
_METADATA = "AWS: AUTOMATIC metadata IOPS by capacity; less may not be provisioned"


@dataclass(frozen=True, slots=True)
class LustreSize:
    """A file system that can be created. ``metadata_iops`` is ``None`` for scratch, which cannot set it."""

    grid: LustreGrid
    capacity: Sized
    write_rate: Sized
    metadata_iops: Sized | None
    addresses: Sized

    def numbers(self) -> dict[str, Sized]:
        """Every number by name."""
        metadata = {} if self.metadata_iops is None else {"metadata_iops": self.metadata_iops}
        return {"capacity": self.capacity, "write_rate": self.write_rate, **metadata, "addresses": self.addresses}


def checkpoint_content(checkpoint_bytes: float, kept: int = CHECKPOINTS_KEPT) -> Sized:
    """What the hot tier must hold, GiB."""
    require(positive={"checkpoint_bytes": checkpoint_bytes, "kept": kept})
    return compute(
        "kept * checkpoint_bytes / 2**30",
        "GiB",
        source="checkpoints kept beside each other",
        kept=kept,
        checkpoint_bytes=checkpoint_bytes,
    )


def legal_capacity(wanted_gib: float, grid: LustreGrid) -> Sized:
    """The smallest capacity on the grid at or above ``wanted_gib``, GiB."""
    require(non_negative={"wanted_gib": wanted_gib})
    return compute(
        "first_gib if wanted_gib <= first_gib else step_gib * ceil(wanted_gib / step_gib)",
        "GiB",
        source=f"{_STEPS}: {grid.source}",
        wanted_gib=wanted_gib,
        first_gib=grid.first_gib,
        step_gib=grid.step_gib,
    )


def nearest_capacities(given_gib: float, grid: LustreGrid) -> tuple[int, ...]:
    """``()`` when the capacity is legal, else the legal ones just below (if any) and above."""
    above = legal_capacity(given_gib, grid).count
    if above == given_gib:
        return ()
    below = above - grid.step_gib if above > grid.step_gib else grid.first_gib
    return (below, above) if below < above else (above,)


def lustre_capacity(content_gib: float, write_mb_per_s: float, grid: LustreGrid) -> Sized:
    """The smallest legal capacity that holds the content and writes fast enough, GiB.

    Throughput comes with capacity, per 1000 GiB ("TiB" in AWS's examples).
    """
    require(non_negative={"content_gib": content_gib, "write_mb_per_s": write_mb_per_s})
    need = "max(content_gib / usable_fill, write_mb_per_s / write_mb_per_s_per_tib * 1000)"
    binding = content_gib / USABLE_FILL >= write_mb_per_s / grid.write_mb_per_s_per_tib * 1000
    return compute(
        f"first_gib if {need} <= first_gib else step_gib * ceil({need} / step_gib)",
        "GiB",
        source=f"{_STEPS}: {grid.source}",
        note="content binds" if binding else "write rate binds",
        content_gib=content_gib,
        usable_fill=USABLE_FILL,
        write_mb_per_s=write_mb_per_s,
        write_mb_per_s_per_tib=grid.write_mb_per_s_per_tib,
        first_gib=grid.first_gib,
        step_gib=grid.step_gib,
    )


def lustre_write_rate(capacity_gib: float, grid: LustreGrid) -> Sized:
    """Sustained aggregate write rate, MB/s."""
    return compute(
        "capacity_gib / 1000 * write_mb_per_s_per_tib",
        "MB/s",
        source=grid.source,
        capacity_gib=capacity_gib,
        write_mb_per_s_per_tib=grid.write_mb_per_s_per_tib,
    )


def metadata_iops(capacity_gib: float) -> Sized:
    """What AUTOMATIC gives a persistent file system of this capacity."""
    require(positive={"capacity_gib": capacity_gib})
    return compute(
        "1500 if capacity_gib <= 1200 else 3000 if capacity_gib <= 2400 else 6000 if capacity_gib <= 9600"
        " else 12000 if capacity_gib <= 45600 else 12000 * ceil(capacity_gib / 24000)",
        "IOPS",
        source=_METADATA,
        capacity_gib=capacity_gib,
    )


def addresses(capacity_gib: float, metadata: float, grid: LustreGrid) -> Sized:
    """Private addresses that the file system takes from its subnet: object and metadata servers."""
    return compute(
        "ceil(capacity_gib / server_gib) + max(1, ceil(metadata_iops / 12000))",
        "addresses",
        source="one address per object storage server and per 12000 metadata IOPS (AWS FSx for Lustre guide)",
        capacity_gib=capacity_gib,
        server_gib=grid.server_gib,
        metadata_iops=metadata,
    )


def _sized(capacity: Sized, grid: LustreGrid) -> LustreSize:
    metadata = metadata_iops(capacity.value) if grid.deployment_type == "PERSISTENT_2" else None
    return LustreSize(
        grid,
        capacity,
        lustre_write_rate(capacity.value, grid),
        metadata,
        addresses(capacity.value, metadata.value if metadata else 0.0, grid),
    )


def lustre(
    content_gib: float,
    write_mb_per_s: float,
    *,
    deployment_type: DeploymentType = "PERSISTENT_2",
    efa: bool = False,
    mb_per_s_per_tib: int | None = None,
    path: str = "storage.hot",
) -> LustreSize:
    """The smallest legal file system that holds the content and writes fast enough.

    Without ``mb_per_s_per_tib`` every tier is tried, and the least capacity wins; among equals the
    slowest tier, which costs least per GiB.

    Raises:
        PlanError: ``lustre-not-offered`` for a combination that AWS does not sell.
    """
    grids = [
        grid
        for grid in lustre_grids()
        if grid.deployment_type == deployment_type
        and grid.efa == efa
        and mb_per_s_per_tib in {None, grid.mb_per_s_per_tib}
    ]
    if not grids:
        tier = "" if mb_per_s_per_tib is None else f" at {mb_per_s_per_tib} MB/s per TiB"
        raise refuse(
            code="lustre-not-offered",
            path=path,
            value=f"{deployment_type}{' with EFA' if efa else ''}{tier}",
            allowed=f"one of {', '.join(_offers(lustre_grids()))}",
            fix="choose a combination that is offered; scratch has neither EFA nor a tier",
        )
    sizes = [_sized(lustre_capacity(content_gib, write_mb_per_s, grid), grid) for grid in grids]
    return min(sizes, key=lambda size: (size.capacity.value, size.grid.mb_per_s_per_tib))


def _offers(grids: Iterable[LustreGrid]) -> Iterable[str]:
    for grid in grids:
        tier = f" at {grid.mb_per_s_per_tib}" if grid.mb_per_s_per_tib else ""
        yield f"{grid.deployment_type}{' with EFA' if grid.efa else ''}{tier}"
