"""The fleet file's JSON Schema, made from the models."""

from functools import cache
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from gpulanes.fleet.model import FleetSpec
from gpulanes.units import Unit

SCHEMA_ID = "urn:gpulanes:schema:fleet:1"


class _Generator(GenerateJsonSchema):
    """What the loader reads is a file: no nulls, units as people write them, keys checked like values."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """A field is left out rather than null."""
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """A field that may be left out has no default to show."""
        if schema.get("default", ...) is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)

    def encode_default(self, dft: object) -> object:
        """Units in their text form."""
        return str(dft) if isinstance(dft, Unit) else super().encode_default(dft)

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """A key that does not match is refused, not ignored."""
        published = super().dict_schema(schema)
        for pattern, values in published.pop("patternProperties", {}).items():
            published |= {"propertyNames": {"pattern": pattern}, "additionalProperties": values}
        return published

    def field_title_should_be_set(self, schema: object) -> bool:
        """Field names say it already, whatever the schema."""
        del schema
        return False


@cache
def _schema() -> dict[str, Any]:
    made = FleetSpec.model_json_schema(schema_generator=_Generator)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        **made,
        "title": "gpulanes fleet file",
    }


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the fleet file.

    What it refuses, the loader refuses; what it accepts, the loader accepts but for ``SEMANTIC_CODES``.
    """
    return dict(_schema())
