"""The edge between plain values and Inputs: arguments are checked here, all at once, before anything is registered."""

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import pulumi

from gpulanes.catalog.hints import closest
from gpulanes.clouds.base import ClusterRef
from gpulanes.errors import GpulanesError, Problem, SpecError
from gpulanes.units.text import Unit

U = TypeVar("U", bound=Unit)
T = TypeVar("T")
D = TypeVar("D", str, None)


class ArgumentsError(SpecError, pulumi.RunError):
    """Arguments of a component that cannot be accepted; Pulumi prints the list without a traceback."""


class Arguments:
    """The arguments of one component, read field by field; every mistake is collected in ``problems``.

    Values under the names in ``ids`` may be Outputs and are not read here.
    """

    def __init__(
        self,
        given: Mapping[str, object],
        known: Collection[str],
        ids: Collection[str] = (),
        *,
        inside: str = "",
        problems: list[Problem] | None = None,
    ) -> None:
        self.given = {name: value for name, value in given.items() if value is not None}
        self.problems: list[Problem] = [] if problems is None else problems
        self._inside = inside
        self.problems += _unknown(self.given, known, inside)
        for name, value in self.given.items():
            if name not in ids:
                self.problems += outputs(value, inside + name)

    def inside(self, name: str, known: Collection[str]) -> "Arguments | None":
        """Return the reader of an object within, or None when it is absent."""
        value = self.mapping(name)
        if value is not self.given.get(name):  # absent, or wrong and noted already
            return None
        return Arguments(value, known, inside=f"{self._inside}{name}.", problems=self.problems)

    def text(self, name: str, default: str = "") -> str:
        """Return a string."""
        return self._typed(name, str, "text", default)

    def flag(self, name: str, *, default: bool) -> bool:
        """Return true or false."""
        return self._typed(name, bool, "true or false", default)

    def whole(self, name: str, default: int) -> int:
        """Return a whole number; other languages send it as 2.0."""
        value = self.given.get(name, default)
        number = isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer()
        return int(value) if number and isinstance(value, int | float) else self._wrong(name, "a whole number", default)

    def texts(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return a list of strings."""
        value = self.given.get(name, default)
        right = isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(v, str) for v in value)
        return tuple(value) if right and isinstance(value, Sequence) else self._wrong(name, "a list of texts", default)

    def choice(self, name: str, allowed: Collection[str], default: D) -> str | D:
        """Return one of the allowed texts."""
        value = self.given.get(name)
        if value is None:
            return default
        return value if isinstance(value, str) and value in allowed else self._wrong(name, _one_of(allowed), default)

    def choices(self, name: str, allowed: Collection[str], default: tuple[str, ...]) -> tuple[str, ...]:
        """Return a list of allowed texts."""
        values = self.texts(name, default)
        return values if set(values) <= set(allowed) else self._wrong(name, f"each {_one_of(allowed)}", default)

    def mapping(self, name: str) -> Mapping[str, Any]:
        """Return an object."""
        value = self.given.get(name, {})
        return value if isinstance(value, Mapping) else self._wrong(name, "a mapping", {})

    def labels(self, name: str) -> Mapping[str, str]:
        """Return a mapping from text to text."""
        value = self.mapping(name)
        return value if all(isinstance(v, str) for v in value.values()) else self._wrong(name, "texts by name", {})

    def unit(self, name: str, unit: type[U]) -> U | None:
        """Return a quantity in its text form, or None when it is absent."""
        value = self.given.get(name)
        if value is None:
            return None
        try:
            return unit.accept(value)
        except ValueError:
            return self._wrong(name, unit.EXPECTED, None)

    def _typed(self, name: str, kind: type[T], allowed: str, default: T) -> T:
        value = self.given.get(name, default)
        return value if isinstance(value, kind) else self._wrong(name, allowed, default)

    def _wrong(self, name: str, allowed: str, default: T) -> T:
        """Note a wrong value, unless it was noted already (as an Output, say)."""
        path = self._inside + name
        if not any(
            problem.path == path or problem.path.startswith((f"{path}.", f"{path}[")) for problem in self.problems
        ):
            self.note(name, str(self.given[name]), allowed, "change the value")
        return default

    def note(self, name: str, value: str, allowed: str, fix: str) -> None:
        """Add a problem of the field ``name``."""
        self.problems.append(Problem("argument", self._inside + name, value[:80], allowed, fix))

    def require(self, *names: str) -> None:
        """Note each of the names that is absent."""
        for name in names:
            if name not in self.given:
                path = self._inside + name
                self.problems.append(Problem("argument-missing", path, "", "required", f"give {path}"))

    def refuse(self, component: str) -> None:
        """Raise ArgumentsError if anything is wrong."""
        refuse(self.problems, component)


def refuse(problems: Sequence[Problem], component: str) -> None:
    """Raise ArgumentsError with the problems, each under the component's name, if there are any."""
    if problems:
        raise ArgumentsError(
            Problem(p.code, f"{component}: {p.path}", p.value, p.allowed, p.fix, p.file, p.line) for p in problems
        )


def _one_of(allowed: Collection[str]) -> str:
    return f"one of {', '.join(allowed)}"


def _unknown(given: Mapping[str, object], known: Collection[str], inside: str = "") -> Iterator[Problem]:
    for name in given:
        if name not in known:
            near = closest(name, known)
            fix = f"use {near}" if near else "remove it"
            yield Problem("argument-unknown", inside + name, "", f"one of {', '.join(sorted(known))}", fix)


def outputs(value: object, path: str) -> Iterator[Problem]:
    """Yield where a guarded value holds an Output."""
    if isinstance(value, pulumi.Output) or inspect.isawaitable(value):
        allowed = "a plain value: a policy must see it at preview, when outputs are not known yet"
        yield Problem(
            "guarded-output", path, "an Output", allowed, "compute it from configuration, not from a resource"
        )
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from outputs(item, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from outputs(item, f"{path}[{index}]")


def cluster_ref_problems(cluster: object) -> Iterator[Problem]:
    """Yield what is wrong with a cluster reference: ids may be Outputs, its version and zones may not."""
    if not isinstance(cluster, Mapping):
        allowed = "a ClusterRef, such as the ref of a GpuCluster"
        yield Problem("cluster-ref", "cluster", type(cluster).__name__, allowed, "give the fields of a ClusterRef")
        return
    known = ClusterRef.__required_keys__ | ClusterRef.__optional_keys__
    yield from _unknown(cluster, known, "cluster.")
    for name in sorted(ClusterRef.__required_keys__):
        if not cluster.get(name):
            yield Problem("argument-missing", f"cluster.{name}", "", "required", f"give {name}")
    yield from outputs(cluster.get("version"), "cluster.version")
    subnets = cluster.get("subnets")
    if subnets and not isinstance(subnets, Mapping):
        allowed = "a plain mapping from zone to subnet id; the ids may be Outputs"
        yield Problem(
            "guarded-output", "cluster.subnets", type(subnets).__name__, allowed, "name the zones in the program"
        )


def built(build: Callable[[], T], component: str) -> T:
    """Return what ``build`` makes; its errors become ArgumentsError under the component's name."""
    try:
        return build()
    except GpulanesError as error:
        refuse(error.problems, component)
        raise
