"""The lab's stand-in for Pulumi's Python language host, used when an installation brings none.

A gRPC server of `pulumirpc.LanguageRuntime`: the engine starts it with its own address as the last argument and reads
the port from the first line. Programs run under the same executor that the real host uses, so errors look the same.
"""

import argparse
import contextlib
import json
import os
import platform
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import grpc
from google.protobuf import empty_pb2
from pulumi.runtime.proto import language_pb2, language_pb2_grpc, plugin_pb2

from gpulanes_lab.language_programs import UnsupportedError, plugin_command, python_for
from gpulanes_lab.lifetime import end, family, when_parent_ends

# The executor ends with this code when it has already told the user what went wrong.
_ALREADY_TOLD = 32
# Each running plugin holds a thread for as long as it lives.
_THREADS = 64
_VERSION = "0.0.0-lab"


class LanguageHost(language_pb2_grpc.LanguageRuntimeServicer):
    """What the engine asks of a language host to run Python programs and plugins."""

    def __init__(self, engine: str, executor: Path) -> None:
        self._engine = engine
        self._executor = executor
        self._children: set[subprocess.Popen[bytes]] = set()

    def Handshake(  # noqa: N802
        self, request: language_pb2.LanguageHandshakeRequest, _context: grpc.ServicerContext
    ) -> language_pb2.LanguageHandshakeResponse:
        """Learn the engine's address."""
        self._engine = request.engine_address or self._engine
        return language_pb2.LanguageHandshakeResponse()

    def GetPluginInfo(  # noqa: N802
        self, _request: empty_pb2.Empty, _context: grpc.ServicerContext
    ) -> plugin_pb2.PluginInfo:
        """Say which version this is."""
        return plugin_pb2.PluginInfo(version=_VERSION)

    def GetRequiredPackages(  # noqa: N802
        self, _request: language_pb2.GetRequiredPackagesRequest, _context: grpc.ServicerContext
    ) -> language_pb2.GetRequiredPackagesResponse:
        """Nothing to install beforehand: each resource names its provider's version when it registers."""
        return language_pb2.GetRequiredPackagesResponse()

    def GetRequiredPlugins(  # noqa: N802
        self, _request: language_pb2.GetRequiredPluginsRequest, _context: grpc.ServicerContext
    ) -> language_pb2.GetRequiredPluginsResponse:
        """Answer an older engine the same."""
        return language_pb2.GetRequiredPluginsResponse()

    def InstallDependencies(  # noqa: N802
        self, _request: language_pb2.InstallDependenciesRequest, _context: grpc.ServicerContext
    ) -> Iterator[language_pb2.InstallDependenciesResponse]:
        """Install nothing, and say so: the lab is offline."""
        yield language_pb2.InstallDependenciesResponse(stdout=b"The lab installs nothing; use pip.\n")

    def About(  # noqa: N802
        self, request: language_pb2.AboutRequest, context: grpc.ServicerContext
    ) -> language_pb2.AboutResponse:
        """Name the Python that would run the program."""
        return language_pb2.AboutResponse(executable=_python(request.info, context), version=platform.python_version())

    def Cancel(  # noqa: N802
        self, _request: empty_pb2.Empty, _context: grpc.ServicerContext
    ) -> empty_pb2.Empty:
        """End every program at once."""
        self.end_children()
        return empty_pb2.Empty()

    def end_children(self) -> None:
        """End what runs."""
        for child in list(self._children):
            end(family(child.pid))

    def Run(  # noqa: N802
        self, request: language_pb2.RunRequest, context: grpc.ServicerContext
    ) -> language_pb2.RunResponse:
        """Run a program to its end; its output goes where ours goes, which is where the engine listens."""
        python = _python(request.info, context)
        command = [python, "-u", str(self._executor), *_executor_arguments(request, self._engine)]
        environ = os.environ | {
            "PULUMI_CONFIG": json.dumps(dict(request.config)),
            "PULUMI_CONFIG_SECRET_KEYS": json.dumps(list(request.configSecretKeys)),
        }
        with self._child(command, Path(request.info.program_directory), environ, context) as child:
            code = child.wait()
        if code == _ALREADY_TOLD:
            return language_pb2.RunResponse(bail=True)
        return language_pb2.RunResponse(error=f"Program exited with non-zero exit code: {code}" if code else "")

    def RunPlugin(  # noqa: N802
        self, request: language_pb2.RunPluginRequest, context: grpc.ServicerContext
    ) -> Iterator[language_pb2.RunPluginResponse]:
        """Run a policy pack or a provider until the engine cancels the call, passing on what it prints."""
        python = _python(request.info, context)
        directory = Path(request.info.program_directory)
        try:
            command = [python, "-u", *plugin_command(request.kind, directory, request.args)]
        except UnsupportedError as error:
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
        environ = os.environ | dict(pair.split("=", 1) for pair in request.env)
        where = directory if request.kind == "analyzer" else Path(request.pwd or directory)
        with self._child(command, where, environ, context, piped=True) as child:
            yield from _output(child)
            yield language_pb2.RunPluginResponse(exitcode=child.wait())

    @contextlib.contextmanager
    def _child(
        self,
        command: list[str],
        cwd: Path,
        environ: dict[str, str],
        context: grpc.ServicerContext,
        *,
        piped: bool = False,
    ) -> Iterator[subprocess.Popen[bytes]]:
        """A child that ends with the call, whoever ends it."""
        pipe = subprocess.PIPE if piped else None
        child = subprocess.Popen(command, cwd=cwd, env=environ, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)
        self._children.add(child)
        context.add_callback(lambda: end(family(child.pid)))
        try:
            yield child
        finally:
            end(family(child.pid))
            self._children.discard(child)


