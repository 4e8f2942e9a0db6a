"""What went wrong, said so that a person can fix it: every problem at once, never a traceback."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing the user has to change.

    ``code`` is stable (tests and docs list them), ``path`` is dotted from the file's root
    (``workloads.chat.slo.ttft_p99``), ``value`` is what was written, shortened for display.
    """

    code: str
    path: str
    value: str
    allowed: str
    fix: str
    file: str = ""
    line: int = 0

    def at(self, file: str, line: int) -> "Problem":
        """Return the same problem with its place in a file."""
        return replace(self, file=file, line=line)

    def __str__(self) -> str:
        """One line: place, path, value, what is allowed, fix."""
        place = f"{self.file}:{self.line}: " if self.file and self.line else ""
        given = f" = {self.value}" if self.value else ""
        return f"{place}{self.path}{given}: {self.allowed}; fix: {self.fix} [{self.code}]"


class GpulanesError(Exception):
    """Base of every error that a user can cause; carries all problems, in file order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(p) for p in self.problems))

    def __reduce__(self) -> tuple[type, tuple[Sequence[Problem]]]:
        """Survive a process boundary."""
        return (type(self), (self.problems,))


class SpecError(GpulanesError):
    """The fleet file, or the arguments of a component, cannot be accepted."""


class CatalogError(GpulanesError):
    """A name the catalogue does not know; it fails closed and never guesses."""


class PlanError(GpulanesError):
    """The file is well formed, but no plan can satisfy it."""
