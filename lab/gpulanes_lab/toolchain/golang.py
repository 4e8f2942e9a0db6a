"""The user's Go: found, checked, and run in an environment where nothing but the pinned modules decides."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from gpulanes_lab.errors import LabError
from gpulanes_lab.lifetime import die_with_parent

_VERSION = re.compile(r"\bgo(\d+)\.(\d+)(?:\.(\d+))?")


def required_version(go_mod: str) -> tuple[int, int, int]:
    """The least Go that a module's `go` line asks for."""
    match = re.search(r"^go (\d+)\.(\d+)(?:\.(\d+))?$", go_mod, re.MULTILINE)
    if match is None:
        message = "a lab tool's go.mod has no go line"
        raise LabError(message)
    return _triple(match)


def find_go(least: tuple[int, int, int], wanted_for: str, path: str | None = None) -> str:
    """Return the path of a Go that is new enough.

    Raises:
        LabError: Go is missing or too old; says what to install.
    """
    wanted = ".".join(map(str, least))
    go = shutil.which("go", path=path)
    if go is None:
        message = (
            f"building {wanted_for} needs Go {wanted} or newer, and there is no `go` on PATH.\n"
            "Install Go from your system's packages or https://go.dev/dl/ and run the same command again."
        )
        raise LabError(message)
    said = subprocess.run([go, "version"], env=go_environment(), capture_output=True, text=True, check=False)
    match = _VERSION.search(said.stdout)
    if match is None or _triple(match) < least:
        found = match.group(0)[2:] if match else (said.stderr or said.stdout).strip()
        message = (
            f"building {wanted_for} needs Go {wanted} or newer; {go} is {found}.\n"
            "Update Go (https://go.dev/dl/) and run the same command again."
        )
        raise LabError(message)
    return go


def go_environment(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The user's environment with every switch that could change what is built set to ours.

    Proxy, checksum database and caches stay the user's own.
    """
    ours = {
        "GOFLAGS": "-mod=readonly",
        "GOTOOLCHAIN": "local",
        "GOWORK": "off",
        "CGO_ENABLED": "0",
        "GO111MODULE": "on",
    }
    dropped = {"GOOS", "GOARCH", "GOEXPERIMENT", "GOROOT", "GODEBUG"}
    return {key: value for key, value in environ.items() if key not in dropped} | ours


def run_go(go: str, arguments: Sequence[str], cwd: Path) -> str:
    """Run Go and return what it printed; it ends when we end.

    Raises:
        LabError: Go failed; carries the end of what it said.
    """
    done = subprocess.run(
        [go, *arguments],
        cwd=cwd,
        env=go_environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=die_with_parent,
    )
    if done.returncode != 0:
        tail = "\n".join((done.stderr or done.stdout).strip().splitlines()[-15:])
        message = f"`go {arguments[0]}` failed in {cwd.name}:\n{tail}"
        raise LabError(message)
    return done.stdout


def _triple(match: re.Match[str]) -> tuple[int, int, int]:
    major, minor, patch = match.groups()
    return int(major), int(minor), int(patch or 0)
