"""Runs the command line as a user does, in a process of its own."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Ran:
    """What one command printed, how it ended, and the processor time it took (a busy machine does not change that)."""

    code: int
    out: str
    err: str
    seconds: float


def _spent() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def gpulanes(*words: str, cwd: Path = ROOT, stdin: bytes = b"") -> Ran:
    """Run ``gpulanes`` with these words."""
    before = _spent()
    done = subprocess.run(
        [sys.executable, "-m", "gpulanes.cli", *words], cwd=cwd, input=stdin, capture_output=True, check=False
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode(), _spent() - before)


def fastest(*words: str, times: int = 3) -> float:
    """The least processor time of several runs that end well."""
    runs = [gpulanes(*words) for _ in range(times)]
    assert [run.err for run in runs if run.code] == []
    return min(run.seconds for run in runs)
