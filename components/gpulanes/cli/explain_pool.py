"""``gpulanes explain pool NAME FILE``."""

from typing import Annotated

from cyclopts import Parameter

from gpulanes.cli.options import FleetFile


def explain_pool(name: Annotated[str, Parameter(help="A pool of the plan.")], file: FleetFile, /) -> int:
    """Every number of one pool with its formula, and the selector and tolerations to paste."""
    from gpulanes.cli.planning import plan_file
    from gpulanes.cli.pool_text import pool_text
    from gpulanes.cli.terminal import console
    from gpulanes.plan import explain_pool as explained

    console().print(pool_text(explained(plan_file(file), name)))
    return 0
