"""A local cloud: a real Kubernetes control plane, an emulated AWS, and an environment for the engine to run on them."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from gpulanes_lab.controlplane.api import Api
from gpulanes_lab.environment import lab_environment
from gpulanes_lab.errors import LabError
from gpulanes_lab.keeper import BUSY
from gpulanes_lab.plugins import refuse_foreign_plugins
from gpulanes_lab.record import Home, Record, labs_root, read_record
from gpulanes_lab.strays import end_strays
from gpulanes_lab.toolchain.ensure import Say, ensure

_TRIES = 3
# How much of a failed command's output its error carries, counted from the end.
_TOLD = 6000


def _silent(_text: str) -> None:
    """Say nothing: for callers without anybody to tell."""


class Lab:
    """One lab, by name. As a context manager it lives as long as the block.

    Labs of other names run beside it: each has its own ports, directory, backend and plugins.
    """

    def __init__(self, name: str = "default", root: Path | None = None, say: Say = _silent) -> None:
        self.home = Home((root or labs_root()).absolute() / name)
        self._say = say
        self._keeper: subprocess.Popen[bytes] | None = None

    def start(self, owner: int | None = None) -> None:
        """Start the lab, empty, building tools that are missing; nothing to do when it is up.

        It ends with process ``owner`` (by default ours; 0: only when it is told to).

        Raises:
            LabError: a tool cannot be built, or a server cannot be started.
        """
        if read_record(self.home):
            return
        ensure(self._say)
        for left in range(_TRIES - 1, -1, -1):
            try:
                self._start_keeper(os.getpid() if owner is None else owner)
            except LabError as error:
                # A free port was taken by somebody else between choosing and using it.
                if left and "address already in use" in str(error):
                    continue
                raise
            return

    def stop(self) -> None:
        """End everything that belongs to the lab and remove its directory; fine when it is not up."""
        record = read_record(self.home)
        if record:
            with contextlib.suppress(psutil.NoSuchProcess):
                psutil.Process(record.keeper_pid).send_signal(signal.SIGTERM)
            _wait_for(lambda: not record.alive(), 30, "its keeper does not end")
        self._forget_keeper()
        end_strays(self.home.directory)
        shutil.rmtree(self.home.directory, ignore_errors=True)
        self.home.keeper_log.unlink(missing_ok=True)

    @property
    def up(self) -> bool:
        """Whether the lab is ready for use."""
        return read_record(self.home) is not None

    @property
    def record(self) -> Record:
        """The running lab's ports and keeper (LabError when it is not up)."""
        record = read_record(self.home)
        if record is None:
            message = f"the lab {self.home.directory.name!r} is not up; start it with `make lab`"
            raise LabError(message)
        return record

    @property
    def env(self) -> dict[str, str]:
        """The whole environment for a command in the lab."""
        return lab_environment(self.home, self.record)

    @property
    def kube(self) -> Api:
        """The lab's API server."""
        credentials = self.home.credentials
        return Api(self.record.ports.kube_endpoint, credentials.api_certificate, credentials.token())

    @property
    def aws_endpoint(self) -> str:
        """The emulated AWS API, for boto3's ``endpoint_url``."""
        return self.record.ports.aws_endpoint

    def command_env(self, cwd: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment for a command in ``cwd``, after checking that it can reach no real cloud.

        Raises:
            LabError: another `aws` or `gcp` plugin than the lab's would be used.
        """
        environ = self.env | dict(extra or {})
        refuse_foreign_plugins(self.home, environ, cwd.absolute())
        return environ

    def run(
        self,
        *command: str,
        cwd: Path | None = None,
        extra: Mapping[str, str] | None = None,
        check: bool = True,
        timeout: float = 300,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the lab and return what it printed.

        Raises:
            LabError: a foreign plugin would be used, or (with ``check``) the command failed.
            subprocess.TimeoutExpired: it took longer than ``timeout`` seconds.
        """
        where = cwd or Path.cwd()
        done = subprocess.run(
            command,
            cwd=where,
            env=self.command_env(where, extra),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout,
        )
        if check and done.returncode != 0:
            told = f"{done.stdout}\n{done.stderr}".strip()[-_TOLD:]
            message = f"`{' '.join(command)}` ended with {done.returncode}:\n{told}"
            raise LabError(message)
        return done

    def _forget_keeper(self) -> None:
        if self._keeper:
            self._keeper.terminate()
            self._keeper.wait()
            self._keeper = None

    def _start_keeper(self, owner: int) -> None:
        self._forget_keeper()
        self.home.directory.parent.mkdir(parents=True, exist_ok=True)
        self.home.failure.unlink(missing_ok=True)
        with self.home.keeper_log.open("wb") as log:
            self._keeper = subprocess.Popen(
                [sys.executable, "-m", "gpulanes_lab.keeper", str(self.home.directory), str(owner)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the command in front, not for the servers under it
            )
        self._wait_until_kept(self._keeper)

    def _wait_until_kept(self, keeper: subprocess.Popen[bytes]) -> None:
        _wait_for(lambda: self.up or keeper.poll() is not None, 90, "it is not ready")
        if keeper.poll() == BUSY:
            _wait_for(lambda: self.up, 90, "another run is starting or ending it and does not finish")
        elif keeper.poll() is not None:
            told = self.home.failure if self.home.failure.exists() else self.home.keeper_log
            raise LabError(told.read_text(encoding="utf-8"))

    def __enter__(self) -> Self:
        """Start it."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        self.stop()


def _wait_for(done: Callable[[], bool], seconds: float, otherwise: str) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            message = f"the lab: {otherwise} after {seconds:.0f} s"
            raise LabError(message)
        time.sleep(0.05)
