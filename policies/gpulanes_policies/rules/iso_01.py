"""ISO-01."""

from collections.abc import Iterator

from gpulanes.facts.matching import blocks
from gpulanes.facts.model import Facts, PoolFacts
from gpulanes.facts.unknown import Undecided
from gpulanes_policies.rule import Failure, Parameters, Rule
from gpulanes_policies.subjects import classified_pools, shown_taints, uncertain


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """At least one taint keeps pods away that do not tolerate it."""
    del facts, parameters
    taints = pool.taints.get()
    if any(blocks(taint) is True for taint in taints) or not pool.accelerated.get():
        return
    if any(uncertain(taint) for taint in taints):
        raise Undecided(pool.taints.path, pool.taints)
    yield Failure(pool.taints.path, shown_taints(taints), "a taint with effect NoSchedule or NoExecute")


RULE = Rule(
    id="ISO-01",
    title="A GPU pool is tainted",
    severity="high",
    scope="resource",
    why="Without a taint any pod may land on GPU nodes and keep them from scaling down, or GPU pods from starting. "
    "PreferNoSchedule only asks; startup taints are gone once a node is up.",
    fix="add the taints workload=<lane>:NoSchedule and nvidia.com/gpu=present:NoSchedule",
    source="EKS best practices: AI/ML compute; Kubernetes: Taints and Tolerations",
    reads={"taints": "fail", "accelerated": "advise"},
    subjects=classified_pools,
    check=check,
    bad="""
pulumi:
- like: training node group
  props: {taints: []}
""",
    good="""
pulumi:
- like: training node group
  props: {taints: [{key: workload, value: training, effect: NO_SCHEDULE}]}
""",
)
