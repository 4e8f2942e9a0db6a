"""Columns for people: aligned by content, numbers to the right, nothing wrapped or cut."""

from collections.abc import Sequence

from rich.text import Text

from gpulanes.cli.terminal import styled

GAP = "  "


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()) -> Text:
    """The rows under a dim header; ``right`` are the indices of columns that align right."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        cells = [c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]
        return ("  " + GAP.join(cells)).rstrip()

    return Text("\n").join([styled(line(header), "dim"), *(styled(line(row)) for row in rows)])
