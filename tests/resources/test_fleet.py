from dataclasses import replace
from pathlib import Path
from typing import Any

import pulumi
import pytest

from builders_resources import cluster_ref, plan, pool, spot_pool
from gpulanes.fleet import load_bytes
from gpulanes.kinds.plain import to_plain
from gpulanes.plan import plan as planned
from gpulanes.plan.model import StoragePlan
from gpulanes.resources import ArgumentsError, GpuFleet
from programs_resources import fleet, with_cluster
from recording import Registrations, record, unknowns

FLEET = "gpulanes:index:GpuFleet"
PDB = "kubernetes:policy/v1:PodDisruptionBudget"


def parents(found: Registrations, type_: str) -> set[str]:
    return {item.parent.rpartition("::")[2] for item in found.of(type_)}


def test_the_fleet_registers_the_whole_plan_before_any_child() -> None:
    decided = plan()
    found = record(with_cluster(decided))
    assert found[0].type == FLEET
    plain = to_plain(decided, camel_case=True)
    assert isinstance(plain, dict)
    assert found[0].props == {key: value for key, value in plain.items() if key != "steps"}


def test_the_plan_is_known_at_preview_to_the_last_field() -> None:
    found = record(with_cluster(plan()), preview=True)
    assert list(unknowns(found.one(FLEET).props)) == []
    for item in found:
        if item.type.endswith("Pool") and item.type.startswith("gpulanes:"):
            assert list(unknowns(item.props)) == []


def test_children_hang_below_the_component_that_made_them() -> None:
    found = record(fleet())
    assert parents(found, "aws:eks/nodeGroup:NodeGroup") == {"chat-test-chat", "chat-test-system"}
    assert parents(found, "kubernetes:karpenter.sh/v1:NodePool") == {"chat-test-pretrain"}
    assert parents(found, "aws:s3/bucket:Bucket") == {"chat-test-storage"}
    assert parents(found, PDB) == {"chat-test"}
    assert parents(found, "gpulanes:index:InferencePool") == {"chat-test"}


@pytest.mark.parametrize("environment", ["dev", "staging", "prod", "broken"])
def test_a_preview_registers_what_an_up_creates(environment: str, repository: Path) -> None:
    decided = planned(load_bytes((repository / f"stacks/{environment}.yaml").read_bytes()))
    preview, up = record(with_cluster(decided), preview=True), record(with_cluster(decided))
    assert preview.identities() == up.identities()
    assert len(up) == len(up.identities())


def test_every_served_workload_has_its_budget_and_training_has_none() -> None:
    found = record(fleet())
    budget = found.one(PDB)
    assert budget.props["metadata"]["namespace"] == "chat-test-chat"
    assert budget.props["spec"] == {
        "maxUnavailable": 1,
        "selector": {"matchLabels": {"app": "chat"}},
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
    }


def test_a_change_of_rank_replaces_the_priority_class_because_the_api_refuses_an_update() -> None:
    found = record(fleet()).of("kubernetes:scheduling.k8s.io/v1:PriorityClass")
    assert {item.props["metadata"]["name"]: item.props["value"] for item in found} == {
        "chat-test-inference": 100_000,
        "chat-test-training": 1_000,
    }
    assert all(item.delete_before_replace and item.replace_on_changes for item in found)
    assert not any(item.props["globalDefault"] for item in found)


def test_queues_lend_and_borrow_as_planned_and_are_deleted_before_what_they_use() -> None:
    found = record(fleet())
    queue = found.one("kubernetes:kueue.x-k8s.io/v1beta2:ClusterQueue", "chat-test-training")
    assert queue.props["spec"]["cohortName"] == "chat-test"
    assert [(one["name"], one["resources"][0]) for one in queue.props["spec"]["resourceGroups"][0]["flavors"]] == [
        (name, {"name": "nvidia.com/gpu", "nominalQuota": own, "borrowingLimit": more, "lendingLimit": "0"})
        for name, own, more in [("chat-test-pretrain", "64", "0"), ("chat-test-chat", "0", "16")]
    ]
    flavors = {item.urn for item in found.of("kubernetes:kueue.x-k8s.io/v1beta2:ResourceFlavor")}
    assert flavors <= queue.dependencies
    local = found.one("kubernetes:kueue.x-k8s.io/v1beta2:LocalQueue", "chat-test-training")
    assert queue.urn in local.dependencies


