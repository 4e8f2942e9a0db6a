"""Engine processes that a killed engine left running: found by the lab they belong to, ended by id."""

import os
from pathlib import Path

import psutil

from gpulanes_lab.environment import MARKER
from gpulanes_lab.lifetime import end
from gpulanes_lab.toolchain.cache import cache_root

_MODULES = (
    "gpulanes_lab.aws",
    "gpulanes_lab.language_host",
    "gpulanes_lab.moto_server",
    "pulumi.policy",
    "pulumi.run.plugin",
)
_EXECUTOR = "pulumi-language-python-exec"


def strays(directory: Path) -> list[psutil.Process]:
    """The programs of this lab that still run.

    Carrying the lab's marker is not enough, because whatever a user starts from a shell with the lab's environment
    carries it too: the process must also be one of the engine's or the lab's own programs.
    """
    me = os.getpid()
    return [p for p in psutil.process_iter() if p.pid != me and _belongs(p, str(directory)) and _is_ours(p)]


def end_strays(directory: Path) -> None:
    """End them."""
    end(strays(directory), grace=1)


def _belongs(process: psutil.Process, directory: str) -> bool:
    try:
        return process.environ().get(MARKER) == directory
    except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
        return False


def _is_ours(process: psutil.Process) -> bool:
    try:
        command, program = process.cmdline(), process.exe()
    except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
        return False
    if Path(program).is_relative_to(cache_root()) or Path(program).name.startswith("pulumi"):
        return True
    return any(word in _MODULES or Path(word).name == _EXECUTOR for word in command)
