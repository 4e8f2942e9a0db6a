"""What a resource will look like, what it looks like now, and which inputs describe that."""

import re
from collections.abc import Mapping, Sequence

from gpulanes_lab.aws.diffing import differences, same, same_item
from gpulanes_lab.aws.naming import DEFAULTS
from gpulanes_lab.aws.table import Field, Resource
from gpulanes_lab.aws.values import UNKNOWN, Document, Plain, blank


def planned(resource: Resource, inputs: Document, old: Document | None = None) -> Document:
    """Return the outputs that a preview may promise: the inputs, and what is known to stay; the rest is unknown."""
    outputs = _planned(resource.fields, inputs, old)
    if old is not None and resource.renewed and renews(resource, old, inputs):
        outputs |= dict.fromkeys(resource.renewed, UNKNOWN)
    if DEFAULTS in inputs:
        outputs[DEFAULTS] = inputs[DEFAULTS]
    return outputs


def renews(resource: Resource, old: Document, new: Document) -> bool:
    """Whether a change to ``new`` gives the resource new values of its renewed outputs."""
    return any(
        re.split(r"[.\[]", one.path, maxsplit=1)[0] in resource.renewed_by for one in differences(resource, old, new)
    )


def _planned(fields: Sequence[Field], given: Document, old: Document | None) -> Document:
    outputs: Document = {}
    for one in fields:
        before = None if old is None else old.get(one.name)
        value = given.get(one.name, one.default)
        if value is not None and one.change != "computed":
            outputs[one.name] = _planned_value(one, value, before)
        elif one.change == "computed" or one.chosen:
            outputs[one.name] = UNKNOWN if old is None else before
    return {name: value for name, value in outputs.items() if value is not None}


def _planned_value(one: Field, value: Plain, before: Plain) -> Plain:
    if one.kind == "block" and isinstance(value, Mapping):
        return _planned(one.fields, dict(value), before if isinstance(before, dict) else None)
    return value


def settled(fields: Sequence[Field], outputs: Document, said: Document) -> Document:
    """Return outputs in the program's own wording: sets in its order, policies as it spelled them."""
    result = dict(outputs)
    for one in fields:
        now, before = outputs.get(one.name), said.get(one.name)
        if now is not None and before is not None and before is not UNKNOWN:
            result[one.name] = _settled(one, now, before)
        elif now is None and one.api == "":
            # No service keeps these: what was said stands, or the provider's default after an import.
            result[one.name] = before if before is not None else one.default
    return {name: value for name, value in result.items() if value is not None}


def _settled(one: Field, now: Plain, before: Plain) -> Plain:
    if one.kind == "block" and isinstance(before, Mapping):
        return settled(one.fields, now, dict(before))
    if one.kind in ("strings", "blocks") and one.unordered:
        return _ordered(one, now, before)
    if one.kind == "blocks" and len(now) == len(before):
        return [settled(one.fields, item, dict(prior)) for item, prior in zip(now, before, strict=True)]
    if one.kind in ("json", "text-boolean") and same(one, now, before):
        return before
    return now


def _ordered(one: Field, now: list[Plain], before: list[Plain]) -> list[Plain]:
    left, result = list(now), []
    for prior in before:
        match = next((item for item in left if same_item(one, prior, item)), None)
        if match is not None:
            left.remove(match)
            result.append(settled(one.fields, match, dict(prior)) if one.kind == "blocks" else match)
    return result + left


def inputs_of(resource: Resource, outputs: Document, said: Document) -> Document:
    """Return the inputs that describe ``outputs``, as close to what was said as the facts allow.

    With nothing said (an import) the service's own choices are left out, but for the physical name and for what
    the type says an import has to write down.
    """
    keep = frozenset(() if said else (*resource.identity, *resource.imported))
    inputs = _narrowed(resource.fields, outputs, said, keep)
    if DEFAULTS in said:
        inputs[DEFAULTS] = said[DEFAULTS]
    return inputs


def _narrowed(fields: Sequence[Field], now: Document, said: Document, keep: frozenset[str]) -> Document:
    inputs: Document = {}
    for one in fields:
        if one.change == "computed":
            continue
        value, before = now.get(one.name), said.get(one.name)
        if before is not None:
            inputs[one.name] = _narrow(one, value, before)
        elif one.name in keep or one.required or not (one.chosen or _says_nothing(one, value)):
            inside = frozenset(name.removeprefix(f"{one.name}.") for name in keep if name.startswith(f"{one.name}."))
            block = one.kind == "block" and isinstance(value, dict)
            inputs[one.name] = _narrowed(one.fields, value or {}, {}, inside) if block else value
    return {name: value for name, value in inputs.items() if value is not None and (value != {} or name in said)}


def _says_nothing(one: Field, value: Plain) -> bool:
    """Whether a value is what its absence means."""
    return bool(value == one.default) or (blank(value) and blank(one.default))


def _narrow(one: Field, value: Plain, before: Plain) -> Plain:
    if blank(value) and blank(before):
        return before
    if one.kind == "block" and isinstance(value, Mapping) and isinstance(before, Mapping):
        return _narrowed(one.fields, dict(value), dict(before), frozenset())
    if one.kind == "blocks" and isinstance(value, list) and isinstance(before, list):
        none: frozenset[str] = frozenset()
        padded: list[Document] = [*before, *({} for _ in value)]
        return [
            _narrowed(one.fields, dict(item), dict(prior), none) for item, prior in zip(value, padded, strict=False)
        ]
    return value
