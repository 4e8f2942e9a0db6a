"""The components under the real engine: what only an engine does to them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from gpulanes_lab.environment import REGION
from gpulanes_lab.lab import Lab

pytestmark = pytest.mark.lab

PROGRAM = """
import os

import pulumi
from gpulanes.resources import ClusterRef, TrainingPool, connection

subnets = {{"us-east-1a": "subnet-0123456789abcdef0"}}
cluster = ClusterRef(
    name="shared", endpoint=os.environ["GPULANES_LAB_KUBE_ENDPOINT"],
    certificate_authority=os.environ["GPULANES_LAB_KUBE_CA"], version="1.34", vpc_id="vpc-1",
    subnets=subnets, security_group_id="sg-00000000000000001", node_role_name="nodes", node_role_arn="arn",
    interruption_queue="shared",
)


def edit(args):
    if args.type_ == "kubernetes:karpenter.sh/v1:NodePool":
        spec = {{**args.props["spec"], {field}}}
        return pulumi.ResourceTransformResult(props={{**args.props, "spec": spec}}, opts=args.opts)
    return None


TrainingPool(
    "pretrain", cluster=cluster, instance_types=["p5.48xlarge"], zones=list(subnets), nodes=2, tags={{}},
    opts=pulumi.ResourceOptions(
        transforms=[edit], providers=[connection("shared", cluster, "us-east-1").kubernetes]
    ),
)
"""

Preview = Callable[[str], CompletedProcess[str]]


@pytest.fixture
def preview(lab: Lab, tmp_path: Path) -> Iterator[Preview]:
    def run(field: str) -> CompletedProcess[str]:
        (tmp_path / "Pulumi.yaml").write_text("name: alone\nruntime: python\n", encoding="utf-8")
        (tmp_path / "Pulumi.t.yaml").write_text(f"config:\n  aws:region: {REGION}\n", encoding="utf-8")
        (tmp_path / "__main__.py").write_text(PROGRAM.format(field=field), encoding="utf-8")
        lab.run("pulumi", "stack", "init", "t", "--non-interactive", cwd=tmp_path)
        return lab.run("pulumi", "preview", "--json", "--stack", "t", "--non-interactive", cwd=tmp_path, check=False)

    yield run
    lab.run("pulumi", "stack", "rm", "t", "--yes", "--force", cwd=tmp_path, check=False)


def test_a_field_that_a_transform_mistypes_is_refused_at_preview(preview: Preview) -> None:
    done = preview('"disruptions": {}')
    assert done.returncode != 0
    assert "use disruption" in done.stdout + done.stderr


def test_a_field_that_a_transform_sets_rightly_is_rendered(preview: Preview) -> None:
    done = preview('"weight": 40')
    assert done.returncode == 0, done.stdout + done.stderr
    steps = json.loads(done.stdout)["steps"]
    [pool] = [s["newState"] for s in steps if s["newState"]["type"] == "kubernetes:karpenter.sh/v1:NodePool"]
    assert pool["inputs"]["spec"]["weight"] == 40
