"""Manifests of the objects that make a lane in any cluster: namespaces, priorities, budgets, queues."""

from collections.abc import Mapping
from typing import Any

from gpulanes.kinds.pool import GPU_RESOURCE
from gpulanes.plan.model import FlavorPlan, PriorityPlan, QueuePlan, QuotaPlan, ServedWorkload

Manifest = dict[str, Any]
KUEUE = "kueue.x-k8s.io/v1beta2"

BESIDE_GPUS: Mapping[str, str] = {
    "cpu": "1G",
    "memory": "500Pi",
    "ephemeral-storage": "500Pi",
    "hugepages-2Mi": "500Pi",
    "vpc.amazonaws.com/efa": "1G",
}
"""What pods on GPU nodes request too, with quotas that never bind: GPUs alone are rationed.

By default Kueue admits no workload that requests a resource which its queue leaves out, and every pod requests CPU.
"""


def namespace(name: str, labels: Mapping[str, str]) -> Manifest:
    """Return a Namespace."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": dict(labels)}}


def priority_class(plan: PriorityPlan, labels: Mapping[str, str]) -> Manifest:
    """Return a PriorityClass; never the cluster's default, which would rank pods that name no class."""
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": plan.name, "labels": dict(labels)},
        "value": plan.value,
        "preemptionPolicy": plan.preemption_policy,
        "globalDefault": False,
        "description": f"Pods of the {plan.kind} lane.",
    }


def disruption_budget(workload: ServedWorkload, labels: Mapping[str, str]) -> Manifest:
    """Return the PodDisruptionBudget of a served workload.

    Pods that never became ready may always be evicted: they serve nothing and would block every drain.
    """
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": workload.name, "namespace": workload.namespace, "labels": dict(labels)},
        "spec": {
            "maxUnavailable": workload.pdb_max_unavailable,
            "selector": {"matchLabels": dict(workload.pod_labels)},
            "unhealthyPodEvictionPolicy": "AlwaysAllow",
        },
    }


def resource_flavor(plan: FlavorPlan, labels: Mapping[str, str]) -> Manifest:
    """Return a Kueue ResourceFlavor; its tolerations are injected on admission, so only admitted pods get in."""
    return {
        "apiVersion": KUEUE,
        "kind": "ResourceFlavor",
        "metadata": {"name": plan.name, "labels": dict(labels)},
        "spec": {
            "nodeLabels": dict(plan.node_labels),
            "tolerations": [dict(toleration) for toleration in plan.tolerations],
        },
    }


def cluster_queue(plan: QueuePlan, labels: Mapping[str, str]) -> Manifest:
    """Return a Kueue ClusterQueue that rations GPUs, open to its own namespace alone."""
    spec: Manifest = {
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": plan.namespace}},
        "queueingStrategy": "BestEffortFIFO",
        "resourceGroups": [
            {"coveredResources": [GPU_RESOURCE, *BESIDE_GPUS], "flavors": [_quota(quota) for quota in plan.quotas]}
        ],
        "preemption": {
            "reclaimWithinCohort": plan.reclaim_within_cohort,
            "withinClusterQueue": plan.within_cluster_queue,
            "borrowWithinCohort": {"policy": "Never"},
        },
    }
    if plan.cohort:
        spec["cohortName"] = plan.cohort
    metadata = {"name": plan.name, "labels": dict(labels)}
    return {"apiVersion": KUEUE, "kind": "ClusterQueue", "metadata": metadata, "spec": spec}


def _quota(plan: QuotaPlan) -> Manifest:
    """Quantities are text, as the API server stores them; a flavor lists every covered resource, in the same order."""
    limits = {"borrowingLimit": plan.borrowing, "lendingLimit": plan.lending}
    quota = {"name": GPU_RESOURCE, "nominalQuota": str(plan.nominal)}
    quota |= {name: str(limit) for name, limit in limits.items() if limit is not None}
    unshared = {name: "0" for name, limit in limits.items() if limit is not None}
    beside = [{"name": name, "nominalQuota": plenty, **unshared} for name, plenty in BESIDE_GPUS.items()]
    return {"name": plan.flavor, "resources": [quota, *beside]}


def local_queue(plan: QueuePlan, labels: Mapping[str, str]) -> Manifest:
    """Return the LocalQueue that jobs name; it carries the ClusterQueue's name."""
    return {
        "apiVersion": KUEUE,
        "kind": "LocalQueue",
        "metadata": {"name": plan.name, "namespace": plan.namespace, "labels": dict(labels)},
        "spec": {"clusterQueue": plan.name},
    }
