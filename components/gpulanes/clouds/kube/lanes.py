"""The Kubernetes objects of a fleet's lanes, in the order in which they need each other."""

from collections.abc import Iterator, Mapping, Sequence

import pulumi

from gpulanes.clouds.base import Scope
from gpulanes.clouds.kube import objects
from gpulanes.clouds.kube.apply import apply, labels
from gpulanes.kinds.pool import LANE_KEY, Kind
from gpulanes.plan.model import Plan

IMMUTABLE = pulumi.ResourceOptions(replace_on_changes=["value", "preemptionPolicy"], delete_before_replace=True)
"""The API server refuses a change of a PriorityClass's rank, and its name is fixed."""


def lanes(scope: Scope, plan: Plan, home: Sequence[pulumi.Resource] = ()) -> None:
    """Create namespaces, priorities, budgets and queues; ``home`` is where Kueue runs."""
    for priority in plan.priorities:
        manifest = objects.priority_class(priority, labels(priority.kind))
        apply(scope, manifest, _logical(scope, priority.name), IMMUTABLE)
    spaces = {
        name: apply(scope, objects.namespace(name, owned), _logical(scope, name))
        for name, owned in _namespaces(plan).items()
    }
    for workload in plan.workloads:
        if workload.pdb_max_unavailable:
            manifest = objects.disruption_budget(workload, labels(workload.kind))
            apply(scope, manifest, _logical(scope, workload.name), _after(spaces[workload.namespace]))
    _queues(scope, plan, spaces, home)


def _queues(scope: Scope, plan: Plan, spaces: Mapping[str, pulumi.Resource], home: Sequence[pulumi.Resource]) -> None:
    """Kueue holds a flavor while a queue lists it, and a queue while it admits: users go first, its home last."""
    flavors = {
        flavor.name: apply(
            scope,
            objects.resource_flavor(flavor, labels(flavor.kind)),
            _logical(scope, flavor.name),
            _after(*home),
        )
        for flavor in plan.flavors
    }
    for queue in plan.queues:
        owned, logical = labels(queue.kind), _logical(scope, queue.name)
        needed = [flavors[quota.flavor] for quota in queue.quotas]
        made = apply(scope, objects.cluster_queue(queue, owned), logical, _after(*needed))
        apply(scope, objects.local_queue(queue, owned), logical, _after(made, spaces[queue.namespace]))


def _namespaces(plan: Plan) -> dict[str, dict[str, str]]:
    """Return each namespace with its labels; one that serves several lanes carries no lane."""
    found: dict[str, set[Kind]] = {}
    for name, kind in _places(plan):
        found.setdefault(name, set()).add(kind)
    managed = {"app.kubernetes.io/managed-by": "gpulanes"}
    return {
        name: managed if len(kinds) > 1 else {**managed, LANE_KEY: min(kinds)} for name, kinds in sorted(found.items())
    }


def _places(plan: Plan) -> Iterator[tuple[str, Kind]]:
    yield from ((workload.namespace, workload.kind) for workload in plan.workloads)
    yield from ((queue.namespace, queue.kind) for queue in plan.queues)


def _logical(scope: Scope, name: str) -> str:
    """Return a logical name that starts with the component's, which most names do already."""
    return name if name.startswith(f"{scope.name}-") else f"{scope.name}-{name}"


def _after(*resources: pulumi.Resource) -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions(depends_on=list(resources))
