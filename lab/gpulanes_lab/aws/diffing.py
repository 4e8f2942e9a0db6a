"""What differs between a resource's state and the inputs wanted, and what that does to it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from gpulanes_lab.aws.naming import filled
from gpulanes_lab.aws.table import Field, Resource
from gpulanes_lab.aws.values import UNKNOWN, Document, Plain, blank, inside, known


class Difference(NamedTuple):
    """One property that would change, and whether that replaces the resource."""

    path: str
    kind: Literal["add", "delete", "update"]
    replaces: bool


def differences(resource: Resource, old: Document, new: Document, ignored: Sequence[str] = ()) -> list[Difference]:
    """Return every change from the state ``old`` to the inputs ``new``, outputs left out."""
    forced = resource.forces(old, new)
    found = [
        one._replace(replaces=one.replaces or one.path in forced or _top(one.path) in forced)
        for one in _block(resource.fields, old, new, "", replaces=False)
    ]
    return [one for one in found if not any(_covers(path, one.path) for path in ignored)]


def deletes_first(resource: Resource, old: Document, new: Document) -> bool:
    """Whether a replacement would carry the physical name that the old resource holds."""
    if not resource.identity:
        return False
    generated = {*filled(old), *filled(new)}
    return all(
        known(new.get(name)) and new.get(name) == old.get(name) and name not in generated for name in resource.identity
    )


def _block(fields: Sequence[Field], old: Document, new: Document, path: str, *, replaces: bool) -> Iterator[Difference]:
    for one in fields:
        if one.change != "computed":
            inner = replaces or one.change == "immutable"
            name = one.name if not path else f"{path}.{one.name}"
            yield from _property(one, old.get(one.name), new.get(one.name), name, replaces=inner)


def _property(one: Field, old: Plain, new: Plain, path: str, *, replaces: bool) -> Iterator[Difference]:
    new = one.default if new is None else new
    if new is None:
        if not one.chosen and not blank(old) and not _blank_block(one, old):
            yield Difference(path, "delete", replaces)
        return
    if new is UNKNOWN:
        yield Difference(path, "add" if old is None else "update", replaces or _immutable_inside(one))
        return
    if old is None:
        if not blank(new):
            yield Difference(path, "add", replaces or _immutable_inside(one, new))
        return
    yield from _compared(one, old, new, path, replaces=replaces)


def _compared(one: Field, old: Plain, new: Plain, path: str, *, replaces: bool) -> Iterator[Difference]:
    if one.kind == "block":
        yield from _block(one.fields, old, new, path, replaces=replaces)
    elif one.kind in ("map", "tags"):
        yield from _map(old, new, path, replaces=replaces)
    elif one.kind in ("strings", "blocks"):
        yield from (_set if one.unordered else _sequence)(one, old, new, path, replaces=replaces)
    elif not same(one, old, new):
        yield Difference(path, "update", replaces)


def _map(old: Document, new: Document, path: str, *, replaces: bool) -> Iterator[Difference]:
    for key in sorted({*old, *new}):
        place = inside(path, key)
        if key not in old:
            yield Difference(place, "add", replaces)
        elif key not in new:
            yield Difference(place, "delete", replaces)
        elif old[key] != new[key]:
            yield Difference(place, "update", replaces)


def _sequence(one: Field, old: list[Plain], new: list[Plain], path: str, *, replaces: bool) -> Iterator[Difference]:
    for index in range(max(len(old), len(new))):
        place = f"{path}[{index}]"
        if index >= len(old):
            yield Difference(place, "add", replaces)
        elif index >= len(new):
            yield Difference(place, "delete", replaces)
        else:
            yield from _item(one, old[index], new[index], place, replaces=replaces)


def _item(one: Field, old: Plain, new: Plain, path: str, *, replaces: bool) -> Iterator[Difference]:
    if one.kind == "blocks" and new is not UNKNOWN:
        yield from _block(one.fields, old, new, path, replaces=replaces)
    elif old != new:
        yield Difference(path, "update", replaces)


def _set(one: Field, old: list[Plain], new: list[Plain], path: str, *, replaces: bool) -> Iterator[Difference]:
    added = [index for index, item in enumerate(new) if not any(same_item(one, item, other) for other in old)]
    gone = [index for index, item in enumerate(old) if not any(same_item(one, other, item) for other in new)]
    for index in added:
        yield Difference(f"{path}[{index}]", "update" if index in gone else "add", replaces)
    for index in gone:
        if index not in added:
            yield Difference(f"{path}[{index}]", "delete", replaces)


def same_item(one: Field, wanted: Plain, actual: Plain) -> bool:
    """Whether two elements of a list agree in everything that is not an output."""
    if one.kind == "blocks" and isinstance(wanted, Mapping) and isinstance(actual, Mapping):
        return not any(_block(one.fields, dict(actual), dict(wanted), "", replaces=False))
    return bool(wanted == actual)


def same(one: Field, old: Plain, new: Plain) -> bool:
    """Whether two scalars say the same: policies by their meaning, booleans in text by their value."""
    if one.kind == "json":
        return bool(meaning(old) == meaning(new))
    if one.kind == "text-boolean":
        return str(old).lower() == str(new).lower()
    return bool(old == new)


def meaning(text: Plain) -> Plain:
    """Return what a JSON policy says, with one-element lists as their element; other text as it stands."""
    try:
        return _simple(json.loads(text)) if isinstance(text, str) else text
    except ValueError:
        return text


def _simple(value: Plain) -> Plain:
    if isinstance(value, dict):
        return {key: _simple(item) for key, item in value.items()}
    if isinstance(value, list):
        items = sorted((_simple(item) for item in value), key=lambda item: json.dumps(item, sort_keys=True))
        return items[0] if len(items) == 1 else items
    return value


def _blank_block(one: Field, old: Plain) -> bool:
    """Whether a block holds only what the service chose or zero values."""
    if one.kind != "block" or not isinstance(old, Mapping):
        return False
    return not any(_block(one.fields, dict(old), {}, "", replaces=False))


def _immutable_inside(one: Field, value: Plain = UNKNOWN) -> bool:
    given = {inner.name for inner in one.fields} if value is UNKNOWN else value
    return one.kind == "block" and any(inner.change == "immutable" and inner.name in given for inner in one.fields)


def _top(path: str) -> str:
    return path.split(".", 1)[0].split("[", 1)[0]


def _covers(ignored: str, path: str) -> bool:
    """Whether an ignoreChanges path, in which ``*`` stands for one step, holds a changed path."""
    pattern = re.escape(ignored).replace(r"\[\*\]", r"\[\d+\]").replace(r"\*", r"[^.\[]+")
    return re.match(rf"{pattern}(?:$|[.\[])", path) is not None
