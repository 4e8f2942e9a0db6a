"""Where built tools are kept: outside the source tree, one directory per exact content, never half-written."""

import contextlib
import fcntl
import hashlib
import os
import platform
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from gpulanes_lab.toolchain import crds
from gpulanes_lab.toolchain.table import TOOLS_DIR, Tool


def cache_root() -> Path:
    """`$XDG_CACHE_HOME/gpulanes`, by default `~/.cache/gpulanes`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gpulanes"


def tool_dir(tool: Tool) -> Path:
    """Where this exact tool is, or will be: it exists only when it is complete."""
    return cache_root() / "tools" / f"{tool.name}-{tool.version}-{_fingerprint(tool)}"


def _fingerprint(tool: Tool) -> str:
    digest = hashlib.sha256(f"{tool!r} {platform.system()} {platform.machine()}".encode())
    for name in ("go.mod", "go.sum", "main.go"):
        file = TOOLS_DIR / tool.name / name
        digest.update(file.read_bytes() if file.exists() else b"-")
    if tool.name == "crds":
        digest.update(Path(crds.__file__).read_bytes())
    return digest.hexdigest()[:10]


@contextlib.contextmanager
def locked(directory: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the one lock for making ``directory``; the kernel releases it even when we are killed."""
    locks = directory.parent / ".locks"
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / directory.name).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def written_whole(directory: Path) -> Iterator[Path]:
    """Give an empty directory to fill; it becomes ``directory`` only when the block ends well.

    Call it under `locked`: what a killed run left half-written is removed first.
    """
    partial = directory.with_name(f".{directory.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        yield partial
        partial.rename(directory)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
