"""The base of every unit: one text form that is parsed, printed and published as JSON Schema.

A unit's ``PATTERN`` is both what ``parse`` accepts and what the schema says, so the two cannot
differ. Patterns stay inside the part of the syntax that Python and ECMAScript share.
"""

import re
from abc import abstractmethod
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

NUMBER = r"([0-9]{1,18}(?:\.[0-9]{1,30})?)"
"""An unsigned decimal number; long enough to print every float in range without an exponent."""


def plain(number: Decimal) -> str:
    """Return a number without exponent and without trailing zeros: ``70.6``, ``1200``."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def exact(value: float) -> Decimal:
    """Return the shortest decimal that reads back as ``value``."""
    return Decimal(repr(value))


class UnitRangeError(ValueError):
    """The text is well formed, but the value is one that nothing can have: a limit no pattern can state."""

    def __init__(self, allowed: str) -> None:
        super().__init__(f"expected {allowed}")


def within(value: float, low: float, high: float, allowed: str) -> None:
    """Raise UnitRangeError unless ``low <= value <= high``; NaN and infinity never pass."""
    if not low <= value <= high:
        raise UnitRangeError(allowed)


class Unit:
    """Mixin of the unit dataclasses: parsing by ``PATTERN``, and the hooks that pydantic calls."""

    __slots__ = ()

    PATTERN: ClassVar[str]
    EXPECTED: ClassVar[str]
    EXAMPLES: ClassVar[tuple[str, ...]]
    NUMBERS: ClassVar[dict[str, float] | None] = None
    """JSON Schema limits of a bare number, where one is natural; ``None`` refuses bare numbers."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text form; raises ValueError with ``expected …``."""
        match = re.fullmatch(cls.PATTERN, text)
        if match is None:
            message = f"expected {cls.EXPECTED}"
            raise ValueError(message)
        return cls._read(*match.groups())

    @classmethod
    @abstractmethod
    def _read(cls, *groups: str) -> Self:
        """Build the value from the groups of ``PATTERN``."""

    @classmethod
    def accept(cls, value: object) -> Self:
        """Take an instance, the text form or, where natural, a bare number; raises ValueError."""
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            return cls.parse(value)
        if cls.NUMBERS is not None and isinstance(value, int | float) and not isinstance(value, bool):
            within(value, cls.NUMBERS["minimum"], cls.NUMBERS["maximum"], cls.EXPECTED)
            return cls(float(value))  # type: ignore[call-arg]  # a unit with NUMBERS has one field
        message = f"expected {cls.EXPECTED}"
        raise ValueError(message)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Validate with ``accept`` and serialise to JSON as text."""
        from pydantic_core import core_schema  # noqa: PLC0415 - units stay light for those who need no pydantic

        text = core_schema.plain_serializer_function_ser_schema(str, when_used="json")
        return core_schema.no_info_plain_validator_function(cls.accept, serialization=text)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: "CoreSchema", handler: "GetJsonSchemaHandler") -> dict[str, Any]:
        """Publish the pattern that ``parse`` uses, and the limits of a bare number."""
        text = {"type": "string", "pattern": f"^{cls.PATTERN}$", "examples": list(cls.EXAMPLES)}
        if cls.NUMBERS is None:
            return text
        return {"anyOf": [text, {"type": "number", **cls.NUMBERS}]}
