"""The plugin process, over the engine's own protocol: it starts, answers, refuses in words, and stays in the lab."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from google.protobuf import empty_pb2, struct_pb2
from pulumi.provider.experimental.property_value import PropertyValue
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc

from emulated_aws import urn, variables
from gpulanes_lab.aws.server import VERSION
from gpulanes_lab.aws.values import Document, wrap_map

COMMAND = [sys.executable, "-m", "gpulanes_lab.aws"]
VPC = "aws:ec2/vpc:Vpc"


def _environment(**changed: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GPULANES_"))}
    return kept | changed


@pytest.fixture
def plugin(moto: str, tmp_path: Path) -> Iterator[provider_pb2_grpc.ResourceProviderStub]:
    """A started and configured plugin."""
    command = [*COMMAND, "127.0.0.1:1", "--logtostderr"]
    environment = _environment(**variables(moto, tmp_path))
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
                stub = provider_pb2_grpc.ResourceProviderStub(channel)
                stub.Configure(provider_pb2.ConfigureRequest(args=_struct({}), acceptSecrets=True))
                yield stub
        finally:
            process.terminate()
            process.wait(timeout=20)


def _struct(values: Document) -> struct_pb2.Struct:
    return PropertyValue.marshal_map(wrap_map(values))


def test_the_plugin_is_of_the_release_that_the_sdk_asks_for(plugin: provider_pb2_grpc.ResourceProviderStub) -> None:
    import importlib.metadata  # noqa: PLC0415 - for this one question

    assert plugin.GetPluginInfo(empty_pb2.Empty()).version == VERSION
    assert importlib.metadata.version("pulumi-aws") == VERSION


def test_a_resource_lives_over_the_protocol(plugin: provider_pb2_grpc.ResourceProviderStub) -> None:
    name, news = urn(VPC, "wired"), _struct({"cidrBlock": "10.0.0.0/16"})
    checked = plugin.Check(provider_pb2.CheckRequest(urn=name, news=news, randomSeed=b"seed")).inputs
    made = plugin.Create(provider_pb2.CreateRequest(urn=name, properties=checked))
    wanted = struct_pb2.Struct()
    wanted.CopyFrom(checked)
    wanted["enableDnsHostnames"] = True

    same = plugin.Diff(provider_pb2.DiffRequest(urn=name, id=made.id, olds=made.properties, news=checked))
    diff = plugin.Diff(provider_pb2.DiffRequest(urn=name, id=made.id, olds=made.properties, news=wanted))
    update = provider_pb2.UpdateRequest(urn=name, id=made.id, olds=made.properties, news=wanted)
    changed = plugin.Update(update).properties
    plugin.Delete(provider_pb2.DeleteRequest(urn=name, id=made.id, properties=changed))
    gone = plugin.Read(provider_pb2.ReadRequest(urn=name, id=made.id, properties=changed, inputs=wanted))

    assert same.changes == provider_pb2.DiffResponse.DIFF_NONE
    assert diff.changes == provider_pb2.DiffResponse.DIFF_SOME
    assert list(diff.diffs) == ["enableDnsHostnames"]
    assert changed["enableDnsHostnames"] is True
    assert gone.id == ""


def test_a_refusal_is_a_sentence_and_not_a_traceback(plugin: provider_pb2_grpc.ResourceProviderStub) -> None:
    properties = _struct({"vpcId": "vpc-00000000", "cidrBlock": "10.0.0.0/24"})
    request = provider_pb2.CreateRequest(urn=urn("aws:ec2/subnet:Subnet", "lost"), properties=properties)

    with pytest.raises(grpc.RpcError) as refused:
        plugin.Create(request)

    assert refused.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    text = refused.value.details()
    assert text == "creating aws:ec2/subnet:Subnet (lost): VpcId vpc-00000000 does not exist"


def test_a_fault_of_the_emulator_is_no_refusal(plugin: provider_pb2_grpc.ResourceProviderStub) -> None:
    request = provider_pb2.CreateRequest(urn=urn("aws:ec2/subnet:Subnet", "empty"), properties=_struct({}))

    with pytest.raises(grpc.RpcError) as failed:
        plugin.Create(request)

    assert failed.value.code() == grpc.StatusCode.UNKNOWN
    assert "ec2_vpc.py" in str(failed.value.details())


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [("us-east-1", "us-east-1", "DIFF_NONE"), ("us-east-1", "us-west-2", "DIFF_SOME")],
)
def test_a_difference_in_settings_has_the_protocols_three_values(
    old: str,
    new: str,
    changes: str,
    plugin: provider_pb2_grpc.ResourceProviderStub,
) -> None:
    request = provider_pb2.DiffRequest(olds=_struct({"region": old}), news=_struct({"region": new}))

    assert plugin.DiffConfig(request).changes == getattr(provider_pb2.DiffResponse, changes)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"AWS_ENDPOINT_URL": ""}, "AWS_ENDPOINT_URL=(not set)"),
        ({"AWS_ENDPOINT_URL": "https://ec2.us-east-1.amazonaws.com"}, "only talks to this machine"),
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1.example.com:5000"}, "only talks to this machine"),
        ({"AWS_PROFILE": "production"}, "AWS_PROFILE is set"),
        ({"GPULANES_LAB_STATE": ""}, "GPULANES_LAB_STATE is not set"),
    ],
)
def test_the_plugin_does_not_start_where_it_could_leave_the_lab(
    changed: dict[str, str],
    reason: str,
    tmp_path: Path,
) -> None:
    environment = _environment(**(variables("http://127.0.0.1:1", tmp_path) | changed))

    ended = subprocess.run(
        [*COMMAND, "127.0.0.1:1"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert ended.returncode == 2
    assert ended.stdout == ""
    assert reason in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("arguments", [[], ["127.0.0.1:1", "127.0.0.1:2"]])
def test_the_plugin_says_how_it_is_started(arguments: list[str], tmp_path: Path) -> None:
    environment = _environment(**variables("http://127.0.0.1:1", tmp_path))

    ended = subprocess.run(
        [*COMMAND, *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False
    )

    assert ended.returncode == 2
    assert "usage" in ended.stderr
