"""The emulator's own memory: whole documents, kept over restarts, shared by processes without loss."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from emulated_aws import Driver
from emulated_estate import Estate
from emulated_examples import EXAMPLES
from gpulanes_lab.aws.store import Store
from gpulanes_lab.aws.values import Document

# What moto does not hold, or not whole.
REMEMBERED = [
    "aws:ec2/placementGroup:PlacementGroup",
    "aws:eks/accessEntry:AccessEntry",
    "aws:eks/addon:Addon",
    "aws:eks/cluster:Cluster",
    "aws:eks/nodeGroup:NodeGroup",
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation",
    "aws:fsx/lustreFileSystem:LustreFileSystem",
    "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
]


@pytest.mark.parametrize("kind", REMEMBERED)
def test_a_new_provider_finds_what_an_earlier_one_made(kind: str, aws_with: Callable[[Document], Driver]) -> None:
    first, second = aws_with({}), aws_with({})
    made = first.create(kind, "kept", EXAMPLES[kind].inputs(Estate(first)))

    now, drift = second.refresh(made)

    assert drift == []
    assert now is not None
    assert now.outputs == made.outputs


def test_a_document_is_kept_under_any_key(tmp_path: Path) -> None:
    store = Store(tmp_path)
    key = "us-east-1:fleet:arn:aws:iam::123456789012:role/path/operators"

    store.put("entries", key, {"a": [1]})

    assert Store(tmp_path).get("entries", key) == {"a": [1]}
    assert store.keys("entries") == [key]
    assert store.delete("entries", key)
    assert not store.delete("entries", key)
    assert store.get("entries", key) is None
    assert store.keys("entries") == []
    assert store.keys("none") == []


def test_a_change_starts_from_nothing_where_there_is_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)

    assert store.change("a", "b", lambda was: was | {"n": 1}) == {"n": 1}
    assert store.change("a", "b", lambda was: was | {"n": was["n"] + 1}) == {"n": 2}


def test_a_failed_write_leaves_the_old_document_whole(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("a", "b", {"n": 1})

    with pytest.raises(TypeError):
        store.put("a", "b", {"n": object()})

    assert store.get("a", "b") == {"n": 1}
    assert store.keys("a") == ["b"]
    assert [file.name for file in (tmp_path / "a").iterdir()] == ["b.json"]


COUNTER = """
import sys
from pathlib import Path
from gpulanes_lab.aws.store import Store
store = Store(Path(sys.argv[1]))
for _ in range(int(sys.argv[2])):
    store.change("counts", "n", lambda was: {"n": was.get("n", 0) + 1})
"""


def test_two_processes_change_one_document_without_losing_a_change(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COUNTER, str(tmp_path), "200"]
    running = [subprocess.Popen(command) for _ in range(2)]

    assert [one.wait(timeout=120) for one in running] == [0, 0]
    assert Store(tmp_path).get("counts", "n") == {"n": 400}
    assert json.loads((tmp_path / "counts" / "n.json").read_text(encoding="utf-8")) == {"n": 400}
