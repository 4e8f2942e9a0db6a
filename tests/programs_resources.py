"""Programs that the tests of components run under the recording monitor."""

from collections.abc import Callable

import pulumi
import pulumi_kubernetes

from builders_resources import TAGS, cluster_ref, plan
from gpulanes.plan.model import Plan
from gpulanes.resources import Connection, GpuCluster, GpuFleet, connection


def kubernetes() -> pulumi.ResourceOptions:
    """Return options with an explicit Kubernetes provider."""
    return pulumi.ResourceOptions(providers=[pulumi_kubernetes.Provider("kubernetes", kubeconfig="{}")])


def fleet(decided: Plan | None = None) -> Callable[[], GpuFleet]:
    """Return a program that puts a plan into a cluster that is there."""
    return lambda: GpuFleet("chat-test", {"plan": decided or plan(), "cluster": cluster_ref()}, kubernetes())


def with_cluster(decided: Plan) -> Callable[[], GpuFleet]:
    """Return a program like the shipped one: the cluster is made once the plan is accepted."""

    def connect(made: GpuFleet) -> Connection:
        cluster = GpuCluster(
            "chat-test", kubernetes="1.34", zones=list(decided.zones), tags=dict(TAGS), after=made.accepted
        )
        return connection("chat-test", cluster.ref, decided.region)

    return lambda: GpuFleet("chat-test", plan=decided, connect=connect)
