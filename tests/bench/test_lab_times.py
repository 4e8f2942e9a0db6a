"""What the lab costs once its tools are built."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gpulanes_lab.lab import Lab

pytestmark = [pytest.mark.bench, pytest.mark.lab, pytest.mark.long]


def test_a_demo_is_mostly_its_own_work_and_not_the_labs_start(
    lab: Lab,  # noqa: ARG001  the tools are built
    repository: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    keep: Callable[[str, str], None],
) -> None:
    began = time.monotonic()
    with Lab("start", tmp_path / "labs"):
        start = time.monotonic() - began
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", "gpulanes_lab", "demo"], cwd=repository, capture_output=True, check=True)
    demo = time.monotonic() - began
    keep("start of the lab (10 s are promised)", f"{start:.1f} s")
    keep("`make demo` (60 s are promised)", f"{demo:.1f} s")
    assert start < demo / 2
