"""Where output goes: colours and wrapping only on a terminal; piped text is plain and one line stays one line."""

import sys

from rich.console import Console
from rich.text import Text

PIPED_WIDTH = 400


def console(*, error: bool = False) -> Console:
    """A console on standard output or standard error."""
    stream = sys.stderr if error else sys.stdout
    width = None if stream.isatty() else PIPED_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=True)


def visible(text: str) -> str:
    """``text`` with control characters spelled out: a file's content must not steer the terminal."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)


def styled(text: str, style: str = "") -> Text:
    """``text``, made visible, in a style that only a terminal shows."""
    return Text(visible(text), style=style)
