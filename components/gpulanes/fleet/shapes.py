"""The models as a tree of types: what a field may be, in words, and which model is at which place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic.fields import FieldInfo

from gpulanes.fleet.document import Path
from gpulanes.fleet.model import FleetSpec
from gpulanes.spec.base import Model
from gpulanes.spec.text import Text
from gpulanes.units import Unit


@dataclass(frozen=True, slots=True)
class Shape:
    """One alternative of a field: the bare type and the limits on it."""

    base: Any
    limits: tuple[object, ...] = ()

    @property
    def model(self) -> type[Model] | None:
        """The model, where the type is one."""
        return self.base if isinstance(self.base, type) and issubclass(self.base, Model) else None

    @property
    def unit(self) -> type[Unit] | None:
        """The unit, where the type is one."""
        return self.base if isinstance(self.base, type) and issubclass(self.base, Unit) else None

    @property
    def literals(self) -> tuple[object, ...]:
        """The values, where the type is a choice of values."""
        return get_args(self.base) if get_origin(self.base) is Literal else ()

    @property
    def contents(self) -> tuple[Any, ...]:
        """Types of the entries of a list, or of the keys and values of a mapping."""
        return get_args(self.base) if get_origin(self.base) in (list, dict) else ()


ROOT = (Shape(FleetSpec),)


def shapes(annotation: object, limits: tuple[object, ...] = ()) -> tuple[Shape, ...]:
    """Flatten an annotation into its alternatives, without ``None``."""
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *more = get_args(annotation)
        return shapes(inner, (*limits, *_flat(more)))
    if origin in (Union, UnionType):
        return tuple(shape for option in get_args(annotation) for shape in shapes(option, limits))
    return () if annotation is NoneType else (Shape(annotation, limits),)


def _flat(metadata: list[object]) -> Iterator[object]:
    for item in metadata:
        if isinstance(item, FieldInfo):
            yield from item.metadata
        else:
            yield item


def field_shapes(info: FieldInfo) -> tuple[Shape, ...]:
    """The alternatives of a model's field."""
    return shapes(info.annotation, tuple(info.metadata))


def models(options: tuple[Shape, ...]) -> list[type[Model]]:
    """The models among the alternatives."""
    return [shape.model for shape in options if shape.model]


def model_at(options: tuple[Shape, ...], raw: object) -> type[Model] | None:
    """The model that ``raw`` is meant to be: the only one, or the one of its ``kind``."""
    candidates = models(options)
    if len(candidates) == 1:
        return candidates[0]
    kind = raw.get("kind") if isinstance(raw, Mapping) else None
    return next((model for model in candidates if kind in get_args(model.model_fields["kind"].annotation)), None)


def child(options: tuple[Shape, ...], raw: object, step: str | int) -> tuple[Shape, ...]:
    """The alternatives one step further down; empty where the models know no such place."""
    model = model_at(options, raw)
    if model is not None:
        return field_shapes(model.model_fields[str(step)]) if step in model.model_fields else ()
    return next((shapes(shape.contents[-1]) for shape in options if shape.contents), ())


def key_shapes(options: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """The alternatives of a mapping's keys."""
    return next((shapes(shape.contents[0]) for shape in options if shape.contents), ())


def visit(options: tuple[Shape, ...], raw: object, path: Path = ()) -> Iterator[tuple[Path, type[Model], object]]:
    """Yield every place of ``raw`` where a model stands, from the root down."""
    model = model_at(options, raw)
    if model is not None and isinstance(raw, Mapping):
        yield path, model, raw
    if isinstance(raw, Mapping):
        for step, value in raw.items():
            below = child(options, raw, step)
            if _is_deep(below):
                yield from visit(below, value, (*path, step))
    elif isinstance(raw, list) and _is_deep(child(options, raw, 0)):
        for position, value in enumerate(raw):
            yield from visit(child(options, raw, position), value, (*path, position))


def _is_deep(options: tuple[Shape, ...]) -> bool:
    return any(shape.model or shape.contents for shape in options)


def describe(options: tuple[Shape, ...]) -> str:
    """Say in words what a field may be."""
    return " or ".join(dict.fromkeys(_describe(shape) for shape in options))


def _describe(shape: Shape) -> str:
    if shape.unit:
        return shape.unit.EXPECTED
    if shape.model:
        return "a mapping"
    if shape.literals:
        values = ", ".join(str(value) for value in shape.literals)
        return f"one of {values}" if len(shape.literals) > 1 else values
    text = next((limit.allowed for limit in shape.limits if isinstance(limit, Text)), "")
    return text or _describe_plain(shape)


def _describe_plain(shape: Shape) -> str:
    names = {int: "a whole number", float: "a number", bool: "true or false", dict: "a mapping", list: "a list"}
    base = get_origin(shape.base) or shape.base
    words = names[base]
    if base in (list, dict):
        few, many = _limit(shape, MinLen, "min_length"), _limit(shape, MaxLen, "max_length")
        entry = describe(shapes(shape.contents[-1]))
        return f"{words} of {few or 0} to {many} entries, each {entry}"
    low, high = _limit(shape, Ge, "ge"), _limit(shape, Le, "le")
    return words if low is None else f"{words} from {low:.12g} to {high:.12g}"


def _limit(shape: Shape, kind: type[Ge | Le | MinLen | MaxLen], name: str) -> float | None:
    return next((getattr(limit, name) for limit in shape.limits if isinstance(limit, kind)), None)


def example(options: tuple[Shape, ...]) -> str:
    """A value that the first alternative accepts, for a fix; empty where none is short enough to show."""
    for shape in options:
        if shape.unit:
            return shape.unit.EXAMPLES[0]
        if shape.literals:
            return str(shape.literals[0])
    return ""
