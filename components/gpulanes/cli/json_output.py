"""JSON for programs: one document on standard output, keys in the order of the model."""

import json
import sys

from gpulanes.kinds.plain import Plain


def print_json(value: Plain) -> None:
    """Write ``value`` as indented JSON."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
