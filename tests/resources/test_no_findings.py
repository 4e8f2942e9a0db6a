"""What the components make by default breaks no rule, whether outputs are known or not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from builders_resources import CHECKPOINT, TAGS, ZONES, cluster_ref
from gpulanes.facts import PulumiResource, plain_value
from gpulanes.fleet import load_bytes
from gpulanes.plan import plan
from gpulanes.resources import BatchPool, InferencePool, SystemPool, TrainingPool
from gpulanes_policies.config import Config
from gpulanes_policies.run import StackRun
from programs_resources import kubernetes, with_cluster
from recording import Registered, record

Program = Callable[[], object]


def resource(item: Registered) -> PulumiResource:
    props = plain_value(dict(item.props))
    assert isinstance(props, dict)
    return PulumiResource(
        token=item.type,
        urn=item.urn,
        name=item.name,
        props=props,
        parent=item.parent,
        protect=item.protect,
        ignore_changes=item.ignore_changes,
        dependencies=tuple(sorted(item.dependencies)),
        property_dependencies=item.property_dependencies,
    )


def findings(program: Program, *, preview: bool) -> list[str]:
    """Judge what a program registers in the order in which it does, and then as a whole, as the pack does."""
    run, config = StackRun(), Config()
    registered = [resource(item) for item in record(program, preview=preview)]
    found = [finding for item in registered for finding in run.resource(item, config)]
    return [str(finding) for finding in (*found, *run.stack(registered, config))]


def inference() -> object:
    return InferencePool(
        "chat", cluster=cluster_ref(), instance_types=["g6e.12xlarge"], zones=list(ZONES), nodes=6, tags=dict(TAGS)
    )


def training() -> object:
    return TrainingPool(
        "pretrain",
        cluster=cluster_ref(),
        instance_types=["p5.48xlarge"],
        zones=["us-east-1a"],
        nodes=0,
        max_nodes=8,
        capacity=["spot"],
        checkpoint={"store": CHECKPOINT.store, "interval": "30m"},
        tags=dict(TAGS),
        opts=kubernetes(),
    )


def batch() -> object:
    return BatchPool(
        "scoring",
        cluster=cluster_ref(),
        instance_types=["g6e.12xlarge"],
        zones=list(ZONES),
        nodes=0,
        max_nodes=4,
        tags=dict(TAGS),
        opts=kubernetes(),
    )


def system() -> object:
    return SystemPool(
        "system", cluster=cluster_ref(), instance_types=["m7i.xlarge"], zones=list(ZONES), nodes=2, tags=dict(TAGS)
    )


@pytest.mark.parametrize("preview", [True, False], ids=["preview", "up"])
@pytest.mark.parametrize("program", [inference, training, batch, system])
def test_a_pool_alone_breaks_no_rule(program: Program, *, preview: bool) -> None:
    assert findings(program, preview=preview) == []


@pytest.mark.parametrize("preview", [True, False], ids=["preview", "up"])
@pytest.mark.parametrize("environment", ["dev", "staging", "prod"])
def test_a_shipped_fleet_with_its_cluster_breaks_no_rule(environment: str, repository: Path, *, preview: bool) -> None:
    decided = plan(load_bytes((repository / f"stacks/{environment}.yaml").read_bytes()))
    assert findings(with_cluster(decided), preview=preview) == []


def test_a_broken_fleet_is_refused_on_its_first_registration(repository: Path) -> None:
    decided = plan(load_bytes((repository / "stacks/broken.yaml").read_bytes()))
    first = resource(record(with_cluster(decided), preview=True)[0])
    found = StackRun().resource(first, Config())
    assert {finding.rule for finding in found} >= {"CAP-01", "CAP-02", "ZON-01", "STO-01", "PDB-01", "TAG-01"}
