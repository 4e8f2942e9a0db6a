"""`make lab` and its siblings: what they print can be pasted, and they end what they started."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.lab

LAB = [sys.executable, "-m", "gpulanes_lab"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory of one's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "gpulanes" / "labs"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*LAB, *arguments], capture_output=True, text=True, check=False, timeout=120)


def test_a_lab_left_running_can_be_used_from_a_shell_and_ended(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "production")
    up = run("up", "--name", "mine")
    try:
        assert (up.returncode, up.stdout) == (0, run("env", "--name", "mine").stdout)
        said = subprocess.run(
            ["sh", "-c", f"{up.stdout}\necho profile=${{AWS_PROFILE-none}}; pulumi whoami -v; aws eks get-token"],
            env=os.environ,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert "profile=none" in said
        assert f"Backend URL: file://{home / 'mine' / 'backend'}" in said
        assert '"ExecCredential"' in said
        assert run("up", "--name", "mine").stdout == up.stdout
    finally:
        down = run("down", "--name", "mine")
    assert "The lab is down." in down.stderr
    assert list(home.iterdir()) == []


def test_ending_a_lab_that_is_not_up_says_so(home: Path) -> None:
    down = run("down", "--name", "never")
    assert (down.returncode, down.stderr) == (0, "The lab was not up.\n")
    assert not home.exists()


def test_the_environment_of_a_lab_that_is_not_up_is_refused_without_a_traceback(home: Path) -> None:
    refused = run("env", "--name", "never")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "the lab 'never' is not up; start it with `make lab`\n"
    assert not home.exists()


@pytest.mark.usefixtures("home")
def test_wrong_usage_is_two() -> None:
    wrong = run("upp")
    assert wrong.returncode == 2
    assert "Traceback" not in wrong.stderr


def test_a_command_runs_in_a_lab_of_its_own_and_its_code_is_kept(home: Path) -> None:
    done = run("run", "--name", "once", "--", "sh", "-c", "test -d $PULUMI_HOME/plugins && exit 7")
    assert done.returncode == 7
    assert list(home.iterdir()) == []
