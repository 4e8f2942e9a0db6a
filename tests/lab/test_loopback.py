"""The lab never leaves loopback: shown where there is nothing else."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.lab

# A network namespace with a loopback of its own: nothing outside this shell can be reached from it.
SEALED = ["unshare", "--map-root-user", "--net", "sh", "-c"]
ROAD = "pulumi stack init sealed && pulumi up --yes --policy-pack policies && pulumi destroy --yes"


def can_seal() -> bool:
    try:
        return subprocess.run([*SEALED, "ip link set lo up"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not can_seal(), reason="this system lets nobody make a network namespace")
def test_the_whole_road_runs_where_there_is_only_loopback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    shutil.copytree(Path(__file__).with_name("tiny_program"), tmp_path / "tiny")
    command = f"ip link set lo up && exec {sys.executable} -m gpulanes_lab run --name sealed -- sh -c '{ROAD}'"
    done = subprocess.run(
        [*SEALED, command], cwd=tmp_path / "tiny", capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "+ 3 created" in done.stdout
    assert "- 3 deleted" in done.stdout
