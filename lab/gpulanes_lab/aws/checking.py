"""What the service would refuse of a resource's inputs, found before anything is created."""

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.constraints import violations
from gpulanes_lab.aws.naming import DEFAULTS, autoname, filled, with_name
from gpulanes_lab.aws.shapes import property_path, to_api
from gpulanes_lab.aws.table import Failure, Field, Resource
from gpulanes_lab.aws.tagging import tag_failures
from gpulanes_lab.aws.values import UNKNOWN, Document, Plain

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud


def completed(resource: Resource, logical: str, seed: bytes, new: Document, old: Document) -> Document | Failure:
    """Return the inputs with the provider's defaults and a physical name; a generated name stays what it was."""
    inputs = {name: value for name, value in new.items() if name != DEFAULTS}
    defaults = []
    for one in resource.fields:
        if one.default is not None and one.name not in inputs:
            inputs[one.name] = one.default
            defaults.append(one.name)
    rule = resource.autoname
    if rule and rule.field not in inputs and not (rule.prefix and rule.prefix in inputs):
        kept = old.get(rule.field) if rule.field in filled(old) else None
        name = kept or autoname(rule, logical, seed, inputs)
        if isinstance(name, Failure):
            return name
        inputs[rule.field] = name
        defaults.append(rule.field)
    return inputs | {DEFAULTS: defaults}


def failures(resource: Resource, cloud: "Cloud", inputs: Document) -> list[Failure]:
    """Return everything the service would refuse, each with its property path."""
    given = {name: value for name, value in inputs.items() if name != DEFAULTS}
    found = list(_unfit(resource.fields, given, ""))
    if not found:
        found = [
            *tag_failures("tags", given.get("tags")),
            *_modelled(resource, cloud, given),
            *(failure for check in resource.checks for failure in check(cloud, given)),
        ]
    return list(dict.fromkeys(found))


def _unfit(fields: Sequence[Field], given: Mapping[str, Plain], path: str) -> Iterator[Failure]:
    """Yield unknown names, outputs given as inputs, missing properties and wrong types."""
    by_name = {one.name: one for one in fields}
    for name in given:
        if name not in by_name:
            yield Failure(path + name, _unknown(name, by_name))
    for one in fields:
        value = given.get(one.name)
        if value is None:
            if one.required:
                yield Failure(path + one.name, "is required")
        elif one.change == "computed":
            yield Failure(path + one.name, "is an output of the service and cannot be set")
        elif value is not UNKNOWN:
            yield from _type_failures(one, value, path + one.name)


def _unknown(name: str, covered: Mapping[str, Field]) -> str:
    inputs = sorted(one.name for one in covered.values() if one.change != "computed")
    close = difflib.get_close_matches(name, inputs, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"is no property that the emulated provider covers{hint} (covered: {', '.join(inputs)})"


def _text_boolean(value: Plain) -> bool:
    return isinstance(value, bool) or str(value).lower() in ("true", "false")


def _strings(value: Plain) -> bool:
    return isinstance(value, list) and all(item is UNKNOWN or isinstance(item, str) for item in value)


def _string_map(value: Plain) -> bool:
    return isinstance(value, Mapping) and all(item is UNKNOWN or isinstance(item, str) for item in value.values())


_FITS: Final[Mapping[str, tuple[Callable[[Plain], bool], str]]] = {
    "string": (lambda value: isinstance(value, str), "a string"),
    "json": (lambda value: isinstance(value, str), "a JSON text"),
    "integer": (lambda value: isinstance(value, int) and not isinstance(value, bool), "a whole number"),
    "number": (lambda value: isinstance(value, int | float) and not isinstance(value, bool), "a number"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "text-boolean": (_text_boolean, '"true" or "false"'),
    "strings": (_strings, "a list of strings"),
    "map": (_string_map, "a map of strings"),
    "tags": (_string_map, "a map of strings"),
    "block": (lambda value: isinstance(value, Mapping), "an object"),
    "blocks": (lambda value: isinstance(value, list), "a list of objects"),
}


def _type_failures(one: Field, value: Plain, path: str) -> Iterator[Failure]:
    fits, wanted = _FITS[one.kind]
    if not fits(value):
        yield Failure(path, f"must be {wanted}, not {value!r}")
    elif one.kind == "block":
        yield from _unfit(one.fields, value, f"{path}.")
    elif one.kind == "blocks":
        for index, item in enumerate(value):
            if isinstance(item, Mapping):
                yield from _unfit(one.fields, item, f"{path}[{index}].")
            elif item is not UNKNOWN:
                yield Failure(f"{path}[{index}]", f"must be an object, not {item!r}")


def _modelled(resource: Resource, cloud: "Cloud", given: Document) -> Iterator[Failure]:
    """Yield what the service's own model refuses of the request that these inputs make."""
    if resource.request is None:
        return
    # A prefix becomes a name when the request is made; until then one of the same length stands for it.
    request = to_api(resource.fields, with_name(resource.autoname, given), resource.spelling)
    if resource.shape:
        request = resource.shape(request)
    for violation in violations(cloud.input_shape(*resource.request), request):
        path = property_path(resource.fields, _inside(resource, violation.path), resource.spelling)
        if path is None:
            message = f"{resource.type}: no property makes {violation.path} of the request: {violation.reason}"
            raise AssertionError(message)
        yield Failure(path, violation.reason)


def _inside(resource: Resource, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Drop the envelope that a type's ``shape`` puts around its members."""
    size = len(resource.envelope)
    return path[size:] if path[:size] == resource.envelope else path
