"""What a rule is, and what comes out of it.

A rule looks at one subject at a time (a pool, a workload, the whole fleet). It yields a
:class:`Failure` for every condition that does not hold; nothing yielded is a pass. Reading a value
that is not known raises :class:`~gpulanes.facts.unknown.Undecided`, the third outcome: the rule's
``reads`` say what that means for each field.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from gpulanes.facts.model import Facts, Origin, Place

Severity = Literal["critical", "high", "medium", "low"]
SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low")
Scope = Literal["resource", "stack"]
"""``resource``: decidable on one resource. ``stack``: needs others. A gpulanes component carries its whole fleet, so
that every rule is decidable on it before any child exists."""

Meaning = Literal["fail", "advise", "ignore"]
"""What an unknown field means: a finding at the rule's level, an advisory finding, nothing. What a gpulanes component
declares has to be known, so that there every unknown is a finding at the rule's level."""

Outcome = Literal["fail", "unknown", "error"]
Level = Literal["mandatory", "advisory", "disabled"]
LEVELS: tuple[Level, ...] = ("mandatory", "advisory", "disabled")

Value = int | str | tuple[str, ...]


class Subject(Protocol):
    """What a rule judges: anything with a name, an origin and a place."""

    @property
    def target(self) -> str:
        """What people call it: ``pool chat``."""
        ...

    @property
    def origin(self) -> Origin:
        """Whether gpulanes declares it."""
        ...

    @property
    def place(self) -> Place:
        """Where it is found."""
        ...


S = TypeVar("S", bound=Subject)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number, text or list that a team may set; its type is that of ``default``."""

    default: Value
    about: str


class Parameters:
    """The values of one rule's parameters, configured or default."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Value]) -> None:
        self._values = values

    def number(self, name: str) -> int:
        """Return an integer parameter; raises TypeError for another type, which only a wrong rule can cause."""
        value = self._values[name]
        if not isinstance(value, int):
            message = f"parameter {name} is not a number"
            raise TypeError(message)
        return value

    def text(self, name: str) -> str:
        """Return a text parameter."""
        return str(self._values[name])

    def names(self, name: str) -> tuple[str, ...]:
        """Return a list parameter; raises TypeError for another type, which only a wrong rule can cause."""
        value = self._values[name]
        if not isinstance(value, tuple):
            message = f"parameter {name} is not a list"
            raise TypeError(message)
        return value


@dataclass(frozen=True, slots=True)
class Failure:
    """One condition that does not hold: where, what is there, what may be there. ``fix`` overrides the rule's."""

    path: str
    value: object
    limit: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Rule(Generic[S]):
    """One rule, complete with its documentation.

    ``subjects`` picks what it applies to and ``check`` judges one of them. ``reads`` names the fields
    it looks at, with the meaning of unknown; ``others`` stands for fields of other subjects, and what is not
    named counts as ``fail``.
    ``good`` and ``bad`` are examples in YAML, as cases write them.
    """

    id: str
    title: str
    severity: Severity
    scope: Scope
    why: str
    fix: str
    source: str
    reads: Mapping[str, Meaning]
    subjects: Callable[[Facts], Iterable[S]]
    check: Callable[[S, Facts, Parameters], Iterator[Failure]]
    bad: str
    good: str
    aliases: tuple[str, ...] = ()
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def defaults(self) -> dict[str, Value]:
        """Return every parameter at its default."""
        return {name: parameter.default for name, parameter in self.parameters.items()}


AnyRule = Rule[Any]
