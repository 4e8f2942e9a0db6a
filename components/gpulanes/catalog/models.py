"""Shapes of public models: what memory and time formulas need."""

from dataclasses import dataclass
from datetime import date
from functools import cache

from gpulanes.catalog.hints import unknown
from gpulanes.catalog.rows import day, rows, whole


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """A decoder-only transformer. ``parameters`` is the exact count of its weights.

    ``active_parameters`` take part in one token (all of them in a dense model), ``kv_heads`` below
    ``heads`` is grouped-query attention, ``tied_embeddings`` means that the output head reuses the
    input embedding.
    """

    name: str
    parameters: float
    active_parameters: float
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    hidden: int
    vocabulary: int
    tied_embeddings: bool = False
    source: str = ""
    as_of: date | None = None

    @property
    def embedding_parameters(self) -> int:
        """Parameters of the embedding and the output head, which quantised checkpoints keep in bf16."""
        return self.vocabulary * self.hidden * (1 if self.tied_embeddings else 2)


@cache
def models() -> dict[str, ModelFacts]:
    """Every model of the catalogue by name."""
    return {
        row["model"]: ModelFacts(
            name=row["model"],
            parameters=whole(row, "parameters"),
            active_parameters=whole(row, "active_parameters"),
            layers=whole(row, "layers"),
            heads=whole(row, "heads"),
            kv_heads=whole(row, "kv_heads"),
            head_dim=whole(row, "head_dim"),
            hidden=whole(row, "hidden"),
            vocabulary=whole(row, "vocabulary"),
            tied_embeddings=row["tied_embeddings"] == "true",
            source=row["source"],
            as_of=day(row["as_of"]),
        )
        for row in rows("models.csv")
    }


def model(name: str, *, path: str = "model") -> ModelFacts:
    """Look up a model by name; case does not matter.

    Raises:
        CatalogError: ``unknown-model``, with the nearest name. ``path`` is where the user wrote it.
    """
    found = models().get(name.lower())
    if found is None:
        raise unknown(
            code="unknown-model",
            path=path,
            name=name,
            allowed=f"one of {', '.join(models())}",
            known=models(),
            otherwise="state the model's shape: parameters, layers, heads, kv_heads, head_dim, hidden, vocabulary",
        )
    return found
