"""One environment as the user wrote it: the model, the loader, the published schema."""

from gpulanes.fleet.lines import line_numbers, nearest_line
from gpulanes.fleet.load import load_bytes, load_data, load_text
from gpulanes.fleet.model import FleetSpec
from gpulanes.fleet.reference import reference_markdown
from gpulanes.fleet.schema import schema
from gpulanes.fleet.semantic import SEMANTIC_CODES

__all__ = [
    "SEMANTIC_CODES",
    "FleetSpec",
    "line_numbers",
    "load_bytes",
    "load_data",
    "load_text",
    "nearest_line",
    "reference_markdown",
    "schema",
]
