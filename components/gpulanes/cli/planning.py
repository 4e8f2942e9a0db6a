"""From a path to a plan, as ``plan`` and ``explain pool`` take it."""

from gpulanes.cli.reading import FLEET_BYTES, read_bytes, shown
from gpulanes.plan.model import Plan


def plan_file(path: str) -> Plan:
    """The plan of the fleet file at ``path``; raises GpulanesError with every problem."""
    from gpulanes.plan import plan_bytes

    return plan_bytes(read_bytes(path, limit=FLEET_BYTES), shown(path))
