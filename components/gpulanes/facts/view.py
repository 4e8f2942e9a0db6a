"""Reading plain data that may lack anything, hold unknowns anywhere, or be of the wrong type.

Nothing here raises: what is absent (or null, which every source drops) takes the default and says
that it was not given; what is unknown, or cannot be read as what it should be, is unknown.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from gpulanes.facts.model import Labels, Text
from gpulanes.facts.unknown import UNKNOWN, Fact, Unknown


def as_written(name: str) -> str:
    """Field names as the reader states them."""
    return name


def whole_number(value: object) -> int | Unknown:
    """Read ``3``, ``3.0`` or ``"3"``; anything else is unknown."""
    if isinstance(value, bool):
        return UNKNOWN
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal():
        return int(value)
    return value if isinstance(value, int) else UNKNOWN


def scalar_text(value: object) -> Text:
    """Read a string or a whole number as text, as Kubernetes' IntOrString and label values are written."""
    if isinstance(value, str):
        return value
    number = whole_number(value)
    return UNKNOWN if isinstance(number, Unknown) else str(number)


class View:
    """A value inside plain data, with the path that leads to it; ``spell`` turns field names into the source's."""

    __slots__ = ("data", "path", "spell")

    def __init__(self, data: object, path: str = "", spell: Callable[[str], str] = as_written) -> None:
        self.data = data
        self.path = path
        self.spell = spell

    def at(self, *keys: str) -> "View":
        """Return the value under ``keys``; absent below what is absent, unknown below what is unknown."""
        data, path = self.data, self.path
        for key in keys:
            name = self.spell(key)
            path = f"{path}.{name}" if path else name
            data = self._child(data, name)
        return View(data, path, self.spell)

    @staticmethod
    def _child(data: object, name: str) -> object:
        if data is None:
            return None
        return data.get(name) if isinstance(data, Mapping) else UNKNOWN

    @property
    def absent(self) -> bool:
        """Whether the source leaves the value out."""
        return self.data is None

    @property
    def unknown(self) -> bool:
        """Whether the value is there but not known."""
        return isinstance(self.data, Unknown)

    def text(self, default: str = "") -> Fact[str]:
        """Read a string."""
        if self.data is None:
            return Fact(self.path, default, given=False)
        return Fact(self.path, self.data if isinstance(self.data, str) else UNKNOWN)

    def scalar(self, default: str = "") -> Fact[str]:
        """Read a string or a whole number as text."""
        if self.data is None:
            return Fact(self.path, default, given=False)
        return Fact(self.path, scalar_text(self.data))

    def integer(self, default: int = 0) -> Fact[int]:
        """Read a whole number."""
        if self.data is None:
            return Fact(self.path, default, given=False)
        return Fact(self.path, whole_number(self.data))

    def boolean(self, *, default: bool) -> Fact[bool]:
        """Read a truth value."""
        if self.data is None:
            return Fact(self.path, default, given=False)
        return Fact(self.path, self.data if isinstance(self.data, bool) else UNKNOWN)

    def texts(self, default: tuple[str, ...] = ()) -> Fact[tuple[str, ...]]:
        """Read a list of strings; one that is not known makes the list unknown."""
        if self.data is None:
            return Fact(self.path, default, given=False)
        if not isinstance(self.data, Sequence) or isinstance(self.data, str):
            return Fact(self.path, UNKNOWN)
        known = tuple(item for item in self.data if isinstance(item, str))
        return Fact(self.path, known if len(known) == len(self.data) else UNKNOWN)

    def labels(self) -> Fact[Labels]:
        """Read a mapping of texts; a value that is not known leaves its key and the others readable."""
        if self.data is None:
            return Fact(self.path, {}, given=False)
        if not isinstance(self.data, Mapping):
            return Fact(self.path, UNKNOWN)
        return Fact(self.path, {str(k): scalar_text(v) for k, v in self.data.items() if v is not None})

    def items(self) -> "tuple[View, ...] | Unknown":
        """Read a list; absent is empty, and an item may itself be unknown."""
        if self.data is None:
            return ()
        if not isinstance(self.data, Sequence) or isinstance(self.data, str):
            return UNKNOWN
        return tuple(View(item, f"{self.path}[{i}]", self.spell) for i, item in enumerate(self.data))

    def known_items(self) -> "Iterator[View]":
        """Yield the items that can be read, for joins where an unknown list finds nothing."""
        found = self.items()
        return iter(()) if isinstance(found, Unknown) else iter(found)


def label(labels: Fact[Labels], key: str) -> Fact[str]:
    """Return one label as a fact; absent is "", and unknown labels make it unknown."""
    path = f"{labels.path}[{key}]"
    if isinstance(labels.value, Unknown):
        return Fact(labels.path, UNKNOWN)
    value = labels.value.get(key)
    return Fact(path, "", given=False) if value is None else Fact(path, value)
