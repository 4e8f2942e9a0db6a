"""From a path to a plan: the steps that ``plan``, ``check`` and ``explain pool`` share."""

from gpulanes.cli.reading import FLEET_BYTES, read_bytes, shown
from gpulanes.plan.model import Plan


def plan_bytes(data: bytes, file: str) -> Plan:
    """The plan of a fleet file's text; raises SpecError or PlanError with every problem."""
    from gpulanes.fleet import load_bytes
    from gpulanes.plan import plan

    return plan(load_bytes(data, file=file))


def line_numbers(data: bytes, file: str) -> dict[str, int]:
    """The line of everything in a fleet file that has been read, by its dotted path (``workloads.chat``: 12)."""
    from gpulanes.fleet.composition import compose, decode
    from gpulanes.fleet.document import dotted

    document, _ = compose(decode(data), file)
    return {dotted(path): line for path, line in document.lines.items()}


def plan_file(path: str) -> Plan:
    """The plan of the fleet file at ``path``; raises GpulanesError."""
    return plan_bytes(read_bytes(path, limit=FLEET_BYTES), shown(path))
