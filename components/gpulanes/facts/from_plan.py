"""Facts of a plain plan, as ``gpulanes plan -o json`` prints it."""

from collections.abc import Mapping

from gpulanes.facts.declared import Declaration, read_fleet
from gpulanes.facts.model import Facts, Place
from gpulanes.facts.view import View
from gpulanes.kinds.pool import LANE_KEY


def from_plan(
    plain: Mapping[str, object], *, file: str = "", lines: Mapping[str, int] | None = None, lane_key: str = LANE_KEY
) -> Facts:
    """Return the facts of a plan in its plain, snake_case form.

    ``lines`` tells the line of a workload or a storage tier in ``file`` (``workloads.chat``: 12), so
    that findings can point at it. Raises nothing: what cannot be read is unknown.
    """
    at = lines or {}

    def locate(path: str) -> Place:
        return Place(file=file, line=at.get(path, 0))

    declaration = Declaration(lane_key, locate)
    view = View(plain)
    read_fleet(view, declaration)
    return declaration.facts(target="fleet", place=locate(""))
