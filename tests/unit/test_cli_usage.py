"""Help, usage errors, broken pipes and Ctrl-C."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import gpulanes
from gpulanes.cli import __main__ as entry
from gpulanes.cli.__main__ import main

COMMANDS = [["plan"], ["check"], ["explain"], ["explain", "pool"], ["explain", "rule"], ["schema"]]


@pytest.mark.parametrize("command", [[], *COMMANDS], ids=" ".join)
def test_help_is_everywhere_and_shows_an_example(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--help"]) == 0
    printed = capsys.readouterr()
    assert f"Usage: {' '.join(['gpulanes', *command])}" in printed.out
    assert "Example" in printed.out
    assert printed.err == ""


def test_help_lists_the_commands_when_nothing_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    printed = capsys.readouterr().out
    assert [name for name in ("plan", "check", "explain", "schema") if name not in printed] == []


def test_the_version_is_the_distribution_s(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("gpulanes 0.")


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        (["nope"], "nope"),
        (["schem"], "schema"),
        (["plan"], "file"),
        (["plan", "a.yaml", "b.yaml"], "b.yaml"),
        (["plan", "a.yaml", "--outptu", "json"], "--output"),
        (["plan", "a.yaml", "-o", "xml"], "json"),
        (["check"], "targets"),
        (["explain", "pool", "chat"], "file"),
        (["explain", "rule"], "rule"),
        (["schema", "extra"], "extra"),
    ],
)
def test_a_usage_error_says_what_is_wrong_and_where_to_read_on(
    tokens: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(tokens) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said.lower() in printed.err.lower()
    assert "--help" in printed.err.splitlines()[-1]


def test_a_reader_that_leaves_ends_the_command_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "gpulanes.cli", "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == entry.BROKEN_PIPE


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Children can be interrupted, also where this run was started in the background and ignores it itself."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_the_command_without_a_traceback(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "gpulanes.cli", "plan", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"fleet: waiting\n")
        process.stdin.flush()
        while not _waits_for_input(process.pid):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().strip() == b""
    assert process.returncode == entry.INTERRUPTED


def _waits_for_input(pid: int) -> bool:
    """Whether the process blocks on standard input (Linux tells the system call: 0 is read, on descriptor 0)."""
    return Path(f"/proc/{pid}/syscall").read_text(encoding="ascii").split()[:2] == ["0", "0x0"]


def test_a_terminal_without_unicode_still_gets_the_text() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "gpulanes.cli", "--help"], capture_output=True, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_missing_file_is_a_readable_line() -> None:
    ran = gpulanes("plan", "no/such/file.yaml")
    assert ran.code == 2
    assert "no/such/file.yaml" in ran.err
    assert "no such file or directory" in ran.err
    assert "Traceback" not in ran.err
