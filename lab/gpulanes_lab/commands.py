"""The lab's commands: up, down, env, run, build, demo."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console

from gpulanes_lab.environment import own_variables, scrubbed
from gpulanes_lab.lab import Lab
from gpulanes_lab.toolchain.ensure import ensure

app = App(
    name="gpulanes_lab",
    version_flags=[],
    help="A local cloud for gpulanes: a real Pulumi engine, a real Kubernetes control plane, an emulated AWS.",
)
_errors = Console(stderr=True, highlight=False)

Name = Annotated[str, Parameter(name="--name", help="Which lab: labs of different names run side by side.")]


def _say(text: str) -> None:
    _errors.print(text, style="dim", soft_wrap=True)


@app.command
def build() -> None:
    """Find or build every tool the lab needs, without starting it."""
    for name, directory in ensure(_say).directories.items():
        sys.stdout.write(f"{name}: {directory}\n")


@app.command
def up(*, name: Name = "default") -> None:
    """Start the lab, leave it running and print the environment to use it."""
    lab = Lab(name, say=_say)
    lab.start(owner=0)
    _errors.print("The lab is up. To use it in this shell:", style="bold")
    _print_exports(lab)


@app.command
def env(*, name: Name = "default") -> None:
    """Print the running lab's environment as shell commands: `eval "$(make -s lab)"`."""
    _print_exports(Lab(name))


@app.command
def down(*, name: Name = "default") -> None:
    """End the lab and everything in it."""
    lab = Lab(name)
    was_up = lab.up
    lab.stop()
    _errors.print("The lab is down." if was_up else "The lab was not up.")


@app.command
def run(*command: Annotated[str, Parameter(allow_leading_hyphen=True)], name: Name = "default") -> int:
    """Run a command in the lab: in the running one, else in one that lives as long as the command."""
    lab = Lab(name, say=_say)
    if lab.up:
        return _foreground(lab, command)
    with lab:
        return _foreground(lab, command)


@app.command
def demo(*, name: Name = "demo") -> int:
    """Show the whole road on stacks/prod.yaml: plan, preview, up, a guardrail, destroy."""
    from gpulanes_lab.demo.script import show

    return show(Lab(name, say=_say))


def _foreground(lab: Lab, command: tuple[str, ...]) -> int:
    here = Path.cwd()
    return subprocess.run(command, env=lab.command_env(here), cwd=here, check=False).returncode


def _print_exports(lab: Lab) -> None:
    """Shell commands that turn a caller's environment into the lab's."""
    record = lab.record
    for variable in scrubbed(os.environ):
        sys.stdout.write(f"unset {variable}\n")
    certificate = shlex.quote(str(lab.home.credentials.api_certificate))
    for variable, value in own_variables(lab.home, record, path="").items():
        quoted = shlex.quote(value)
        if variable == "PATH":
            quoted += '"$PATH"'
        elif variable == "GPULANES_LAB_KUBE_CA":
            quoted = f"\"$(base64 < {certificate} | tr -d '\\n')\""
        sys.stdout.write(f"export {variable}={quoted}\n")
