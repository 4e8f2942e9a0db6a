"""Nothing the lab starts may outlive the lab: how processes die with their parent, and are ended by id."""

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable

import psutil

_PR_SET_PDEATHSIG = 1
# Loaded before any fork: a forked child may only call what is there.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
# How long a process may take to end by itself before it is killed.
GRACE_SECONDS = 5.0


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent ends (Linux; elsewhere the keeper ends its children)."""
    if _LIBC:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def same_process(pid: int, created: float) -> bool:
    """Whether process ``pid`` still runs and is the one that began at ``created`` (ids are reused)."""
    try:
        process = psutil.Process(pid)
        return process.create_time() == created and _runs(process)
    except psutil.NoSuchProcess:
        return False


def when_parent_ends(action: Callable[[], None], every: float = 0.5) -> None:
    """Call ``action`` from a thread of its own once the process that started us is gone."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(every)
        action()

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


def exit_with_parent() -> None:
    """End this process at once when its parent is gone: for plugins whose engine was killed."""
    when_parent_ends(lambda: os._exit(1))


def end(processes: Iterable[psutil.Process], grace: float = GRACE_SECONDS) -> None:
    """End processes: politely, then by force after ``grace`` seconds."""
    alive = list(processes)
    for process in alive:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.terminate()
    for process in _wait_gone(alive, grace):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    _wait_gone(alive, GRACE_SECONDS)


def _wait_gone(processes: list[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Wait until all have ended (one that its parent has not yet asked about has); return those that have not."""
    deadline = time.monotonic() + seconds
    while (left := [process for process in processes if _runs(process)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def family(pid: int) -> list[psutil.Process]:
    """A process and all its descendants, oldest first; empty when it is gone."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
