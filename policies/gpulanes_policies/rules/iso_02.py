"""ISO-02."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import LANES, Facts, PoolFacts
from gpulanes_policies.rule import Failure, Parameters, Rule
from gpulanes_policies.subjects import lane_taints, shown_taints


def lanes(facts: Facts) -> Iterable[PoolFacts]:
    """Return the pools of the lanes."""
    return (pool for pool in facts.pools if pool.kind.get_or("") in LANES)


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """Whoever tolerates another lane's taints must still be kept away by one of this pool's."""
    del parameters
    kind = pool.kind.get()
    others = [other for other in lanes(facts) if other.kind.get() != kind]
    own = lane_taints(pool) if others else frozenset()
    open_to = [other.name for other in others if not own - lane_taints(other, complete=True)]
    if open_to:
        limit = f"a taint of its own lane, which pods of {', '.join(open_to)} do not tolerate"
        yield Failure(pool.taints.path, shown_taints(pool.taints.get()), limit, f"add workload={kind}:NoSchedule")


RULE = Rule(
    id="ISO-02",
    title="Each lane has a taint of its own",
    severity="critical",
    scope="stack",
    why="Pods of both lanes tolerate the vendor's GPU taint, so that it separates nothing: a training job then takes "
    "the node that the next inference replica needs.",
    fix="taint every pool with its lane: workload=inference:NoSchedule, workload=training:NoSchedule",
    source="EKS best practices: AI/ML compute, taints; Karpenter documentation: NodePools",
    reads={"kind": "fail", "taints": "fail"},
    subjects=lanes,
    check=check,
    bad="""
pulumi:
- like: inference node group
- like: training node group
  props: {taints: [{key: nvidia.com/gpu, value: present, effect: NO_SCHEDULE}]}
""",
    good="""
pulumi:
- like: inference node group
- like: training node group
  props: {taints: [{key: workload, value: training, effect: NO_SCHEDULE}]}
""",
)
