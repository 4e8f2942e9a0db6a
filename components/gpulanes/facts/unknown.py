"""Values that cannot be known yet, and what happens to whoever reads one."""

from typing import Final, Generic, TypeVar

T = TypeVar("T")


class Unknown:
    """A value that is not known. It equals nothing, not even itself: two unknowns are never the same."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Never equal."""
        return False

    def __hash__(self) -> int:
        """Hashable, so that it can travel in frozen values."""
        return 0

    def __bool__(self) -> bool:
        """Raise TypeError: neither true nor false, whoever asks has forgotten a case."""
        message = "an unknown value is neither true nor false"
        raise TypeError(message)

    def __repr__(self) -> str:
        """Print as people read it in a finding."""
        return "unknown"


UNKNOWN: Final = Unknown()


class Fact(Generic[T]):
    """A value with the path under which its source spells it (``spec.disruption.consolidationPolicy``).

    ``given`` is false when the source leaves the field out and ``value`` is what the provider
    makes of that.
    """

    __slots__ = ("given", "path", "value")

    def __init__(self, path: str, value: T | Unknown, *, given: bool = True) -> None:
        self.path = path
        self.value = value
        self.given = given

    def __repr__(self) -> str:
        """Show path and value."""
        return f"Fact({self.path!r}, {self.value!r}{'' if self.given else ', given=False'})"

    @property
    def known(self) -> bool:
        """Whether the value can be read."""
        return not isinstance(self.value, Unknown)

    def get(self) -> T:
        """Return the value; raises Undecided when it is not known."""
        if isinstance(self.value, Unknown):
            raise Undecided(self.path, self)
        return self.value

    def get_or(self, otherwise: T) -> T:
        """Return the value, or ``otherwise`` when it is not known."""
        return otherwise if isinstance(self.value, Unknown) else self.value


class Undecided(Exception):  # noqa: N818 - not an error: the third outcome of a rule
    """A rule needs a value that is not known.

    ``path`` names it for people. ``fact`` is the unread fact; ``field`` says what was looked for when
    no single fact of the subject is the reason.
    """

    def __init__(self, path: str, fact: object = None, field: str = "") -> None:
        self.path = path
        self.fact = fact
        self.field = field
        super().__init__(f"{path} is not known")