def test_a_queue_without_a_cohort_and_limits_leaves_them_out() -> None:
    decided = plan()
    alone = replace(
        decided.queues[0], cohort="", quotas=(replace(decided.queues[0].quotas[0], borrowing=None, lending=None),)
    )
    found = record(fleet(replace(decided, queues=(alone,))))
    spec = found.one("kubernetes:kueue.x-k8s.io/v1beta2:ClusterQueue").props["spec"]
    assert "cohortName" not in spec
    [flavor] = spec["resourceGroups"][0]["flavors"]
    assert flavor["resources"][0] == {"name": "nvidia.com/gpu", "nominalQuota": "24"}
    assert all(set(resource) == {"name", "nominalQuota"} for resource in flavor["resources"])


def test_a_namespace_that_serves_two_lanes_carries_no_lane() -> None:
    decided = plan()
    shared = tuple(replace(one, namespace="shared") for one in decided.workloads)
    found = record(fleet(replace(decided, workloads=shared, queues=())))
    assert found.one("kubernetes:core/v1:Namespace").props["metadata"]["labels"] == {
        "app.kubernetes.io/managed-by": "gpulanes"
    }


def test_the_contract_says_where_a_workload_runs_and_what_it_may_use() -> None:
    made: list[GpuFleet] = []
    record(lambda: made.append(fleet()()))
    contract: Any = made[0].contract
    assert contract["workloads"]["chat"] == {
        "kind": "inference",
        "namespace": "chat-test-chat",
        "nodeSelector": {"workload": "inference"},
        "tolerations": [
            {"key": "workload", "operator": "Equal", "value": "inference", "effect": "NoSchedule"},
            {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"},
        ],
        "priorityClassName": "chat-test-inference",
        "podLabels": {"app": "chat"},
        "replicas": 4,
        "pools": ["chat"],
        "queue": "chat-test-inference",
    }
    assert set(contract["storage"]) == {"serving", "archive", "hot", "roles"}
    assert set(contract["storage"]["roles"]) == {"inference", "training"}


def test_what_keeps_a_plan_out_of_a_cluster_is_said_at_once_and_nothing_is_registered() -> None:
    decided = plan(pool("inference", "chat"), spot_pool(types=("p5.48xlarge",), multi_node=True))
    cluster = cluster_ref(subnets={"us-east-1b": "subnet-b"}, interruption_queue="arn:aws:sqs:us-east-1:1:queue")
    del cluster["fabric_security_group_id"]
    with pytest.raises(ArgumentsError) as refused:
        record(lambda: GpuFleet("chat-test", plan=decided, cluster=cluster))
    codes = [problem.code for problem in refused.value.problems]
    assert sorted(codes) == sorted(["zone-subnet"] * 3 + ["fabric-group", "interruption-queue", "kubernetes-provider"])
    assert "use queue" in str(refused.value)


def test_a_plan_that_is_not_one_and_a_missing_cluster_are_refused() -> None:
    with pytest.raises(ArgumentsError) as refused:
        record(lambda: GpuFleet("chat-test", plan={"fleet": "chat"}))
    assert [problem.path for problem in refused.value.problems] == ["chat-test: cluster", "chat-test: plan"]


def test_a_region_that_is_not_the_plans_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulumi.Config, "get", lambda *_: "eu-west-1")
    with pytest.raises(ArgumentsError, match="pulumi config set aws:region us-east-1"):
        record(fleet())


def test_a_fleet_without_stores_has_no_buckets_and_no_roles() -> None:
    found = record(fleet(plan(storage=StoragePlan())))
    assert found.of("aws:s3/bucket:Bucket") == []
    assert found.of("aws:iam/role:Role") == []
