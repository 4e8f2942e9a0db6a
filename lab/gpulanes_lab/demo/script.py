"""The steps of `make demo`."""

import shutil
import time
from itertools import takewhile
from pathlib import Path

from rich.console import Console
from rich.rule import Rule

from gpulanes_lab.demo.created import table, things
from gpulanes_lab.demo.shell import Shell, first_lines, sections
from gpulanes_lab.errors import LabError
from gpulanes_lab.lab import Lab

REPOSITORY = Path(__file__).parents[3]
BIN = ".venv/bin"  # where `make` puts the commands
# What a user edits or runs; a copy, because a stack's settings are written beside its file.
_COPIED = ("Pulumi.yaml", "stacks", "policies")
UP = "pulumi up --yes --skip-preview --policy-pack policies"
# What to try next, and what it shows.
NEXT = (
    ("gpulanes explain pool chat stacks/prod.yaml", "where every number of a pool comes from"),
    ("gpulanes explain rule CAP-01", "why a rule is there, and how to satisfy it"),
    ("make lab", "keep the local cloud running, and drive it yourself"),
)


def show(lab: Lab) -> int:
    """Play every step in a lab of its own; 1 when one does not go as told."""
    console = Console(highlight=False)
    began = time.monotonic()
    _welcome(console)
    try:
        with console.status("starting the local cloud", spinner="dots"):
            lab.start()
        folder = _copy(lab)
        console.print(f"The local cloud is up after {time.monotonic() - began:.1f} s.", style="dim")
        _play(lab, Shell(lab, folder, console), console)
        _goodbye(console, time.monotonic() - began)
    except LabError as error:
        console.print(f"\n{error}", style="red", markup=False, soft_wrap=True)
        return 1
    finally:
        lab.stop()
    return 0


def _play(lab: Lab, shell: Shell, console: Console) -> None:
    _heading(console, "From workloads to nodes, with the arithmetic kept")
    shell.type("gpulanes plan stacks/prod.yaml")
    _heading(console, "Preview, with the guardrails")
    shell.type("pulumi stack init prod", _nothing)
    console.print("# prod protects its cluster and its stores; this demo wants to clean up", style="dim")
    shell.type("pulumi config set protect false", _nothing)
    shell.type("pulumi preview --policy-pack policies", sections("Policies", "Diagnostics", "Resources"))
    _heading(console, "Create it")
    shell.type(UP, sections("Policies", "Diagnostics", "Resources", "Duration"))
    console.print("\nWhat the cloud and the cluster hold now, asked from their own APIs:\n", style="dim")
    console.print(table(things(lab)))
    _heading(console, "Again: nothing changes")
    shell.type(f"{UP} --expect-no-changes", sections("Policies", "Diagnostics", "Resources", "Duration"))
    _broken(shell, console)
    _heading(console, "Clean up")
    shell.type("pulumi stack select prod", _nothing)
    shell.type("pulumi destroy --yes --skip-preview", sections("Diagnostics", "Resources", "Duration"))


def _broken(shell: Shell, console: Console) -> None:
    """A fleet file that plans and must not run: even without a preview nothing is created."""
    _heading(console, "A bad afternoon: training edited into the serving lane")
    shell.type("gpulanes check stacks/broken.yaml", expect=1)
    shell.type("pulumi stack init broken", _nothing)
    shorter = first_lines(13, "the same findings, each with its fix")
    shell.type(UP, lambda output: shorter(sections("Policies", "Resources")(output)), expect=1)
    shell.type("pulumi stack", _listed)
    console.print("# the stack's own entry and no resource: nothing was created", style="dim")


def _nothing(_output: str) -> str:
    return ""


def _listed(output: str) -> str:
    """The resources that `pulumi stack` lists.

    Raises:
        LabError: the rejected stack holds more than its own entry.
    """
    lines = output.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("Current stack resources"))
    listed = list(takewhile(str.strip, lines[start:]))
    if not listed[0].startswith("Current stack resources (1)"):
        message = "something was created from a fleet file that was rejected:\n" + "\n".join(listed)
        raise LabError(message)
    return "\n".join(listed)


def _copy(lab: Lab) -> Path:
    folder = lab.home.directory / "demo"
    folder.mkdir()
    for name in _COPIED:
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def _welcome(console: Console) -> None:
    console.print("[bold]gpulanes[/]: two lanes for one GPU cluster, proven before `pulumi up`")
    console.print(
        "A real Pulumi engine and a real Kubernetes API server, on an emulated AWS. No account, no cost; it all ends "
        "with this command.",
        style="dim",
    )


def _heading(console: Console, text: str) -> None:
    console.print()
    console.print(Rule(f"[bold]{text}[/]", align="left", style="dim"))


def _goodbye(console: Console, seconds: float) -> None:
    console.print()
    console.print(Rule(style="dim"))
    console.print(f"That was the whole road, in {seconds:.0f} s. Three to try next:\n")
    for command, shows in NEXT:
        on_path = command if command.startswith("make") else f"{BIN}/{command}"
        console.print(f"  {on_path}\n    [dim]{shows}[/]", soft_wrap=True)
