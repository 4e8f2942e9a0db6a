"""Reads what a command is pointed at. Whatever is wrong with a path is a Problem, never a traceback."""

import os
import sys
from pathlib import Path

from gpulanes.errors import GpulanesError, Problem

FLEET_BYTES = 1 << 20
"""The loader's limit; one byte more is read, so that the loader sees that the file is too long."""

STDIN = "/dev/stdin"
"""What ``-`` on the command line stands for."""


def read_bytes(path: str, *, limit: int) -> bytes:
    """At most ``limit + 1`` bytes of ``path``; raises GpulanesError if it cannot be read."""
    if path == STDIN:
        return sys.stdin.buffer.read(limit + 1)
    try:
        with Path(path).open("rb") as file:
            return file.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        fix = "give the path of a readable file, or - for standard input"
        raise GpulanesError([Problem("file-unreadable", path, "", reason, fix)]) from error


def shown(path: str) -> str:
    """The name of a target as findings and problems show it."""
    return "standard input" if path == STDIN else path


def files_under(folder: str, suffixes: frozenset[str]) -> list[str]:
    """Every file below ``folder`` with one of the suffixes, sorted; hidden folders are left out."""
    found = []
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [str(Path(root, name)) for name in sorted(names) if Path(name).suffix in suffixes]
    return found