def _python(info: language_pb2.ProgramInfo, context: grpc.ServicerContext) -> str:
    try:
        return python_for(Path(info.root_directory), dict(info.options))
    except UnsupportedError as error:
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, str(error))
        raise


def _executor_arguments(request: language_pb2.RunRequest, engine: str) -> list[str]:
    info = request.info
    given = {
        "monitor": request.monitor_address,
        "engine": engine,
        "project": request.project,
        "root_directory": info.root_directory,
        "stack": request.stack,
        "pwd": request.pwd or info.program_directory,
        "dry_run": str(request.dryRun).lower(),
        "parallel": str(request.parallel),
        "organization": request.organization,
    }
    flags = [part for name, value in given.items() if value for part in (f"--{name}", value)]
    return [*flags, info.entry_point, *request.args]


def _output(child: subprocess.Popen[bytes]) -> Iterator[language_pb2.RunPluginResponse]:
    """Both streams of a child, as they come, until both are closed."""
    parts: queue.SimpleQueue[language_pb2.RunPluginResponse | None] = queue.SimpleQueue()

    def forward(stream: IO[bytes], answer: Callable[[bytes], language_pb2.RunPluginResponse]) -> None:
        while part := os.read(stream.fileno(), 65536):
            parts.put(answer(part))
        parts.put(None)

    streams = (
        (child.stdout, lambda part: language_pb2.RunPluginResponse(stdout=part)),
        (child.stderr, lambda part: language_pb2.RunPluginResponse(stderr=part)),
    )
    for stream, answer in streams:
        threading.Thread(target=forward, args=(stream, answer), daemon=True).start()
    for _ in range(2):
        yield from iter(parts.get, None)


def main(arguments: list[str]) -> None:
    """Serve until the engine ends us, or is gone."""
    parser = argparse.ArgumentParser(prog="pulumi-language-python", description=__doc__)
    parser.add_argument("--executor", type=Path, required=True, help="pulumi-language-python-exec")
    parser.add_argument("engine", help="the engine's address")
    given = parser.parse_known_args(arguments)[0]
    host = LanguageHost(given.engine, given.executor)

    def give_up() -> None:
        host.end_children()
        os._exit(1)

    when_parent_ends(give_up)
    server = grpc.server(ThreadPoolExecutor(max_workers=_THREADS), options=[("grpc.max_receive_message_length", -1)])
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(host, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    _until_told(signal.SIGINT, signal.SIGTERM)
    host.end_children()
    server.stop(grace=None)


def _until_told(*signals: signal.Signals) -> None:
    """Wait for one of the signals by which the engine ends its plugins."""
    told = threading.Event()
    for number in signals:
        signal.signal(number, lambda *_: told.set())
    while not told.wait(3600):
        pass


if __name__ == "__main__":
    main(sys.argv[1:])
