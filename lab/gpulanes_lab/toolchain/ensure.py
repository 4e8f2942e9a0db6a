"""Having every tool that a lab needs, building what is missing and saying so."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from gpulanes_lab.toolchain.build import go_for, make
from gpulanes_lab.toolchain.cache import locked, tool_dir, written_whole
from gpulanes_lab.toolchain.installed import InstalledPulumi, installed_pulumi
from gpulanes_lab.toolchain.table import Tool, load_table

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Toolchain:
    """Where each tool is. ``language_host`` is None when the lab's stand-in has to serve."""

    pulumi: Path
    language_host: Path | None
    directories: dict[str, Path]

    def binary(self, tool: str, name: str = "") -> Path:
        """The path of a built binary, by default the one named like its tool."""
        return self.directories[tool] / (name or tool)


def needed(installed: InstalledPulumi | None) -> list[Tool]:
    """The tools a lab needs beside what is installed, quickest first so that a missing Go shows at once."""
    skipped = set()
    if installed:
        skipped.add("pulumi")
        if installed.language_host:
            skipped.add("pulumi-language-python-exec")
    return sorted(
        (tool for name, tool in load_table().items() if name not in skipped), key=lambda t: (t.minutes, t.name)
    )


def ensure(say: Say, installed: InstalledPulumi | None = None) -> Toolchain:
    """Find or make every tool; ``say`` gets one line before each build (with about how long) and one after.

    Raises:
        LabError: Go is missing or too old, or a build failed.
    """
    installed = installed or installed_pulumi()
    tools = needed(installed)
    _announce(tools, say)
    directories = {tool.name: _ensure_one(tool, say) for tool in tools}
    pulumi = installed.binary if installed else directories["pulumi"] / "pulumi"
    return Toolchain(pulumi, installed.language_host if installed else None, directories)


def _announce(tools: Iterable[Tool], say: Say) -> None:
    """Check for Go before anything is built, and say what all the missing tools will cost."""
    missing = [tool for tool in tools if not tool_dir(tool).exists()]
    for tool in missing:
        go_for(tool)
    if len(missing) > 1:
        minutes, megabytes = sum(t.minutes for t in missing), sum(t.megabytes for t in missing)
        say(f"{len(missing)} tools to build, about {minutes} min on two cores and {megabytes} MB, once")


def _ensure_one(tool: Tool, say: Say) -> Path:
    directory = tool_dir(tool)
    if directory.exists():
        return directory
    with locked(directory, lambda: say(f"another run is building {tool.name} {tool.version}; waiting for it")):
        if directory.exists():
            return directory
        about = f", about {tool.minutes} min (once)" if tool.minutes else ""
        say(f"{'building' if tool.packages else 'fetching'} {tool.name} {tool.version}{about}")
        started = time.monotonic()
        with written_whole(directory) as partial:
            make(tool, partial)
        if tool.minutes:
            say(f"built {tool.name} in {_spoken(time.monotonic() - started)}")
    return directory


def _spoken(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
