"""ISO-02."""

from collections.abc import Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes.facts.unknown import Undecided
from gpulanes_policies.joins import lane_taints
from gpulanes_policies.rule import Failure, Parameters, Rule
from gpulanes_policies.subjects import lane_pools, separating, shown_taints, some, uncertain


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """Whoever tolerates another lane's taints must still be kept away by one of this pool's."""
    del parameters
    kind = pool.kind.get()
    others = [found for lane, found in lane_taints(facts).items() if lane != kind]
    if not others:
        return
    taints, own = pool.taints.get(), {(taint.key, taint.value) for taint in separating(pool)}
    if not own and any(map(uncertain, taints)):
        raise Undecided(pool.taints.path, pool.taints)
    open_to = [name for lane in others for theirs, names in lane.sets.items() if not own - theirs for name in names]
    if open_to:
        limit = f"a taint of its own lane, which pods of {some(open_to)} do not tolerate"
        yield Failure(pool.taints.path, shown_taints(taints), limit, f"add workload={kind}:NoSchedule")
    for lane in others:
        for unsure in lane.unsure:
            raise unsure


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
    subjects=lane_pools,
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
