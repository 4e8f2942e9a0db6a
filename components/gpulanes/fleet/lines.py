"""Where everything stands in a fleet file that has been read, for whoever speaks of it later by its path."""

from collections.abc import Mapping

from gpulanes.fleet.composition import compose, decode
from gpulanes.fleet.document import joined


def line_numbers(data: bytes) -> Mapping[str, int]:
    """Return the line of every field by its dotted path (``workloads.chat``: 12); the file itself is ``""``.

    Call it with content that ``load_bytes`` has accepted.
    """
    document, _ = compose(decode(data), "")
    return {joined(path): line for path, line in document.lines.items()}


def nearest_line(path: str, lines: Mapping[str, int]) -> int:
    """Return the line of ``path`` or of the nearest thing around it: what is missing is missing from there."""
    while path not in lines and path:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return lines.get(path, 0)
