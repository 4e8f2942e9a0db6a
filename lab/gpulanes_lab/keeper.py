"""The parent of one lab's servers: starts them, watches them, and ends them with whoever owns the lab.

`python -m gpulanes_lab.keeper DIRECTORY OWNER`, where OWNER is the process whose end ends the lab (0: nobody's).
The servers die with the keeper by the kernel's hand, so killing any of the processes leaves nothing behind.
"""

import contextlib
import fcntl
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import FrameType

import psutil

from gpulanes_lab import plugins
from gpulanes_lab.controlplane import crds, servers
from gpulanes_lab.controlplane.api import Api, ApiError
from gpulanes_lab.controlplane.credentials import make_credentials, write_kubeconfig
from gpulanes_lab.environment import server_environment
from gpulanes_lab.errors import LabError
from gpulanes_lab.lifetime import die_with_parent, end, same_process
from gpulanes_lab.record import Home, Record
from gpulanes_lab.strays import end_strays
from gpulanes_lab.toolchain.ensure import Toolchain, ensure

READY_SECONDS = 60.0
# The exit code of a keeper that found another one keeping the same lab.
BUSY = 3
_WATCH_SECONDS = 0.5


class Keeper:
    """One lab while it lives."""

    def __init__(self, home: Home, tools: Toolchain) -> None:
        self._home = home
        self._tools = tools
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._ports = servers.Ports(*_free_ports(4))

    def start(self) -> None:
        """Start every server and wait until the lab can be used.

        Raises:
            LabError: a server ended, or is not ready in time.
        """
        home, tools, ports = self._home, self._tools, self._ports
        credentials = make_credentials(home.credentials.directory)
        for directory in (home.logs, home.backend):
            directory.mkdir()
        self._run("etcd", servers.etcd(tools, ports, home.etcd))
        self._run("kube-apiserver", servers.kube_apiserver(tools, ports, credentials))
        self._run("moto", [sys.executable, "-m", "gpulanes_lab.moto_server", str(ports.aws)])
        plugins.lay_out(home, tools)
        write_kubeconfig(credentials, ports.kube_endpoint)
        api = Api(ports.kube_endpoint, credentials.api_certificate, credentials.token())
        self._wait("kube-apiserver", lambda: bool(api.get("/readyz")))
        crds.install(api, tools.directories["crds"])
        self._run("kube-controller-manager", servers.kube_controller_manager(tools, credentials))
        self._wait("moto", lambda: _answers(f"{ports.aws_endpoint}/moto-api/"))

    def record(self) -> Record:
        """Say where everything is."""
        me = psutil.Process()
        return Record(me.pid, me.create_time(), self._ports, str(self._tools.pulumi))

    def ended(self) -> str:
        """The name of a server that is no longer running, or nothing."""
        return next((name for name, process in self._running.items() if process.poll() is not None), "")

    def stop(self) -> None:
        """End the servers and whatever engine processes the lab still has."""
        # Nothing in a lab outlives it, so no server is given time to finish.
        end((psutil.Process(p.pid) for p in self._running.values() if p.poll() is None), grace=0.3)
        end_strays(self._home.directory)

    def _run(self, name: str, command: Sequence[str]) -> None:
        with (self._home.logs / f"{name}.log").open("wb") as log:
            self._running[name] = subprocess.Popen(
                command,
                cwd=self._home.directory,
                env=server_environment(self._home),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=die_with_parent,  # noqa: PLW1509  the keeper starts no thread that outlives a call
            )

    def _wait(self, name: str, ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while True:
            if gone := self.ended():
                raise LabError(self._told(gone, "ended while the lab was starting"))
            # Not yet listening, or listening and still preparing.
            with contextlib.suppress(OSError, ApiError):
                if ready():
                    return
            if time.monotonic() > deadline:
                raise LabError(self._told(name, f"was not ready in {READY_SECONDS:.0f} s"))
            time.sleep(0.05)

    def _told(self, name: str, what: str) -> str:
        log = self._home.logs / f"{name}.log"
        tail = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-8:])
        return f"{name} {what}; the end of {log}:\n{tail}"


def _free_ports(count: int) -> list[int]:
    """Ports of loopback that are free now; all are held open together so that they differ."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind((servers.LOOPBACK, 0))
        return [one.getsockname()[1] for one in sockets]


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310  our own loopback address
            return bool(answer.status)
    except urllib.error.HTTPError:
        return True


def keep(home: Home, owner: int) -> int:
    """Run one lab until it is told to stop, its owner ends or a server fails."""
    owner_created = psutil.Process(owner).create_time() if owner else 0.0
    stopping: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        stopping.append(number)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    end_strays(home.directory)
    shutil.rmtree(home.directory, ignore_errors=True)
    home.directory.mkdir()
    keeper = Keeper(home, ensure(partial(print, file=sys.stderr)))
    try:
        keeper.start()
        keeper.record().write(home)
        while not stopping and (not owner or same_process(owner, owner_created)):
            if gone := keeper.ended():
                home.failure.write_text(f"{gone} ended unexpectedly; see {home.logs}\n", encoding="utf-8")
                return 1
            time.sleep(_WATCH_SECONDS)
    except LabError as error:
        home.failure.write_text(str(error), encoding="utf-8")
        return 1
    finally:
        keeper.stop()
        home.record.unlink(missing_ok=True)
    if not stopping:  # the owner is gone and cannot clear up
        shutil.rmtree(home.directory, ignore_errors=True)
    return 0


def main(arguments: Sequence[str]) -> int:
    """Take the lab's lock and keep it; `BUSY` when another keeper has it."""
    directory, owner = arguments
    home = Home(Path(directory))
    home.directory.parent.mkdir(parents=True, exist_ok=True)
    with home.lock.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return BUSY
        try:
            return keep(home, int(owner))
        except psutil.NoSuchProcess:
            return 0  # the owner ended before we began
        finally:
            home.lock.unlink(missing_ok=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
