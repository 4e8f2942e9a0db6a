"""Field tables of the Kubernetes objects that are rendered: a mistyped field is refused before it is registered.

The API server prunes or refuses unknown fields only when an object is applied, and some clients do not
ask it to. The tables in ``tables/`` are the structure of the published schemas (names, types, enums,
patterns); rules in CEL stay with the API server.
"""

import difflib
import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from textwrap import shorten
from typing import Any

import pulumi

from gpulanes.errors import Problem

Schema = Mapping[str, Any]

SHOWN = 60
"""Characters of a wrong value that an error repeats."""

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "object": Mapping,
    "array": Sequence,
}


@cache
def has_table(kind: str) -> bool:
    """Say whether objects of a kind are checked."""
    return (resources.files("gpulanes.clouds.kube") / "tables" / f"{kind}.json").is_file()


@cache
def table(kind: str) -> Mapping[str, Any]:
    """Return the table of a kind: apiVersion, kind, source, as_of, schema; raises FileNotFoundError without one."""
    path = resources.files("gpulanes.clouds.kube") / "tables" / f"{kind}.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def manifest_problems(manifest: Mapping[str, Any], subject: str) -> Iterator[Problem]:
    """Yield what is wrong with a manifest of a kind that has a table; ``subject`` names it in the messages."""
    known = table(str(manifest["kind"]))
    if manifest.get("apiVersion") != known["apiVersion"]:
        yield _problem(
            f"{subject}.apiVersion", manifest.get("apiVersion"), known["apiVersion"], "use the served version"
        )
    metadata = manifest.get("metadata", {})
    yield from _value(table("ObjectMeta")["schema"], metadata, f"{subject}.metadata")
    body = {key: value for key, value in manifest.items() if key not in {"apiVersion", "kind", "metadata", "status"}}
    yield from _value(known["schema"], body, subject)


def _value(schema: Schema, value: object, path: str) -> Iterator[Problem]:
    """Check one value; what is not known yet (an Output) is for the API server to judge."""
    if value is None or isinstance(value, pulumi.Output) or inspect.isawaitable(value):
        return
    if schema.get("x-kubernetes-int-or-string"):
        if isinstance(value, bool) or not isinstance(value, int | str):
            yield _problem(path, value, "a whole number or a string", "write 1 or 10%")
        return
    expected = schema.get("type")
    if expected and not _is(value, expected):
        yield _problem(path, value, f"{expected}", f"give a value of type {expected}")
    elif isinstance(value, Mapping):
        yield from _object(schema, value, path)
    elif expected == "array" and isinstance(value, Sequence):
        yield from _array(schema, value, path)
    else:
        yield from _scalar(schema, value, path)


def _is(value: object, expected: str) -> bool:
    if isinstance(value, bool):
        return expected == "boolean"
    if expected == "integer" and isinstance(value, float):
        return value.is_integer()  # numbers that have been through the engine are floats
    if expected == "array" and isinstance(value, str):
        return False
    return isinstance(value, _TYPES[expected])


def _object(schema: Schema, value: Mapping[str, object], path: str) -> Iterator[Problem]:
    fields: Mapping[str, Schema] = schema.get("properties", {})
    rest: Schema | None = schema.get("additionalProperties")
    open_ended = rest is not None or schema.get("x-kubernetes-preserve-unknown-fields") or "properties" not in schema
    for name, item in value.items():
        if name in fields:
            yield from _value(fields[name], item, f"{path}.{name}")
        elif rest is not None:
            yield from _value(rest, item, f"{path}[{name!r}]")
        elif not open_ended:
            yield _unknown(f"{path}.{name}", item, name, fields)
    for name in schema.get("required", ()):
        if value.get(name) is None:
            yield _problem(f"{path}.{name}", None, "required", "set the field")


def _unknown(path: str, item: object, name: str, fields: Mapping[str, Schema]) -> Problem:
    close = difflib.get_close_matches(name, fields, n=1)
    fix = f"use {close[0]}" if close else "remove it"
    return _problem(path, item, f"one of the fields {', '.join(sorted(fields))}", fix)


def _array(schema: Schema, value: Sequence[object], path: str) -> Iterator[Problem]:
    low, high = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not low <= len(value) <= high:
        yield _problem(path, f"{len(value)} items", f"{low} to {high} items", "change the list")
    for index, item in enumerate(value):
        yield from _value(schema.get("items", {}), item, f"{path}[{index}]")


def _scalar(schema: Schema, value: object, path: str) -> Iterator[Problem]:
    if "enum" in schema and value not in schema["enum"]:
        yield _problem(path, value, f"one of {', '.join(map(str, schema['enum']))}", "use one of them")
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield _problem(path, value, f"text like {schema['pattern']}", "spell it so")
        low, high = schema.get("minLength", 0), schema.get("maxLength", len(value))
        if not low <= len(value) <= high:
            yield _problem(path, value, f"{low} to {high} characters, not {len(value)}", "change its length")
    elif isinstance(value, int | float) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield _problem(path, value, f"from {schema.get('minimum')} to {schema.get('maximum')}", "change the number")


def _problem(path: str, value: object, allowed: str, fix: str) -> Problem:
    shown = "" if value is None else shorten(str(value), SHOWN, placeholder="…")
    return Problem("manifest-field", path, shown, allowed, fix)
