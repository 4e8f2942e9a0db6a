"""Commands as a person types them: printed, run in the lab, and their output shown without the scroll."""

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from gpulanes_lab.errors import LabError
from gpulanes_lab.lab import Lab

Shorten = Callable[[str], str]
_SECTION = re.compile(r"^(\x1b\[[0-9;]*m)*(Policies|Diagnostics|Outputs|Resources|Duration)\b.*:")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


class Shell:
    """A shell in one folder of the lab."""

    def __init__(self, lab: Lab, folder: Path, console: Console) -> None:
        self._lab = lab
        self._folder = folder
        self._console = console

    def type(self, command: str, shorten: Shorten | None = None, expect: int = 0) -> None:
        """Print a command, run it and show its output, shortened when asked to.

        Raises:
            LabError: it ended otherwise than expected; carries all it printed.
        """
        self._console.print(Text.assemble(("\n$ ", "green"), (command, "bold")))
        code, output = self._run(shlex.split(command))
        if code != expect:
            message = f"`{command}` ended with {code}, expected {expect}:\n{output}"
            raise LabError(message)
        shown = (shorten(output) if shorten else output).rstrip()
        if shown:
            self._console.print(Text.from_ansi(shown), soft_wrap=True)

    def _run(self, command: list[str]) -> tuple[int, str]:
        """Run to the end, showing the newest line on a terminal while it runs."""
        width = self._console.width - 4
        with subprocess.Popen(
            command,
            cwd=self._folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            assert process.stdout is not None  # noqa: S101  started with a pipe
            lines = []
            with self._console.status("", spinner="dots") as status:
                for line in process.stdout:
                    lines.append(line)
                    status.update(Text(_ANSI.sub("", line).strip()[:width], style="dim"))
        return process.returncode, "".join(lines)

    def _environment(self) -> dict[str, str]:
        """What a person's terminal would give: colours when there is one, and its width."""
        extra = {"PULUMI_OPTION_SUPPRESS_PROGRESS": "true", "COLUMNS": str(self._console.width)}
        if self._console.is_terminal:
            extra |= {"PULUMI_OPTION_COLOR": "always", "FORCE_COLOR": "1"}
        return self._lab.command_env(self._folder, extra)


def sections(*names: str) -> Shorten:
    """Keep the named sections of Pulumi's output, which come after one line per resource."""

    def shorten(output: str) -> str:
        kept: list[str] = []
        keeping = False
        for line in output.splitlines():
            if found := _SECTION.match(line):
                keeping = found.group(2) in names
            if keeping:
                kept.append(line)
            # Pulumi's advice follows the duration without a heading of its own.
            keeping = keeping and not (found and found.group(2) == "Duration")
        return "\n".join(kept).strip("\n")

    return shorten


def first_lines(count: int, more: str) -> Shorten:
    """Keep the beginning, and say what the rest is."""

    def shorten(output: str) -> str:
        lines = output.rstrip().splitlines()
        rest = len(lines) - count
        return "\n".join([*lines[:count], f"  … {rest} more lines: {more}"] if rest > 0 else lines)

    return shorten
