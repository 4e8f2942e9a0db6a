"""The file as data, with the line and the spelling of everything in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from gpulanes.errors import Problem
from gpulanes.units import Unit

Path = tuple[str | int, ...]
UnitT = TypeVar("UnitT", bound=Unit)

SHOWN = 60
"""Characters of a value that a problem shows."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A problem before it is placed: ``value`` and ``line`` left out are looked up in the document."""

    code: str
    path: Path
    allowed: str
    fix: str
    value: str | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """Plain ``data``; ``lines`` and ``texts`` (scalars as written) by path; ``muted`` paths are reported already."""

    data: object
    file: str = ""
    lines: Mapping[Path, int] = field(default_factory=dict)
    texts: Mapping[Path, str] = field(default_factory=dict)
    muted: frozenset[Path] = frozenset()

    def at(self, *path: str | int) -> object:
        """Return the value at ``path``, ``None`` when there is none."""
        value = self.data
        for step in path:
            if isinstance(value, Mapping):
                value = value.get(step)
            else:
                value = value[step] if isinstance(value, list) and isinstance(step, int) else None
        return value

    def text(self, *path: str | int) -> str:
        """Return the text at ``path``, empty when it is something else."""
        value = self.at(*path)
        return value if isinstance(value, str) else ""

    def number(self, *path: str | int) -> float | None:
        """Return the number at ``path``, ``None`` when it is something else."""
        value = self.at(*path)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None

    def texts_in(self, *path: str | int) -> Iterator[tuple[Path, str]]:
        """Yield the texts of the list at ``path``, each with its own path."""
        value = self.at(*path)
        for position, item in enumerate(value if isinstance(value, list) else []):
            if isinstance(item, str):
                yield (*path, position), item

    def mapping(self, *path: str | int) -> Mapping[str, object]:
        """Return the mapping at ``path``, empty when it is something else."""
        value = self.at(*path)
        return value if isinstance(value, Mapping) else {}

    def unit(self, kind: type[UnitT], *path: str | int) -> UnitT | None:
        """Return the quantity at ``path``, ``None`` when it is absent or not readable."""
        try:
            return kind.accept(self.at(*path))
        except ValueError:
            return None

    def line(self, path: Path) -> int:
        """Return the line of ``path`` or of the nearest thing around it; 0 when nothing has a line."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 0)

    def shown(self, path: Path) -> str:
        """Return the value at ``path`` as written, short enough for one line."""
        value = self.at(*path)
        if isinstance(value, Mapping):
            return "a mapping"
        if isinstance(value, list):
            return f"a list of {len(value)}"
        return shorten(self.texts.get(path, "" if value is None else str(value)))

    def problem(self, mistake: Mistake) -> Problem:
        """Place a mistake."""
        return Problem(
            code=mistake.code,
            path=dotted(mistake.path),
            value=self.shown(mistake.path) if mistake.value is None else shorten(mistake.value),
            allowed=mistake.allowed,
            fix=mistake.fix,
            file=self.file,
            line=mistake.line or self.line(mistake.path),
        )


def shorten(text: str) -> str:
    """Cut to ``SHOWN`` characters of one printable line."""
    line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: SHOWN + 1])
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "\N{HORIZONTAL ELLIPSIS}"


def dotted(path: Path) -> str:
    """Write a path from the root for people: ``workloads.chat.nodes.zones[1]``; ``(file)`` for the root itself."""
    return shorten(joined(path)) if path else "(file)"


def joined(path: Path) -> str:
    """Write a path in full, however long; empty for the root."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
