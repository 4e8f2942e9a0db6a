"""The shipped fleet files all the way: preview, up, no change, one change, replacement, drift, destroy."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from gpulanes_lab.lab import Lab
from lab_fleets import PACK, Fleet, aws, custom, make_fleet, type_of

pytestmark = pytest.mark.lab

NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
QUEUE = "kubernetes:kueue.x-k8s.io/v1beta2:ClusterQueue"
SERVING = "nodes: {types: [g6e.2xlarge]}"


@pytest.fixture(scope="module")
def prod(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """The production fleet, up: previewed and created under the policy pack."""
    fleet = make_fleet(lab, tmp_path_factory.mktemp("prod"), "prod")
    fleet.pulumi("preview", *PACK)
    fleet.up(*PACK)
    yield fleet
    fleet.destroy()


@pytest.fixture(scope="module")
def standing(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    fleet = make_fleet(lab, tmp_path_factory.mktemp("dev"), "dev")
    yield fleet
    fleet.destroy()


@pytest.fixture
def dev(standing: Fleet) -> Fleet:
    """The small fleet, up as it is shipped, whatever the test before has made of it."""
    standing.edit()
    standing.up("--refresh", *PACK)
    return standing


def test_a_second_up_and_a_refresh_change_nothing(prod: Fleet) -> None:
    prod.up(*PACK, "--expect-no-changes")
    prod.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")


def test_both_lanes_exist_where_they_were_planned(prod: Fleet) -> None:
    assert {group["labels"]["workload"] for group in prod.node_groups().values()} == {"inference", "system"}
    lanes = {pool["spec"]["template"]["metadata"]["labels"]["workload"] for pool in prod.node_pools().values()}
    assert lanes == {"training"}


def test_every_manifest_that_was_rendered_passes_strict_validation(prod: Fleet) -> None:
    manifests = [r["inputs"] for r in custom(prod.resources()) if r["type"].startswith("kubernetes:")]
    assert {m["kind"] for m in manifests} >= {"NodePool", "EC2NodeClass", "ClusterQueue", "PodDisruptionBudget"}
    for manifest in manifests:
        plain = {key: value for key, value in manifest.items() if not key.startswith("__")}
        assert prod.lab.kube.apply(plain, dry_run=True)["metadata"]["name"] == manifest["metadata"]["name"]


def test_one_changed_number_updates_one_node_group_in_place(dev: Fleet) -> None:
    before = set(dev.node_groups())
    dev.edit((SERVING, "nodes: {types: [g6e.2xlarge], min: 1, max: 3}"))
    planned = dev.steps()
    assert set(planned) == {"update"}
    # More nodes are more quota: the lane's queue is the only other thing that the number reaches.
    assert {kind for kind in planned["update"] if not kind.startswith("gpulanes:")} == {NODE_GROUP, QUEUE}
    dev.up(*PACK)
    assert set(dev.node_groups()) == before
    assert 3 in [group["scalingConfig"]["maxSize"] for group in dev.node_groups().values()]
    dev.up(*PACK, "--expect-no-changes")


def test_a_field_that_aws_cannot_change_replaces_the_group(dev: Fleet) -> None:
    before = set(dev.node_groups())
    dev.edit((SERVING, "nodes: {types: [g6e.4xlarge]}"))
    assert NODE_GROUP in dev.steps()["replace"]
    dev.up(*PACK)
    after = dev.node_groups()
    assert len(after) == len(before)
    assert len(before - set(after)) == 1
    dev.up(*PACK, "--expect-no-changes")


def test_refresh_reports_exactly_what_a_hand_has_changed_in_aws(dev: Fleet) -> None:
    name, group = next(iter(dev.node_groups().items()))
    size = group["scalingConfig"]
    aws(dev.lab, "eks").update_nodegroup_config(
        clusterName=group["clusterName"],
        nodegroupName=name,
        scalingConfig={**size, "maxSize": size["maxSize"] + 5},
    )
    assert drift(dev) == {NODE_GROUP: {"scalingConfig.maxSize"}}
    dev.up("--refresh", *PACK)
    assert dev.node_groups()[name]["scalingConfig"] == size


def test_refresh_reports_exactly_what_a_hand_has_changed_in_the_cluster(dev: Fleet) -> None:
    _, pool = next(iter(dev.node_pools().items()))
    by_hand(dev, pool, {"consolidateAfter": "1m"})
    assert list(drift(dev)) == [NODE_POOL]
    # The API server knows that the field is another manager's now, and does not let it be taken back silently.
    refused = dev.up("--refresh", *PACK, check=False)
    assert 'conflict with "a-hand"' in refused.stdout
    by_hand(dev, pool, {"consolidateAfter": pool["spec"]["disruption"]["consolidateAfter"]})
    dev.up("--refresh", *PACK)
    assert drift(dev) == {}


def by_hand(fleet: Fleet, pool: dict[str, Any], disruption: dict[str, str]) -> None:
    """Edit a NodePool as `kubectl edit` does."""
    path, change = fleet.lab.kube.path_of(pool), {"spec": {"disruption": disruption}}
    fleet.lab.kube.request("PATCH", path, change, "application/merge-patch+json", fieldManager="a-hand")


def test_destroy_leaves_nothing_in_state_cloud_or_cluster(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> None:
    fleet = make_fleet(lab, tmp_path_factory.mktemp("gone"), "dev")
    fleet.up(*PACK)
    assert fleet.node_groups()
    fleet.destroy()
    assert fleet.resources() == []
    assert (fleet.node_groups(), fleet.node_pools()) == ({}, {})
    tagged = aws(lab, "resourcegroupstaggingapi").get_resources()["ResourceTagMappingList"]
    assert [found["ResourceARN"] for found in tagged if fleet.stack in found["ResourceARN"]] == []


def drift(fleet: Fleet) -> dict[str, set[str]]:
    """What `pulumi refresh` finds: the changed fields by type."""
    seen = json.loads(fleet.pulumi("refresh", "--preview-only", "--json").stdout)
    changed = [step for step in seen["steps"] if step["op"] not in ("same", "refresh")]
    return {type_of(step["urn"]): set(step["detailedDiff"] or ()) for step in changed}
