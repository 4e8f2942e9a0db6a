"""A Pulumi project in the lab, driven with the commands that a user types."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from gpulanes_lab.lab import Lab


def stretch() -> float:
    """How much longer things take because this machine does other work: promises are made for an idle one."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


_LOUD = ("preview", "up", "refresh", "destroy")


@dataclass
class Project:
    """One copy of a program with one stack."""

    lab: Lab
    folder: Path
    stack: str
    variables: dict[str, str] = field(default_factory=dict)

    def pulumi(self, *arguments: str, check: bool = True, **extra: str) -> CompletedProcess[str]:
        """Run `pulumi` in the project, without colours."""
        quiet = ("--suppress-outputs", "--suppress-progress") if arguments[0] in _LOUD else ()
        command = ("pulumi", *arguments, *quiet, "--color=never", "--non-interactive")
        return self.lab.run(*command, cwd=self.folder, extra=self.variables | extra, check=check)

    def up(self, *arguments: str, check: bool = True, **extra: str) -> CompletedProcess[str]:
        """`pulumi up` without its preview."""
        return self.pulumi("up", "--yes", "--skip-preview", *arguments, check=check, **extra)

    def destroy(self) -> CompletedProcess[str]:
        """`pulumi destroy`."""
        return self.pulumi("destroy", "--yes", "--skip-preview")

    def resources(self) -> list[dict[str, Any]]:
        """What the stack's state holds."""
        exported = json.loads(self.pulumi("stack", "export").stdout)
        found: list[dict[str, Any]] = exported["deployment"].get("resources", [])
        return found
