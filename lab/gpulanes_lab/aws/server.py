"""The plugin process: a gRPC server for one engine, whose refusals read as messages and not as tracebacks."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc
from pulumi.provider.experimental.provider import Provider
from pulumi.provider.experimental.server import ProviderServicer
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc

from gpulanes_lab.aws.table import Refused

VERSION: Final = "7.51.1"
"""The pulumi-aws release whose types the emulator follows."""

_LARGEST_MESSAGE: Final = 400 * 1024 * 1024  # the engine's own limit
_SPEAKING: Final = ("CheckConfig", "Configure", "Check", "Diff", "Create", "Read", "Update", "Delete", "Invoke")


class Servicer(ProviderServicer):
    """The SDK's servicer, with two of its faults worked around.

    It answers every error with a Python traceback; a refusal of the emulated service is an answer, not a
    fault. And its DiffConfig passes a bool where the protocol has three values.
    """

    async def DiffConfig(self, request: Any, _context: Any) -> Any:  # noqa: ANN401, N802 - the protocol's names
        """Answer with the protocol's own three values."""
        changed = request.olds != request.news
        changes = provider_pb2.DiffResponse.DIFF_SOME if changed else provider_pb2.DiffResponse.DIFF_NONE
        return provider_pb2.DiffResponse(changes=changes)


def _speaking(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def answer(self: Servicer, request: Any, context: Any) -> Any:  # noqa: ANN401 - generated message classes
        try:
            return await method(self, request, context)
        except Exception as error:
            refusal = error.__context__  # the SDK wraps what the provider raised
            if not isinstance(refusal, Refused):
                raise
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(refusal))

    return answer


for _name in _SPEAKING:
    setattr(Servicer, _name, _speaking(getattr(ProviderServicer, _name)))


async def serve(engine: str, provider: Provider) -> None:
    """Serve one engine until it ends the process; the port goes to standard output, as plugins do."""
    size = [("grpc.max_receive_message_length", _LARGEST_MESSAGE), ("grpc.max_send_message_length", _LARGEST_MESSAGE)]
    server = grpc.aio.server(options=size)
    servicer = Servicer([], VERSION, provider, engine_address=engine)
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await server.wait_for_termination()


def run(engine: str, provider: Provider) -> None:
    """Serve until interrupted."""
    try:
        asyncio.run(serve(engine, provider))
    except KeyboardInterrupt:
        return
