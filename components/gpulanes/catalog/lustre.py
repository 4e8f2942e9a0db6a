"""What FSx for Lustre sells: capacities and throughput come in steps."""

from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

from gpulanes.catalog.rows import day, rows, whole

DeploymentType = Literal["SCRATCH_2", "PERSISTENT_2"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LustreGrid:
    """One row of the grid. Legal capacities are ``first_gib`` and every multiple of ``step_gib``.

    ``mb_per_s_per_tib`` is what the API calls PerUnitStorageThroughput (0: the field must be absent),
    ``write_mb_per_s_per_tib`` is what checkpoints can count on, and a "TiB" is 1000 GiB here as in AWS's
    own examples. ``server_gib`` is the capacity behind one object storage server, which takes one address.
    """

    deployment_type: DeploymentType
    efa: bool
    mb_per_s_per_tib: int
    write_mb_per_s_per_tib: int
    first_gib: int
    step_gib: int
    server_gib: int
    source: str
    as_of: date


@cache
def lustre_grids() -> tuple[LustreGrid, ...]:
    """The whole grid, slowest tier first within a deployment type and EFA setting."""
    return tuple(
        LustreGrid(
            deployment_type="SCRATCH_2" if row["deployment_type"] == "SCRATCH_2" else "PERSISTENT_2",
            efa=row["efa"] == "true",
            mb_per_s_per_tib=whole(row, "mb_per_s_per_tib"),
            write_mb_per_s_per_tib=whole(row, "write_mb_per_s_per_tib"),
            first_gib=whole(row, "first_gib"),
            step_gib=whole(row, "step_gib"),
            server_gib=whole(row, "server_gib"),
            source=row["source"],
            as_of=day(row["as_of"]),
        )
        for row in rows("lustre.csv")
    )
