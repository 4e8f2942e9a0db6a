"""Between a type's properties and the service's own shape, driven by the type's table."""

import json
from collections.abc import Mapping, Sequence
from typing import Literal

from gpulanes_lab.aws.table import Field
from gpulanes_lab.aws.tagging import listed, mapped
from gpulanes_lab.aws.values import UNKNOWN, Document, Plain, inside

Spelling = Literal["pascal", "camel"]


def member(one: Field, spelling: Spelling) -> str:
    """Return the property's name in the service's shape; empty where it has none."""
    if one.api is not None:
        return one.api
    return one.name if spelling == "camel" else one.name[0].upper() + one.name[1:]


def to_api(fields: Sequence[Field], values: Mapping[str, Plain], spelling: Spelling = "pascal") -> Document:
    """Return properties in the service's shape, outputs and the provider's own switches left out."""
    request: Document = {}
    for one in fields:
        name, value = member(one, spelling), values.get(one.name)
        if value is None or not name or one.change == "computed":
            continue
        request[name] = _to_api(one, value, spelling)
    return request


def _to_api(one: Field, value: Plain, spelling: Spelling) -> Plain:
    if value is UNKNOWN:
        return UNKNOWN
    if one.kind == "block":
        return to_api(one.fields, value, spelling)
    if one.kind == "blocks":
        return [UNKNOWN if item is UNKNOWN else to_api(one.fields, item, spelling) for item in value]
    if one.kind == "text-boolean":
        return str(value).lower() == "true"
    if one.kind == "tags":
        return listed(value)
    return value


def from_api(fields: Sequence[Field], described: Mapping[str, Plain], spelling: Spelling = "pascal") -> Document:
    """Return what the service describes as properties; what it leaves out stays absent."""
    outputs: Document = {}
    for one in fields:
        name = member(one, spelling)
        value = described.get(name) if name else None
        if value is not None:
            outputs[one.name] = _from_api(one, value, spelling)
    return outputs


def _from_api(one: Field, value: Plain, spelling: Spelling) -> Plain:
    if one.kind == "block":
        return from_api(one.fields, value, spelling)
    if one.kind == "blocks":
        return [from_api(one.fields, item, spelling) for item in value]
    if one.kind == "text-boolean":
        return str(bool(value)).lower()
    if one.kind == "tags":
        return mapped(value)
    if one.kind == "json" and not isinstance(value, str):
        return json.dumps(value, separators=(",", ":"))
    return value


def property_path(fields: Sequence[Field], path: Sequence[str | int], spelling: Spelling = "pascal") -> str | None:
    """Return the property path for a path in the service's shape, or None where no property stands behind it."""
    if not path:
        return ""
    by_member = {member(one, spelling): one for one in fields}
    one = by_member.get(str(path[0]))
    if one is None:
        return None
    rest, text = list(path[1:]), one.name
    while rest and isinstance(rest[0], int):
        text += f"[{rest.pop(0)}]"
    if rest and one.fields:
        inner = property_path(one.fields, rest, spelling)
        return text if inner is None else f"{text}.{inner}"
    for name in rest:
        text = inside(text, str(name))
    return text
