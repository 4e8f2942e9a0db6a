"""Five hundred node pools go through the engine in time and memory that grow with their number alone.

The engine's checkpoints are off: it writes its whole state again after every change, so with them any program of n
resources costs n squared, whoever wrote it.
"""

import resource
from pathlib import Path

import pytest

from gpulanes_lab.environment import REGION
from gpulanes_lab.lab import Lab

pytestmark = [pytest.mark.bench, pytest.mark.lab, pytest.mark.long]

FEW, MANY = 100, 500
SLACK = 1.6
"""How far a measurement on a busy machine may stray from a straight line; a quadratic cost would be 5 times off."""

NO_CHECKPOINTS = {"PULUMI_SKIP_CHECKPOINTS": "true", "PULUMI_EXPERIMENTAL": "true"}

PROGRAM = """
from gpulanes.resources import ClusterRef, InferencePool

zones = ["us-east-1a", "us-east-1b", "us-east-1c"]
cluster = ClusterRef(
    name="shared", endpoint="https://127.0.0.1", certificate_authority="Y2E=", version="1.34", vpc_id="vpc-1",
    subnets={{zone: f"subnet-{{index:017x}}" for index, zone in enumerate(zones)}},
    security_group_id="sg-00000000000000001", node_role_name="nodes",
    node_role_arn="arn:aws:iam::111122223333:role/nodes",
)
tags = {{"environment": "prod", "owner": "ml-platform", "cost-center": "4711"}}
for index in range({count}):
    InferencePool(f"chat-{{index}}", cluster=cluster, instance_types=["g6e.12xlarge"], zones=zones, nodes=6, tags=tags)
"""


def cost(lab: Lab, folder: Path, count: int) -> tuple[float, int]:
    """Preview a program; return processor seconds, and the most memory that any process under the lab's command had."""
    folder.mkdir()
    (folder / "Pulumi.yaml").write_text(f"name: pools{count}\nruntime: python\n", encoding="utf-8")
    (folder / "Pulumi.bench.yaml").write_text(f"config:\n  aws:region: {REGION}\n", encoding="utf-8")
    (folder / "__main__.py").write_text(PROGRAM.format(count=count), encoding="utf-8")
    lab.run("pulumi", "stack", "init", "bench", "--non-interactive", cwd=folder)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = lab.run("pulumi", "preview", "--stack", "bench", "--non-interactive", cwd=folder, extra=NO_CHECKPOINTS)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert f"{3 * count + 1} to create" in done.stdout
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss


def test_five_hundred_pools_preview_in_time_and_memory_that_grow_linearly(lab: Lab, tmp_path: Path) -> None:
    few_seconds, few_memory = cost(lab, tmp_path / "few", FEW)
    many_seconds, many_memory = cost(lab, tmp_path / "many", MANY)
    assert many_seconds / few_seconds < SLACK * MANY / FEW
    assert many_memory / few_memory < MANY / FEW
