"""The lab never leaves loopback and never starts a foreign plugin: shown where there is nothing else to reach."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.lab

ROOT = Path(__file__).parents[2]
# A network namespace with a loopback of its own: nothing outside it can be reached from it.
SEALED = ["unshare", "--map-root-user", "--net", "sh", "-c"]
ROAD = "pulumi stack init dev && pulumi up --yes --skip-preview && pulumi destroy --yes --skip-preview"


def can_seal() -> bool:
    try:
        return subprocess.run([*SEALED, "ip link set lo up"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The program with the small fleet."""
    folder = tmp_path / "clone"
    folder.mkdir()
    shutil.copy(ROOT / "Pulumi.yaml", folder)
    shutil.copytree(ROOT / "stacks", folder / "stacks", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def dangerous(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment with a real profile and a real-looking plugin; returns the file that tells of its calls."""
    called, decoys = tmp_path / "called", tmp_path / "decoys"
    decoys.mkdir()
    for name in ("pulumi-resource-aws", "aws", "kubectl"):
        (decoys / name).write_text(f"#!/bin/sh\necho $0 >> {called}\nexit 1\n", encoding="utf-8")
        (decoys / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{decoys}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("AWS_PROFILE", "production")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example.com:3128")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return called


@pytest.mark.skipif(not can_seal(), reason="this system lets nobody make a network namespace")
def test_the_whole_road_runs_where_there_is_only_loopback(clone: Path, dangerous: Path) -> None:
    command = f"ip link set lo up && exec {sys.executable} -m gpulanes_lab run --name sealed -- sh -c '{ROAD}'"
    done = subprocess.run([*SEALED, command], cwd=clone, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "aws:eks:NodeGroup" in done.stdout
    assert "kubernetes:karpenter.sh/v1:NodePool" in done.stdout
    assert not dangerous.exists()
