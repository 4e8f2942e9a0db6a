"""What a stack publishes is enough to install Karpenter, and to put another fleet into the same cluster."""

import runpy
from pathlib import Path
from typing import Any

import pulumi
import pytest

from gpulanes.resources import existing_cluster
from recording import record


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch, repository: Path) -> dict[str, Any]:
    """What the shipped program exports of the dev fleet."""
    outputs: dict[str, Any] = {}
    monkeypatch.setattr(pulumi, "export", outputs.__setitem__)
    record(lambda: runpy.run_path(str(repository / "stacks/__main__.py")), stack="dev")
    return outputs


def test_a_stack_publishes_its_lanes_and_its_cluster(published: dict[str, Any]) -> None:
    assert set(published) == {"lanes", "cluster"}
    assert {"name", "endpoint", "interruptionQueue", "nodeRoleName", "nodeRoleArn"} <= set(published["cluster"])


def test_the_published_cluster_is_one_that_another_stack_can_take(published: dict[str, Any]) -> None:
    ref = existing_cluster(published["cluster"])
    assert ref["version"] == "1.36"
    assert set(ref["subnets"]) == {"us-east-1a", "us-east-1b"}
