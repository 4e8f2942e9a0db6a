"""Driving the emulated aws provider as the engine does, without an engine: plain values in, plain values out."""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import urlopen

from pulumi.provider.experimental.provider import (
    CheckRequest,
    ConfigureRequest,
    CreateRequest,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    ReadRequest,
    UpdateRequest,
)

from gpulanes_lab.aws.cloud import Surroundings
from gpulanes_lab.aws.provider import EmulatedAws
from gpulanes_lab.aws.values import Document, plain_map, wrap_map

REGION = "us-east-1"
_Result = TypeVar("_Result")


@contextmanager
def moto_server() -> Iterator[str]:
    """Run a moto server on a free port of this machine; yield its URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    serve = f"moto_settings.apply(); main(['-H', '127.0.0.1', '-p', '{port}'])"
    program = f"from gpulanes_lab.aws import moto_settings; from moto.server import main; {serve}"
    quiet = subprocess.DEVNULL
    with subprocess.Popen([sys.executable, "-c", program], stdout=quiet, stderr=quiet) as process:
        url = f"http://127.0.0.1:{port}"
        try:
            _wait_for(url)
            yield url
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait_for(url: str) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            with urlopen(f"{url}/moto-api/", timeout=5):  # noqa: S310 - loopback
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def variables(url: str, state: Path) -> dict[str, str]:
    """Return the lab's variables for a provider process."""
    return {
        "AWS_ENDPOINT_URL": url,
        "AWS_REGION": REGION,
        "GPULANES_LAB_STATE": str(state),
        "GPULANES_LAB_KUBE_ENDPOINT": "https://127.0.0.1:6443",
        "GPULANES_LAB_KUBE_CA": "bGFi",
    }


@dataclass(frozen=True)
class Made:
    """A resource that stands: what the engine would keep of it."""

    type: str
    name: str
    id: str
    inputs: Document
    outputs: Document

    @property
    def urn(self) -> str:
        """The resource's name in a stack."""
        return urn(self.type, self.name)


def urn(kind: str, name: str) -> str:
    """Return a URN in a stack of the tests."""
    return f"urn:pulumi:test::emulated::{kind}::{name}"


class RefusedInputs(AssertionError):  # noqa: N818 - what the provider's check said
    """The provider's check refused inputs."""

    def __init__(self, found: dict[str, str]) -> None:
        self.found = found
        super().__init__(str(found))


@dataclass
class Driver:
    """One provider process's worth of provider, and what was made with it."""

    around: Surroundings
    settings: Document = field(default_factory=dict)
    made: list[Made] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Configure the provider."""
        self.provider = EmulatedAws(self.around)
        _now(self.provider.configure(ConfigureRequest({}, wrap_map(self.settings), True, True)))  # noqa: FBT003

    def check(self, kind: str, name: str, inputs: Document, old: Document | None = None) -> Document:
        """Return completed inputs.

        Raises:
            RefusedInputs: with the reasons by property.
        """
        request = CheckRequest(urn(kind, name), wrap_map(old or {}), wrap_map(inputs), b"seed-of-the-tests")
        answer = _now(self.provider.check(request))
        if answer.failures:
            found: dict[str, str] = {}
            for one in answer.failures:
                found[one.property] = f"{found[one.property]}; {one.reason}" if one.property in found else one.reason
            raise RefusedInputs(found)
        return plain_map(answer.inputs or {})

    def preview(self, kind: str, name: str, inputs: Document) -> Document:
        """Return what a preview promises of a new resource."""
        checked = self.check(kind, name, inputs)
        request = CreateRequest(urn(kind, name), wrap_map(checked), 0, preview=True)
        return plain_map(_now(self.provider.create(request)).properties)

    def create(self, kind: str, name: str, inputs: Document) -> Made:
        """Create a resource."""
        checked = self.check(kind, name, inputs)
        answer = _now(self.provider.create(CreateRequest(urn(kind, name), wrap_map(checked), 0, preview=False)))
        assert answer.resource_id is not None
        made = Made(kind, name, answer.resource_id, checked, plain_map(answer.properties))
        self.made.append(made)
        return made

    def diff(self, made: Made, inputs: Document, ignored: list[str] | None = None) -> DiffResponse:
        """Return what changing to ``inputs`` would do."""
        checked = self.check(made.type, made.name, inputs, made.inputs)
        request = DiffRequest(made.urn, made.id, wrap_map(made.outputs), wrap_map(checked), ignored or [])
        return _now(self.provider.diff(request))

    def update(self, made: Made, inputs: Document, *, preview: bool = False) -> Made:
        """Change a resource in place."""
        checked = self.check(made.type, made.name, inputs, made.inputs)
        request = UpdateRequest(made.urn, made.id, wrap_map(made.outputs), wrap_map(checked), 0, [], preview)
        outputs = plain_map(_now(self.provider.update(request)).properties)
        changed = replace(made, inputs=checked, outputs=outputs)
        if not preview:
            # It may now need what was made after it, so it counts as the youngest.
            self.made = [one for one in self.made if one.urn != made.urn] + [changed]
        return changed

    def refresh(self, made: Made) -> tuple[Made | None, list[str]]:
        """Read a resource, and say what drifted as the engine computes it: from the facts back to the old inputs."""
        answer = _now(
            self.provider.read(ReadRequest(made.urn, made.id, wrap_map(made.outputs), wrap_map(made.inputs))),
        )
        if not answer.resource_id:
            return None, []
        now = replace(
            made,
            id=answer.resource_id,
            inputs=plain_map(answer.inputs),
            outputs=plain_map(answer.properties),
        )
        request = DiffRequest(made.urn, now.id, wrap_map(now.outputs), wrap_map(made.inputs), [])
        return now, _now(self.provider.diff(request)).diffs

    def imported(self, kind: str, resource_id: str) -> Made | None:
        """Read a resource by its id alone."""
        answer = _now(self.provider.read(ReadRequest(urn(kind, "imported"), resource_id, {}, {})))
        if not answer.resource_id:
            return None
        return Made(kind, "imported", answer.resource_id, plain_map(answer.inputs), plain_map(answer.properties))

    def delete(self, made: Made) -> None:
        """Delete a resource."""
        _now(self.provider.delete(DeleteRequest(made.urn, made.id, wrap_map(made.outputs), 0)))
        self.made = [one for one in self.made if one.urn != made.urn]

    def delete_all(self) -> None:
        """Delete everything that stands, the youngest first."""
        for one in reversed(list(self.made)):
            self.delete(one)

    def client(self, service: str, region: str = REGION) -> Any:  # noqa: ANN401 - boto3 makes the class at run time
        """Return a client for changes made by hand."""
        return self.provider._cloud({"region": region}).client(service)  # noqa: SLF001 - the tests' own back door


def _now(awaitable: Awaitable[_Result]) -> _Result:
    """Run one of the provider's answers to its end."""

    async def run() -> _Result:
        return await awaitable

    return asyncio.run(run())
