"""Talks to a policy pack as the engine does: a process of its own, asked over gRPC."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import empty_pb2, struct_pb2
from pulumi.runtime import proto
from pulumi.runtime.proto import analyzer_pb2_grpc

from gpulanes.facts import PulumiResource, Unknown

UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
LEVELS = {proto.MANDATORY: "mandatory", proto.ADVISORY: "advisory"}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One violation as the engine would print it."""

    level: str
    policy: str
    urn: str
    lines: tuple[str, ...]

    @property
    def rule(self) -> str:
        """The rule that the message names."""
        return self.lines[1].partition(" ")[0]


def encoded(value: Any) -> Any:  # noqa: ANN401 - plain data
    """Return plain data as the engine sends it, unknowns as their text."""
    if isinstance(value, Unknown):
        return UNKNOWN_TEXT
    if isinstance(value, Mapping):
        return {key: encoded(item) for key, item in value.items()}
    return [encoded(item) for item in value] if isinstance(value, list | tuple) else value


def struct(props: Mapping[str, Any]) -> struct_pb2.Struct:
    """Return properties as a message."""
    made = struct_pb2.Struct()
    made.update(encoded(props))
    return made


def provider_of(resource: PulumiResource) -> Any:  # noqa: ANN401 - a message
    """Return an AWS provider with the resource's default tags, or None."""
    if not resource.default_tags:
        return None
    tags = struct({"defaultTags": {"tags": dict(resource.default_tags)}})
    return proto.AnalyzerProviderResource(type="pulumi:providers:aws", properties=tags, urn="urn:aws", name="aws")


class Analyzer:
    """A running pack."""

    def __init__(self, channel: grpc.Channel) -> None:
        self._stub: Any = analyzer_pb2_grpc.AnalyzerStub(channel)

    def info(self) -> Any:  # noqa: ANN401 - a message
        """Return what the pack says of itself."""
        return self._stub.GetAnalyzerInfo(empty_pb2.Empty())

    def configure(self, config: Mapping[str, object], policy: str = "gpulanes") -> None:
        """Configure one policy."""
        levels = {policy: proto.PolicyConfig(enforcementLevel=proto.MANDATORY, properties=struct(config))}
        self._stub.Configure(proto.ConfigureAnalyzerRequest(policyConfig=levels))

    def analyze(self, resource: PulumiResource) -> list[Diagnostic]:
        """Ask about one resource, from its inputs."""
        request = proto.AnalyzeRequest(
            type=resource.token,
            urn=resource.urn,
            name=resource.name,
            properties=struct(resource.props),
            options=proto.AnalyzerResourceOptions(parent=resource.parent),
            provider=provider_of(resource),
        )
        return _diagnostics(self._stub.Analyze(request))

    def analyze_stack(self, resources: Sequence[PulumiResource]) -> list[Diagnostic]:
        """Ask about the whole stack."""
        sent = [
            proto.AnalyzerResource(
                type=r.token,
                urn=r.urn,
                name=r.name,
                properties=struct(r.props),
                options=proto.AnalyzerResourceOptions(parent=r.parent),
                provider=provider_of(r),
                parent=r.parent,
                propertyDependencies={
                    key: proto.AnalyzerPropertyDependencies(urns=urns) for key, urns in r.property_dependencies.items()
                },
            )
            for r in resources
        ]
        return _diagnostics(self._stub.AnalyzeStack(proto.AnalyzeStackRequest(resources=sent)))


def _diagnostics(response: Any) -> list[Diagnostic]:  # noqa: ANN401 - a message
    return [
        Diagnostic(LEVELS[d.enforcementLevel], d.policyName, d.urn, tuple(d.message.splitlines()))
        for d in response.diagnostics
    ]


@contextmanager
def running_pack(folder: Path) -> Iterator[str]:
    """Start a pack directory as the language host does; yield its address and end it."""
    environment = {**os.environ, "PULUMI_PROJECT": "gpulanes", "PULUMI_STACK": "test", "PULUMI_DRY_RUN": "true"}
    command = [sys.executable, "-u", "-m", "pulumi.policy", "127.0.0.1:1", "."]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield f"127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.kill()
        process.communicate()
