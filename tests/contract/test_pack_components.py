"""What the components register, through the pack's rules: default output is clean, children add nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from builders_resources import TAGS, ZONES, cluster_ref
from gpulanes.facts import PulumiResource, plain_value
from gpulanes.fleet import load_bytes
from gpulanes.plan import plan
from gpulanes.plan.model import Plan
from gpulanes.resources import BatchPool, CheckpointArgs, InferencePool, SystemPool, TrainingPool
from gpulanes_policies.config import Config
from gpulanes_policies.finding import Finding
from gpulanes_policies.run import StackRun
from programs_resources import kubernetes, with_cluster
from recording import Registered, record


def as_resource(item: Registered) -> PulumiResource:
    """Return a recorded registration; it keeps dependencies as a whole, so every reference may be any of them."""
    props = plain_value(item.props)
    assert isinstance(props, dict)
    depends = tuple(item.dependencies)
    return PulumiResource(
        token=item.type,
        urn=item.urn,
        name=item.name,
        props=props,
        parent=item.parent,
        dependencies=depends,
        property_dependencies=dict.fromkeys(("subnetIds", "launchTemplate", "fileSystemId"), depends),
    )


def judged(program: Callable[[], object], *, preview: bool) -> tuple[list[Finding], list[Finding]]:
    """Return what is found on the first resource, and what on all others and the stack."""
    registered = [as_resource(item) for item in record(program, preview=preview)]
    run = StackRun()
    findings = [list(run.resource(resource, Config())) for resource in registered]
    rest = [finding for found in findings[1:] for finding in found]
    return findings[0], rest + list(run.stack(registered, Config()))


def shipped(name: str, repository: Path) -> Plan:
    return plan(load_bytes((repository / f"stacks/{name}.yaml").read_bytes()))


@pytest.mark.parametrize("preview", [True, False], ids=["preview", "up"])
@pytest.mark.parametrize("name", ["prod", "staging", "dev"])
def test_a_shipped_fleet_triggers_no_rule_whole_or_in_its_parts(name: str, repository: Path, *, preview: bool) -> None:
    assert judged(with_cluster(shipped(name, repository)), preview=preview) == ([], [])


@pytest.mark.parametrize("preview", [True, False], ids=["preview", "up"])
def test_the_children_of_a_broken_fleet_add_nothing_to_what_it_says(repository: Path, *, preview: bool) -> None:
    said, added = judged(with_cluster(shipped("broken", repository)), preview=preview)
    assert len(said) > 20
    assert [(finding.rule, finding.target, finding.path) for finding in added] == []


def pools() -> dict[str, Callable[[], object]]:
    """Return a program for every pool component with the least that it needs."""
    cluster, tags, zones = cluster_ref(), dict(TAGS), list(ZONES)
    gpu = ["g6e.12xlarge"]
    save = CheckpointArgs(store="hot", interval="30m")
    return {
        "inference on a node group": lambda: InferencePool(
            "chat", cluster=cluster, instance_types=gpu, zones=zones, nodes=6, tags=tags, opts=kubernetes()
        ),
        "inference on Karpenter": lambda: InferencePool(
            "chat",
            cluster=cluster,
            instance_types=gpu,
            zones=zones,
            nodes=6,
            tags=tags,
            provisioner="karpenter",
            opts=kubernetes(),
        ),
        "training on Spot": lambda: TrainingPool(
            "pretrain",
            cluster=cluster,
            instance_types=gpu,
            zones=zones[:1],
            nodes=8,
            min_nodes=0,
            tags=tags,
            capacity=["spot"],
            checkpoint=save,
            opts=kubernetes(),
        ),
        "batch": lambda: BatchPool(
            "nightly", cluster=cluster, instance_types=gpu, zones=zones, nodes=4, tags=tags, opts=kubernetes()
        ),
        "system": lambda: SystemPool(
            "system", cluster=cluster, instance_types=["m7i.xlarge"], zones=zones, nodes=2, tags=tags, opts=kubernetes()
        ),
    }


@pytest.mark.parametrize("preview", [True, False], ids=["preview", "up"])
@pytest.mark.parametrize("name", list(pools()))
def test_a_pool_alone_triggers_no_rule(name: str, *, preview: bool) -> None:
    said, added = judged(pools()[name], preview=preview)
    assert said + added == []
