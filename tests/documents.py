"""Markdown as the tests read it: fenced blocks, and the commands in console blocks."""

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)#:]+)(?:#[^)]*)?\)")
EXIT = re.compile(r"\s+# exit (?P<code>\d)$")


ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Command:
    """A line after ``$`` in a console block, and the exit code it promises (``# exit 1``; 0 when silent)."""

    line: str
    code: int

    @property
    def program(self) -> str:
        """The first word."""
        return self.line.split()[0]


def blocks(file: Path, language: str) -> list[str]:
    """The text of every fenced block in that language, in order."""
    found = FENCE.finditer(file.read_text(encoding="utf-8"))
    return [dedent(match["text"]) for match in found if match["language"] == language]


def commands(file: Path) -> list[Command]:
    """Every command of every console block, in order."""
    lines = [line[2:] for text in blocks(file, "console") for line in text.splitlines() if line.startswith("$ ")]
    return [Command(EXIT.sub("", line), int(found["code"]) if (found := EXIT.search(line)) else 0) for line in lines]


def documents() -> list[Path]:
    """Every document of the repository that people read."""
    return [ROOT / "README.md", ROOT / "stacks/README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def links(file: Path) -> list[str]:
    """Every relative link target."""
    return [match["target"] for match in LINK.finditer(FENCE.sub("", file.read_text(encoding="utf-8")))]
