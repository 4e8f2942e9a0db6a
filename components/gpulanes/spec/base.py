"""The base of every model of the user's file: frozen, strict about types, and unknown fields are refused."""

from typing import ClassVar, Self

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from gpulanes.spec.constraints import Constraint, ConstraintError, holds


class Model(BaseModel):
    """Frozen, strict about names and types; keys are snake_case as in the file.

    ``CONSTRAINTS`` are the rules between fields that JSON Schema can state.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True, defer_build=True, allow_inf_nan=False
    )

    CONSTRAINTS: ClassVar[tuple[Constraint, ...]] = ()

    @model_validator(mode="after")
    def _keep_constraints(self) -> Self:
        """Refuse a combination of fields that a constraint forbids; raises ConstraintError."""
        given = self.given() if self.CONSTRAINTS else {}
        broken = tuple(c for c in self.CONSTRAINTS if not holds(c.fragment, given))
        if broken:
            raise ConstraintError(broken)
        return self

    def given(self) -> dict[str, object]:
        """Return what was written, without defaults, as plain data down to the models' fields."""
        fields = ((name, getattr(self, name)) for name in type(self).model_fields if name in self.model_fields_set)
        return {
            name: value.given() if isinstance(value, Model) else value for name, value in fields if value is not None
        }

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Publish the constraints with the fields."""
        published = handler(schema)
        if cls.CONSTRAINTS:
            handler.resolve_ref_schema(published)["allOf"] = [c.fragment for c in cls.CONSTRAINTS]
        return published
