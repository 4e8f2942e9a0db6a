"""The base of every model of the user's file: frozen, and unknown fields are refused."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Frozen, strict about names; keys are snake_case as in the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")
