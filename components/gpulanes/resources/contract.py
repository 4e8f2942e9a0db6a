"""The contract of a fleet's lanes: what a workload's repository reads instead of copying."""

from collections.abc import Mapping
from typing import Any

import pulumi

from gpulanes.clouds.base import StorageContract
from gpulanes.kinds.plain import Plain, to_plain
from gpulanes.plan.model import Plan, ServedWorkload


def contract(plan: Plan, storage: StorageContract) -> Mapping[str, pulumi.Input[Any]]:
    """Return the contract with camelCase names: workloads, priority classes, queues and storage."""
    return {
        "workloads": {workload.name: _workload(workload) for workload in plan.workloads},
        "priorityClasses": {priority.name: priority.kind for priority in plan.priorities},
        "queues": {queue.name: {"namespace": queue.namespace, "kind": queue.kind} for queue in plan.queues},
        "storage": dict(storage),
    }


def _workload(workload: ServedWorkload) -> Plain:
    """Everything a pod needs to run on its lane; the PodDisruptionBudget is there already."""
    published = {
        "kind": workload.kind,
        "namespace": workload.namespace,
        "nodeSelector": workload.node_selector,
        "tolerations": workload.tolerations,
        "priorityClassName": workload.priority_class,
        "podLabels": workload.pod_labels,
        "replicas": workload.replicas,
        "pools": workload.pools,
        "queue": workload.queue,
    }
    return to_plain({key: value for key, value in published.items() if value not in ("", (), {})})
