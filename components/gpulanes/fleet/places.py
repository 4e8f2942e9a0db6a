"""From pydantic's location of an error to the place in the file and what may stand there."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic_core import ErrorDetails

from gpulanes.fleet.document import Path
from gpulanes.fleet.shapes import ROOT, Shape, child, field_shapes, key_shapes, model_at, models
from gpulanes.spec.base import Model


@dataclass(frozen=True, slots=True)
class Place:
    """A path, the ``value`` there, the alternatives of its type, and the ``around`` model it is a field of."""

    path: Path
    value: object
    options: tuple[Shape, ...]
    above: tuple[Shape, ...] = ()
    around: type[Model] | None = None
    is_key: bool = False

    def down(self, step: str | int, *, missing: bool) -> "Place":
        """Take one step of pydantic's location; the label of a union's alternative is no step of the file."""
        if len(models(self.options)) > 1:  # told apart by kind: the step is the kind, whatever fields are there
            model = model_at(self.options, self.value)
            return replace(self, options=tuple(s for s in self.options if s.model is model))
        if isinstance(self.value, Mapping) and (step in self.value or missing):
            value = self.value.get(step)
        elif isinstance(self.value, list) and isinstance(step, int):
            value = self.value[step]
        else:
            return self
        below = child(self.options, self.value, step)
        return Place((*self.path, step), value, below, self.options, model_at(self.options, self.value))

    def key(self) -> "Place":
        """The key itself rather than its value."""
        return replace(self, value=self.path[-1], options=key_shapes(self.above), is_key=True)

    def kind(self) -> "Place":
        """The field that tells the alternatives apart."""
        options = tuple(s for model in models(self.options) for s in field_shapes(model.model_fields["kind"]))
        value = self.value.get("kind") if isinstance(self.value, Mapping) else None
        return Place((*self.path, "kind"), value, options, self.options)


def locate(error: ErrorDetails, data: object) -> Place:
    """Follow the location of an error through data and models."""
    steps = list(error["loc"])
    is_key = steps[-1:] == ["[key]"] and error["type"] != "extra_forbidden"
    if is_key:
        steps.pop()
    place = Place((), data, ROOT)
    for position, step in enumerate(steps):
        place = place.down(step, missing=error["type"] == "missing" and position == len(steps) - 1)
    if is_key:
        return place.key()
    return place.kind() if error["type"].startswith("union_tag") else place
