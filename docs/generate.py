"""Writes the reference pages from the code; ``--check`` only says whether they are up to date."""

import json
import sys
from pathlib import Path

from gpulanes import fleet
from gpulanes_policies import report

REFERENCE = Path(__file__).parent / "reference"


def pages() -> dict[str, str]:
    """Return the text of every generated file by its name."""
    return {
        "spec.md": fleet.reference_markdown(),
        "fleet.schema.json": json.dumps(fleet.schema(), indent=2, ensure_ascii=False) + "\n",
        "rules.md": report.reference_markdown(),
    }


def stale() -> list[str]:
    """Return the names of files that differ from the code."""
    return [
        name
        for name, text in pages().items()
        if not (REFERENCE / name).exists() or (REFERENCE / name).read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str]) -> int:
    """Write what is stale, or with ``--check`` name it and fail."""
    names = stale()
    if arguments == ["--check"]:
        sys.stdout.writelines(f"{name} is out of date: run `make docs`\n" for name in names)
        return 1 if names else 0
    for name in names:
        (REFERENCE / name).write_text(pages()[name], encoding="utf-8")
        sys.stdout.write(f"wrote docs/reference/{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
