"""`make demo` does what it says, in the time it promises, and leaves nothing behind."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from lab_projects import stretch

pytestmark = pytest.mark.lab

COMMANDS = (
    "gpulanes plan stacks/prod.yaml",
    "pulumi preview --policy-pack policies",
    "pulumi up --yes --skip-preview --policy-pack policies",
    "gpulanes check stacks/broken.yaml",
    "pulumi destroy --yes --skip-preview",
)


def test_the_demo_walks_the_whole_road_within_a_minute(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    before = sources(repository)
    limit = 60 * stretch()
    began = time.monotonic()
    shown = subprocess.run(
        [sys.executable, "-m", "gpulanes_lab", "demo"], cwd=repository, capture_output=True, text=True, check=False
    )
    took = time.monotonic() - began
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert [command for command in COMMANDS if f"$ {command}" not in shown.stdout] == []
    created = shown.stdout.split("asked from their own APIs", 1)[1]
    for lane in ("INFERENCE", "TRAINING", "BATCH", "SYSTEM"):
        assert lane in created
    assert "unchanged" in shown.stdout
    assert "CAP-01" in shown.stdout
    assert "Current stack resources (1)" in shown.stdout
    assert "Three to try next" in shown.stdout
    assert took < limit
    assert sources(repository) == before
    assert list((tmp_path / "gpulanes" / "labs").iterdir()) == []


def sources(repository: Path) -> dict[Path, bytes]:
    """What a stack's commands write into when they run in the repository itself."""
    files = [repository / "Pulumi.yaml", *(repository / "stacks").rglob("*")]
    return {file: file.read_bytes() for file in files if file.is_file() and "__pycache__" not in file.parts}
