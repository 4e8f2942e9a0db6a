"""A recording monitor: what a program registers, resource by resource, without an engine or a cloud."""

import asyncio
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pulumi
from google.protobuf.json_format import MessageToDict
from pulumi.runtime.mocks import MockMonitor, MockResourceArgs
from pulumi.runtime.rpc import UNKNOWN

with warnings.catch_warnings():
    # The generated SDK warns while it is imported, of resources that nobody here uses.
    warnings.simplefilter("ignore", DeprecationWarning)
    import_module("gpulanes.clouds.aws")
    import_module("pulumi_aws.ec2.outputs")

COMPUTED: Mapping[str, Callable[[MockResourceArgs], dict[str, Any]]] = {
    "aws:eks/cluster:Cluster": lambda args: {
        "endpoint": "https://cluster.example",
        "certificateAuthority": {"data": "Y2E="},
        "vpcConfig": {**args.inputs["vpcConfig"], "clusterSecurityGroupId": "sg-nodes"},
        "identities": [{"oidcs": [{"issuer": "https://oidc.example"}]}],
    },
    "aws:ec2/launchTemplate:LaunchTemplate": lambda _: {"latestVersion": 1},
    "aws:ec2/eip:Eip": lambda args: {"allocationId": f"{args.name}-allocation"},
    "aws:s3/bucket:Bucket": lambda args: {"bucket": args.inputs["bucketPrefix"] + "1"},
    "aws:fsx/lustreFileSystem:LustreFileSystem": lambda _: {"dnsName": "fs.example", "mountName": "hot"},
}
"""What a cloud adds to the inputs, where the program reads it."""


@dataclass(frozen=True)
class Registered:
    """One RegisterResource request."""

    type: str
    name: str
    urn: str
    parent: str
    props: Mapping[str, Any]
    ignore_changes: tuple[str, ...]
    replace_on_changes: tuple[str, ...]
    protect: bool
    delete_before_replace: bool
    dependencies: frozenset[str]
    property_dependencies: Mapping[str, tuple[str, ...]]
    provider: str
    transforms: int

    @property
    def custom(self) -> bool:
        """Whether a provider makes it, as opposed to a component."""
        return not self.type.startswith(("gpulanes:", "pulumi:pulumi:"))


class Registrations(list[Registered]):
    """What was registered, in order."""

    def of(self, type_: str) -> list[Registered]:
        """Return those of a type."""
        return [item for item in self if item.type == type_]

    def one(self, type_: str, name: str = "") -> Registered:
        """Return the only one of a type, or the one of a name."""
        [found] = [item for item in self.of(type_) if not name or item.name == name]
        return found

    def below(self, parent: Registered) -> list[Registered]:
        """Return the children of a resource."""
        return [item for item in self if item.parent == parent.urn]

    def identities(self) -> set[tuple[str, str]]:
        """Return type and name of everything that a provider makes or a component is."""
        return {(item.type, item.name) for item in self}


class RecordingMonitor(MockMonitor):
    """Keeps every request. In a preview no output is known that the program did not give."""

    def __init__(self, *, preview: bool) -> None:
        super().__init__(_Cloud(preview=preview))
        self.registered = Registrations()

    def RegisterResource(self, request: Any) -> Any:  # noqa: ANN401, N802 - the protocol's name and message
        """Record a request, then answer it."""
        answer = super().RegisterResource(request)  # type: ignore[no-untyped-call]
        if request.type != "pulumi:pulumi:Stack":
            self.registered.append(
                Registered(
                    type=request.type,
                    name=request.name,
                    urn=answer.urn,
                    parent=request.parent,
                    props=_whole_numbers(MessageToDict(request.object)),
                    ignore_changes=tuple(request.ignoreChanges),
                    replace_on_changes=tuple(request.replaceOnChanges),
                    protect=request.protect,
                    delete_before_replace=request.deleteBeforeReplace,
                    dependencies=frozenset(request.dependencies),
                    property_dependencies={
                        key: tuple(needed.urns) for key, needed in request.propertyDependencies.items()
                    },
                    provider=request.provider,
                    transforms=len(request.transforms),
                )
            )
        return answer


def _nothing(_: MockResourceArgs) -> dict[str, Any]:
    return {}


class _Cloud(pulumi.runtime.Mocks):
    def __init__(self, *, preview: bool) -> None:
        self.preview = preview

    def new_resource(self, args: MockResourceArgs) -> tuple[str | None, dict[str, Any]]:
        if args.typ.startswith("gpulanes:"):
            return None, {}
        if self.preview:
            return None, dict(args.inputs)
        named = {"arn": f"arn:aws:test:::{args.name}", "name": args.inputs.get("name", f"{args.name}-1")}
        return f"{args.name}-id", {**named, **args.inputs, **COMPUTED.get(args.typ, _nothing)(args)}

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[str, Any], None]:
        message = f"the components look nothing up, yet {args.token} was called"
        raise AssertionError(message)


def record(program: Callable[[], object], *, preview: bool = False, stack: str = "test") -> Registrations:
    """Run a program under the recording monitor; what it raises is raised."""
    monitor = RecordingMonitor(preview=preview)
    with _event_loops():
        pulumi.runtime.set_mocks(monitor.mocks, project="gpulanes", stack=stack, preview=preview, monitor=monitor)
        pulumi.runtime.test(lambda: _finished(program))()  # type: ignore[no-untyped-call]
    return monitor.registered


@contextmanager
def _event_loops() -> Iterator[None]:
    """Give a run its own event loop, and close it with those of the worker threads: the SDK leaves them open."""
    loop, opened = asyncio.new_event_loop(), list[asyncio.AbstractEventLoop]()

    def open_on_thread() -> None:
        opened.append(asyncio.new_event_loop())
        asyncio.set_event_loop(opened[-1])

    workers = ThreadPoolExecutor(initializer=open_on_thread)
    loop.set_default_executor(workers)
    asyncio.set_event_loop(loop)
    try:
        yield
    finally:
        workers.shutdown()
        asyncio.set_event_loop(None)
        for one in (loop, *opened):
            one.close()


def _finished(program: Callable[[], object]) -> None:
    program()


def unknowns(value: object, path: str = "") -> Iterator[str]:
    """Yield the paths at which a recorded value is not known."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from unknowns(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from unknowns(item, f"{path}[{index}]")
    elif value == UNKNOWN:
        yield path


def _whole_numbers(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return JSON whose whole numbers are ints: on the wire every number is a float."""
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
