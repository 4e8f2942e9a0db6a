"""The versions table, `lab/tools/versions.toml`: the one place that pins the lab's tools."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

TOOLS_DIR = Path(__file__).parents[2] / "tools"


@dataclass(frozen=True, slots=True)
class Source:
    """Files taken as they are from a Go module, which is checked against its published sum."""

    module: str
    version: str
    sum: str
    files: str


@dataclass(frozen=True, slots=True)
class Tool:
    """One entry of the table: either ``packages`` to build or ``sources`` to copy."""

    name: str
    version: str
    minutes: int
    megabytes: int
    module: str = ""
    module_version: str = ""
    packages: tuple[tuple[str, str], ...] = ()
    tags: tuple[str, ...] = ()
    ldflags: tuple[str, ...] = ()
    embed: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()

    @property
    def go_module_version(self) -> str:
        """The version of ``module`` in Go's spelling."""
        return self.module_version or f"v{self.version}"


def load_table(path: Path = TOOLS_DIR / "versions.toml") -> dict[str, Tool]:
    """Read the table; an unknown key in an entry is an error (TypeError), not ignored."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: _tool(name, entry) for name, entry in raw.items()}


def _tool(name: str, entry: dict[str, object]) -> Tool:
    lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list) and key != "sources"}
    tables = {key: tuple(value.items()) for key, value in entry.items() if isinstance(value, dict)}
    sources = entry.get("sources", [])
    assert isinstance(sources, list)  # noqa: S101  the table is ours, and a test loads it
    fields = {**entry, **lists, **tables, "sources": tuple(Source(**s) for s in sources)}
    return Tool(name=name, **fields)  # type: ignore[arg-type]
