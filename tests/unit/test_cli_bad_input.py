"""Input of every bad kind: exit 2, a readable list on standard error, no traceback, within a second."""

from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from builders_fleet import FLEET, changed
from command_line import gpulanes
from gpulanes.cli.__main__ import main
from gpulanes.cli.reading import read_bytes
from gpulanes.errors import GpulanesError

MEBIBYTE = 1 << 20


def bomb() -> str:
    """A billion laughs: nine levels of nine aliases."""
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 10)]
    return "\n".join(["l0: &l0 [lol]", *levels, FLEET])


BAD: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "only-spaces": lambda: b"  \n\n",
    "binary": lambda: bytes(range(256)) * 400,
    "ten-megabytes-of-yaml": lambda: b"fleet: chat\n" + b"# padding\n" * MEBIBYTE,
    "ten-megabytes-of-one-line": lambda: b"fleet: " + b"x" * (10 * MEBIBYTE),
    "ten-megabytes-of-zeros": lambda: bytes(10 * MEBIBYTE),
    "yaml-bomb": lambda: bomb().encode(),
    "deep-nesting": lambda: b"fleet: " + b"[" * 100_000,
    "deep-json": lambda: b"{" + b'"a":{' * 100_000,
    "a-list": lambda: b"- fleet\n- chat\n",
    "a-number": lambda: b"42\n",
    "not-utf-8": lambda: FLEET.replace("chat", "caf\xe9").encode("latin-1"),
    "duplicate-key": lambda: changed(("fleet: chat", "fleet: chat\nfleet: again")).encode(),
    "unclosed": lambda: b"fleet: {chat: [",
    "tabs": lambda: b"fleet:\n\tchat: 1\n",
    "python-tag": lambda: b"fleet: !!python/object/apply:os.system [echo]\n",
    "wrong-types": lambda: changed(("zones: [us-east-1a, us-east-1b, us-east-1c]", "zones: 3")).encode(),
    "negative-number": lambda: changed(("requests_per_second: 5.5", "requests_per_second: -5.5")).encode(),
    "absurd-number": lambda: changed(("requests_per_second: 5.5", "requests_per_second: 1e300")).encode(),
    "not-a-number": lambda: changed(("requests_per_second: 5.5", "requests_per_second: .nan")).encode(),
    "huge-integer": lambda: changed(("requests_per_second: 5.5", f"requests_per_second: {'9' * 5000}")).encode(),
    "non-ascii-name": lambda: changed(("fleet: chat", "fleet: чат")).encode(),
    "terminal-escape-in-a-name": lambda: changed(("fleet: chat", 'fleet: "\\e[2J"')).encode(),
    "unknown-field": lambda: changed(("fleet: chat", "fleet: chat\nflet: chat")).encode(),
}


IMPORTS = 0.3
"""Seconds of the one that a process of its own spends before it reads anything."""


@pytest.mark.parametrize("command", ["plan", "check"])
@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_told_and_not_thrown(
    command: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "fleet.yaml"
    file.write_bytes(BAD[kind]())
    start = process_time()
    code = main([command, str(file)])
    seconds = process_time() - start
    told = capsys.readouterr()
    assert (code, told.out) == (2, ""), told.err
    assert str(file) in told.err
    assert "fix: " in told.err
    assert "\x1b" not in told.err
    assert seconds <= 1.0 - IMPORTS


@pytest.mark.parametrize("kind", ["empty", "binary", "ten-megabytes-of-yaml", "yaml-bomb", "deep-json"])
def test_a_process_with_bad_input_ends_within_a_second_and_without_a_traceback(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "fleet.yaml"
    file.write_bytes(BAD[kind]())
    ran = gpulanes("check", str(file))
    assert (ran.code, ran.out) == (2, "")
    assert "Traceback" not in ran.err
    assert ran.seconds <= 1.0


@pytest.mark.parametrize("command", ["plan", "check"])
def test_bad_input_on_standard_input_is_told_alike(command: str) -> None:
    ran = gpulanes(command, "-", stdin=b"flet: chat\n")
    assert (ran.code, ran.out) == (2, "")
    assert "standard input:1" in ran.err


@pytest.mark.parametrize("path", ["missing.yaml", "a\0b", "x" * 5000, "/proc/self/mem"])
def test_a_path_that_cannot_be_read_is_told(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", path]) == 2
    assert "file-unreadable" in capsys.readouterr().err


def test_a_folder_is_no_fleet_file(tmp_path: Path) -> None:
    ran = gpulanes("plan", str(tmp_path))
    assert ran.code == 2
    assert "is a directory" in ran.err


def test_a_file_without_permission_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(GpulanesError, match="permission denied"):
        read_bytes(str(tmp_path / "secret.yaml"), limit=10)


def test_every_problem_of_every_target_is_told_at_once(tmp_path: Path) -> None:
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    first.write_text("fleet: 1\n", encoding="utf-8")
    second.write_text("fleet: [\n", encoding="utf-8")
    ran = gpulanes("check", str(first), str(second), "missing.yaml")
    assert ran.code == 2
    assert [name for name in ("first.yaml", "second.yaml", "missing.yaml") if name not in ran.err] == []
    assert "problems" in ran.err.splitlines()[-1]


def test_a_fleet_that_no_plan_satisfies_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "fleet.yaml"
    file.write_text(changed(("replica: {gpus: 4,", "replica: {gpus: 1,")), encoding="utf-8")
    ran = gpulanes("check", str(file))
    assert (ran.code, ran.out) == (2, "")
    line = FLEET[: FLEET.index("replica: {gpus")].count("\n") + 1
    assert f"{file}:{line} workloads.chat.replica.gpus = 1  [replica-does-not-fit]" in ran.err
