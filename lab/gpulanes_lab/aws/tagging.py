"""Tags: what AWS allows, and how the provider's default tags meet a resource's own."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gpulanes_lab.aws.table import Failure
from gpulanes_lab.aws.values import UNKNOWN, Document, Plain, inside

# Source: AWS General Reference, tag naming limits and requirements.
_MOST: Final = 50
_KEY: Final = 128
_VALUE: Final = 256
_ALLOWED: Final = re.compile(r"[\w\s.:/=+\-@]*")


def tag_failures(path: str, tags: Plain) -> Iterator[Failure]:
    """Yield what AWS refuses of a set of tags."""
    if not isinstance(tags, Mapping):
        return
    if len(tags) > _MOST:
        yield Failure(path, f"{len(tags)} tags; AWS allows at most {_MOST} on a resource")
    for key, value in tags.items():
        yield from (Failure(inside(path, key), reason) for reason in _reasons(key, value))


def _reasons(key: str, value: Plain) -> Iterator[str]:
    if key.lower().startswith("aws:"):
        yield "keys that start with aws: are reserved for AWS"
    if not 1 <= len(key) <= _KEY:
        yield f"a tag key has 1 to {_KEY} characters, this one {len(key)}"
    if not _ALLOWED.fullmatch(key):
        yield "a tag key takes letters, digits, spaces and _ . : / = + - @"
    if value is UNKNOWN:
        return
    if not isinstance(value, str):
        yield "a tag value is a string"
    elif len(value) > _VALUE:
        yield f"a tag value has at most {_VALUE} characters, this one {len(value)}"
    elif not _ALLOWED.fullmatch(value):
        yield f"{value!r}: a tag value takes letters, digits, spaces and _ . : / = + - @"


def merged(defaults: Mapping[str, str], tags: Plain) -> Plain:
    """Return the tags that a resource ends up with."""
    return UNKNOWN if tags is UNKNOWN else {**defaults, **(tags or {})}


def own(every: Mapping[str, str], defaults: Mapping[str, str], said: Plain) -> Document:
    """Return the resource's own tags: all but the defaults, unless the program repeats them."""
    repeated = said if isinstance(said, Mapping) else {}
    return {key: value for key, value in every.items() if key in repeated or defaults.get(key) != value}


def listed(tags: Mapping[str, str] | None) -> list[dict[str, str]]:
    """Return tags as the list of Key and Value that most services take."""
    return [{"Key": key, "Value": value} for key, value in (tags or {}).items()]


def mapped(tags: Sequence[Mapping[str, str]] | None) -> Document:
    """Return a service's list of tags as a map, AWS's own left out."""
    return {one["Key"]: one.get("Value", "") for one in tags or () if not one["Key"].startswith("aws:")}


def changes(old: Document, new: Document) -> tuple[dict[str, str], list[str]]:
    """Return the tags to set and the keys to remove between two ``tagsAll``."""
    before, after = old.get("tagsAll") or {}, new.get("tagsAll") or {}
    put = {key: value for key, value in after.items() if before.get(key) != value}
    return put, [key for key in before if key not in after]
