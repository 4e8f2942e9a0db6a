"""Clusters, pools and plans for the tests of components and clouds."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from builders import pool_intent
from gpulanes.clouds.base import ClusterRef
from gpulanes.kinds import build
from gpulanes.kinds.lane import tolerations
from gpulanes.kinds.pool import Checkpoint, Kind, Nodes, Pool, Reservation
from gpulanes.plan.model import (
    BucketPlan,
    ClusterPlan,
    FlavorPlan,
    LustrePlan,
    PartitionPlan,
    Plan,
    PriorityPlan,
    QueuePlan,
    QuotaPlan,
    ServedWorkload,
    StoragePlan,
)

TAGS: Mapping[str, str] = {"environment": "test", "owner": "ml-platform", "cost-center": "4711"}
ZONES = ("us-east-1a", "us-east-1b", "us-east-1c")
CHECKPOINT = Checkpoint("hot", 1800.0, 10**12)


def cluster_ref(**changed: Any) -> ClusterRef:  # noqa: ANN401 - fields of the reference
    """Return a reference to a cluster that is there."""
    ref = ClusterRef(
        name="shared",
        endpoint="https://shared.example",
        certificate_authority="Y2E=",
        version="1.34",
        vpc_id="vpc-1",
        subnets={zone: f"subnet-{zone}" for zone in ZONES},
        security_group_id="sg-nodes",
        fabric_security_group_id="sg-fabric",
        node_role_name="nodes",
        node_role_arn="arn:aws:iam::111122223333:role/nodes",
        interruption_queue="shared",
    )
    ref.update(changed)  # type: ignore[typeddict-item]
    return ref


def pool(kind: Kind, name: str = "", *, changed: Mapping[str, Any] | None = None, **stated: Any) -> Pool:  # noqa: ANN401
    """Return a complete pool of a kind; ``changed`` sets its fields by hand afterwards."""
    intent = replace(pool_intent(kind, tags=TAGS, **stated), name=name or kind)
    return replace(build(intent), **(changed or {}))


def spot_pool(name: str = "pretrain", **stated: Any) -> Pool:  # noqa: ANN401
    """Return a Spot training pool under Karpenter."""
    given = {"types": ("p5.48xlarge",), "nodes": Nodes(0, 0, 8), "capacity": ("spot",), "checkpoint": CHECKPOINT}
    return pool("training", name, **{**given, **stated})


def reserved_pool(name: str = "reserved", **stated: Any) -> Pool:  # noqa: ANN401
    """Return a training pool on a reservation."""
    given = {
        "types": ("p5.48xlarge",),
        "capacity": ("reserved",),
        "reservation": Reservation(4, "cr-0123456789abcdef0"),
    }
    return pool("training", name, **{**given, **stated})


def workload(kind: Kind, name: str, **changed: Any) -> ServedWorkload:  # noqa: ANN401
    """Return what a workload repository sees."""
    served = ServedWorkload(
        name=name,
        kind=kind,
        namespace=f"chat-test-{name}",
        priority_class=f"chat-test-{kind}",
        pod_labels={"app": name},
        node_selector={"workload": kind},
        tolerations=tolerations(kind, "workload"),
        replicas=4,
        pdb_max_unavailable=1 if kind == "inference" else 0,
        pools=(name,),
        queue=f"chat-test-{kind}",
    )
    return replace(served, **changed)


def bucket(purpose: Literal["serving", "archive"], lane: Kind, days: int) -> BucketPlan:
    """Return the plan of a bucket."""
    return BucketPlan(
        name=f"chat-test-{purpose}",
        purpose=purpose,
        versioned=True,
        archive_after_days=days,
        protect=True,
        tags={**TAGS, "workload": lane},
    )


def storage(**changed: Any) -> StoragePlan:  # noqa: ANN401
    """Return all three tiers."""
    tags = {**TAGS, "workload": "training"}
    tiers = StoragePlan(
        hot=LustrePlan(
            name="chat-test-hot",
            deployment_type="PERSISTENT_2",
            capacity_gib=4800,
            throughput_per_tib=500,
            metadata_iops=6000,
            efa=False,
            zone="us-east-1a",
            linked_prefix="checkpoints/",
            export_events=("NEW", "CHANGED", "DELETED"),
            weekly_maintenance="3:12:00",
            tags=tags,
        ),
        serving=bucket("serving", "inference", 0),
        archive=bucket("archive", "training", 30),
    )
    return replace(tiers, **changed)


def plan(*pools: Pool, **changed: Any) -> Plan:  # noqa: ANN401
    """Return the plan of a fleet with an inference and a training lane that share through Kueue."""
    chat, pretrain = workload("inference", "chat"), workload("training", "pretrain")
    complete = Plan(
        fleet="chat",
        environment="test",
        cloud="aws",
        region="us-east-1",
        zones=ZONES,
        tags=TAGS,
        cluster=ClusterPlan("chat-test", "1.34"),
        partition=PartitionPlan("borrow-and-return", 8, 16),
        pools=pools or (pool("inference", "chat"), spot_pool(), pool("system", "system")),
        workloads=(chat, pretrain),
        priorities=(
            PriorityPlan("chat-test-inference", "inference", 100_000, "PreemptLowerPriority"),
            PriorityPlan("chat-test-training", "training", 1_000, "Never"),
        ),
        flavors=(
            FlavorPlan("chat-test-chat", "inference", {"workload": "inference"}, chat.tolerations, spot=False),
            FlavorPlan("chat-test-pretrain", "training", {"workload": "training"}, pretrain.tolerations, spot=True),
        ),
        queues=(
            _queue("inference", chat.namespace, QuotaPlan("chat-test-chat", 24, 0, 16)),
            _queue(
                "training",
                pretrain.namespace,
                QuotaPlan("chat-test-pretrain", 64, 0, 0),
                QuotaPlan("chat-test-chat", 0, 16, 0),
            ),
        ),
        storage=storage(),
        windows={},
        costs=(),
        steps=(),
        notes=(),
    )
    return replace(complete, **changed)


def _queue(kind: Kind, namespace: str, *quotas: QuotaPlan) -> QueuePlan:
    return QueuePlan(f"chat-test-{kind}", kind, namespace, "chat-test", quotas, "Any", "LowerPriority")
