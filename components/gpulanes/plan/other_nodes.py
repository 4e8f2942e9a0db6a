"""Nodes of batch jobs that have their own, and of the system pool, which exists by default."""

from gpulanes import catalog
from gpulanes.errors import Problem
from gpulanes.kinds.pool import Nodes
from gpulanes.plan.counts import stated, stated_while_busy
from gpulanes.plan.draft import Draft
from gpulanes.sizing.sized import Sized
from gpulanes.sizing.training_time import training_nodes
from gpulanes.spec.nodes import NodesSpec
from gpulanes.spec.workload import BatchWorkload, SystemWorkload

SYSTEM = "system"
"""Name of the pool of add-ons that a fleet has without asking; the loader keeps the name for it."""


def system_default(draft: Draft) -> None:
    """Add the system workload that the file leaves out: with every GPU pool tainted, add-ons need a home."""
    if any(True for _ in draft.each(SystemWorkload)):
        return
    default = catalog.default("system_instance_type")
    workload = SystemWorkload(kind="system", nodes=NodesSpec(types=[default.text]))
    draft.spec = draft.spec.model_copy(update={"workloads": {**draft.spec.workloads, SYSTEM: workload}})
    draft.report("system-default", SYSTEM, None, f"{default.text}: {default.source}")


def batch_nodes(draft: Draft) -> None:
    """Size the nodes of batch jobs that have their own; none run while there is nothing to do."""
    for name, workload in draft.each(BatchWorkload):
        if workload.nodes is None:
            continue
        given = stated_while_busy(workload.nodes)
        if given is not None:
            draft.nodes[name] = given
            continue
        with draft.attempt(name):
            needed = training_nodes(workload.gpus or 0, draft.types[name][0].gpus)
            draft.nodes[name] = Nodes(0, 0, needed.count)
            draft.report("nodes", name, {"max_nodes": needed})


def system_nodes(draft: Draft) -> None:
    """Take the stated counts of the system pool, or the catalogue's default."""
    default = catalog.default("system_nodes")
    for name, workload in draft.each(SystemWorkload):
        given = stated(workload.nodes)
        count = Sized(default.value, "nodes", "system_nodes", {"system_nodes": default.value}, default.source)
        draft.nodes[name] = given or Nodes(count.count, count.count, count.count)
        if given is None:
            draft.report("nodes", name, {"nodes": count})
    startable(draft)


def startable(draft: Draft) -> None:
    """Refuse a new cluster in which nothing could start the autoscalers: they run on nodes that they do not make."""
    pools = list(draft.each(SystemWorkload))
    held = [name for name, one in pools if one.nodes.provisioner != "karpenter" and draft.nodes[name].min]
    if draft.spec.cluster.existing is None and pools and not held:
        name, first = pools[0]
        draft.refuse(name, nothing_starts(first.nodes))


def nothing_starts(nodes: NodesSpec) -> Problem:
    """Describe system pools that begin with no node."""
    karpenter = nodes.provisioner == "karpenter"
    return Problem(
        code="system-cannot-start",
        path="nodes.provisioner" if karpenter else "nodes.min",
        value="karpenter" if karpenter else "0",
        allowed="a node group that holds a node: in a new cluster Karpenter and Cluster Autoscaler start there",
        fix="leave provisioner out" if karpenter else "raise it to 2",
    )
