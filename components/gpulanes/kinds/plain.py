"""Dataclass to plain data, with snake_case (JSON, facts) or camelCase (Pulumi props) field names.

Only field names change; keys of mappings (labels, tags) are data and stay as they are.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

Plain = str | int | float | bool | list["Plain"] | dict[str, "Plain"] | None


def camel(name: str) -> str:
    """``instance_types`` → ``instanceTypes``."""
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


def to_plain(value: object, *, camel_case: bool = False) -> Plain:
    """Return ``value`` as JSON-able data; raises TypeError for anything that is not plain."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            camel(f.name) if camel_case else f.name: to_plain(getattr(value, f.name), camel_case=camel_case)
            for f in fields(value)
        }
    if isinstance(value, Mapping):
        return {str(key): to_plain(item, camel_case=camel_case) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(item, camel_case=camel_case) for item in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    message = f"{type(value).__name__} is not plain data"
    raise TypeError(message)
