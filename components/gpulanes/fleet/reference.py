"""The reference page of the fleet file, written from the models so that it cannot be out of date."""

from collections.abc import Iterator, Mapping

from pydantic.fields import FieldInfo

from gpulanes.fleet.composition import FILE_CODES
from gpulanes.fleet.model import FleetSpec
from gpulanes.fleet.semantic import SEMANTIC_CODES
from gpulanes.fleet.shapes import ROOT, Shape, describe, field_shapes, models, shapes
from gpulanes.fleet.translate import FIELD_CODES
from gpulanes.spec.base import Model
from gpulanes.spec.constraints import Constraint
from gpulanes.units import Amount, Bytes, DailyWindow, Duration, Fraction, MonthlyCost, PerTime, Unit, WeeklyWindow

_INTRODUCTION = """\
# The fleet file

One YAML file describes one environment. `gpulanes schema` prints its JSON Schema, for editors.
This page is generated from the models; change those, not this page.

The file is UTF-8, at most 1 MiB, one document, without anchors, aliases, merge keys and tags. Scalars follow YAML 1.2:
only `true` and `false` are booleans, and `22:00` and `on` are text. A field that is not needed is left out: an empty
value is refused.
"""

_UNITS: tuple[type[Unit], ...] = (Duration, Bytes, Fraction, Amount, PerTime, MonthlyCost, WeeklyWindow, DailyWindow)


def reference_markdown() -> str:
    """Return the page: fields of every model, units, and the codes of problems."""
    places = _places()
    parts = [_INTRODUCTION, "## Fields\n"]
    parts += [_model(model, where) for model, where in places.items()]
    parts.append(_table("## Units\n", ("Unit", "Written", "Examples"), _unit_rows()))
    parts.append("## Problems\n\nThe code in brackets at the end of a problem; codes are stable.\n")
    parts.append(_codes("### The text\n", FILE_CODES))
    parts.append(_codes("### One field\n\nThe JSON Schema refuses these too.\n", FIELD_CODES))
    constraints = {c.code: c.allowed for model in places for c in model.CONSTRAINTS}
    parts.append(_codes("### Fields of one object\n\nThe JSON Schema refuses these too.\n", constraints))
    parts.append(_codes("### What a JSON Schema cannot say\n", SEMANTIC_CODES))
    return "\n".join(parts)


def _places() -> dict[type[Model], list[str]]:
    """Every model with the places where it stands, from the root down."""
    found: dict[type[Model], list[str]] = {FleetSpec: ["the file"]}
    for path, model in _below(ROOT, ""):
        found.setdefault(model, []).append(f"`{path}`")
    return found


def _below(options: tuple[Shape, ...], path: str) -> Iterator[tuple[str, type[Model]]]:
    for model in models(options):
        for name, info in model.model_fields.items():
            inner, place = _inside(field_shapes(info), f"{path}{name}")
            for found in models(inner):
                yield place, found
            yield from _below(inner, f"{place}.")


def _inside(options: tuple[Shape, ...], path: str) -> tuple[tuple[Shape, ...], str]:
    """Step into the values of a mapping or the entries of a list."""
    for shape in options:
        if shape.contents:
            return shapes(shape.contents[-1]), f"{path}.NAME" if len(shape.contents) > 1 else f"{path}[]"
    return options, path


def _model(model: type[Model], where: list[str]) -> str:
    rows = [_field(name, info) for name, info in model.model_fields.items()]
    text = f"### {model.__name__}\n\n{_line(model.__doc__)}\n\nAt {', '.join(dict.fromkeys(where))}.\n"
    return _table(text, ("Field", "Value", "Default", "Meaning"), rows) + _constraints(model.CONSTRAINTS)


def _field(name: str, info: FieldInfo) -> tuple[str, ...]:
    options = field_shapes(info)
    inner, _ = _inside(options, "")
    named = ", ".join(f"[{m.__name__}](#{m.__name__.lower()})" for m in models(inner))
    value = f"{describe(options)}: {named}" if named else describe(options)
    return f"`{name}`", value, _default(info), _line(info.description)


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "required"
    if info.default_factory is not None:
        return "its own defaults"
    default = info.get_default()
    if default is None:
        return ""
    if isinstance(default, list):
        return f"`[{', '.join(default)}]`"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`" if default != "" else "empty"


def _constraints(constraints: tuple[Constraint, ...]) -> str:
    lines = [f"- {c.allowed} (`{c.code}`)\n" for c in constraints]
    return f"\nTogether:\n\n{''.join(lines)}" if lines else ""


def _unit_rows() -> list[tuple[str, ...]]:
    return [(unit.__name__, unit.EXPECTED, ", ".join(f"`{text}`" for text in unit.EXAMPLES)) for unit in _UNITS]


def _codes(heading: str, codes: Mapping[str, str]) -> str:
    return _table(heading, ("Code", "Meaning"), [(f"`{code}`", meaning) for code, meaning in codes.items()])


def _table(heading: str, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [header, tuple("---" for _ in header), *rows]
    return heading + "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _line(text: str | None) -> str:
    return " ".join((text or "").replace("``", "`").split())
