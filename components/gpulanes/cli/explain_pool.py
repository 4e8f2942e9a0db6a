"""``gpulanes explain pool NAME FILE``."""

from typing import Annotated

from cyclopts import Parameter

from gpulanes.cli.options import FleetFile


def explain_pool(name: Annotated[str, Parameter(help="A pool of the plan.")], file: FleetFile, /) -> int:
    """Every number of one pool with its formula, and the selector and tolerations to paste."""
    from gpulanes.cli.planning import plan_file
    from gpulanes.cli.pool_text import pool_text
    from gpulanes.cli.reading import shown
    from gpulanes.cli.terminal import console
    from gpulanes.errors import GpulanesError, Problem

    plan = plan_file(file)
    pool = next((pool for pool in plan.pools if pool.name == name), None)
    if pool is None:
        names = ", ".join(pool.name for pool in plan.pools)
        raise GpulanesError(
            [Problem("pool-unknown", "NAME", name, f"the plan's pools are {names}", "name one of them", shown(file))]
        )
    console().print(pool_text(plan, pool))
    return 0
