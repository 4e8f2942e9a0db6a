"""A Pulumi program: ``POOLS`` pools, half node groups and half Karpenter's; ``MEASURED`` gets what they took."""

import json
import os
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time

import pulumi
import pulumi_kubernetes

from gpulanes.resources import ClusterRef, InferencePool, TrainingPool

ZONES = ["us-east-1a", "us-east-1b", "us-east-1c"]
TAGS = {"environment": "bench", "owner": "ml-platform", "cost-center": "4711"}
CLUSTER = ClusterRef(
    name="shared",
    endpoint="https://shared.example",
    certificate_authority="Y2E=",
    version="1.34",
    vpc_id="vpc-1",
    subnets={zone: f"subnet-{zone}" for zone in ZONES},
    security_group_id="sg-nodes",
    node_role_name="nodes",
    node_role_arn="arn:aws:iam::111122223333:role/nodes",
    interruption_queue="shared",
)


def program(pools: int) -> None:
    """Register the pools."""
    provider = pulumi_kubernetes.Provider("cluster", kubeconfig=os.environ.get("POOLS_KUBECONFIG", "{}"))
    opts = pulumi.ResourceOptions(providers=[provider])
    for number in range(0, pools, 2):
        InferencePool(
            f"serve-{number}",
            cluster=CLUSTER,
            instance_types=["g6e.12xlarge"],
            zones=ZONES,
            tags=TAGS,
            nodes=4,
            provisioner="node-group",
            opts=opts,
        )
        TrainingPool(
            f"train-{number}",
            cluster=CLUSTER,
            instance_types=["p5.48xlarge"],
            zones=["us-east-1b"],
            tags=TAGS,
            nodes=0,
            max_nodes=4,
            capacity=["spot"],
            provisioner="karpenter",
            checkpoint={"store": "hot", "interval": "30m"},
            opts=opts,
        )


def measured(pools: int) -> dict[str, float]:
    """Register the pools; how long the program itself took, and how much memory this process holds by then."""
    start = process_time()
    program(pools)
    return {"seconds": process_time() - start, "mib": getrusage(RUSAGE_SELF).ru_maxrss / 1024}


if __name__ == "__main__":
    Path(os.environ["MEASURED"]).write_text(json.dumps(measured(int(os.environ["POOLS"]))), encoding="utf-8")
