"""CLS-01."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes.kinds.pool import KINDS
from gpulanes_policies.rule import Failure, Parameters, Rule


def pools(facts: Facts) -> Iterable[PoolFacts]:
    """Return every pool: a label that is not known may be any lane's, whatever the nodes are."""
    return facts.pools


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """A GPU pool says its lane, and says the same one everywhere."""
    del facts, parameters
    lane, kind = pool.lane_label.get(), pool.kind.get()
    if lane == kind and lane in KINDS:
        return
    if pool.origin == "declared":
        yield Failure(pool.lane_label.path, lane, f"{kind}, the lane that the pool is declared for")
    elif pool.accelerated.get():
        yield Failure(pool.lane_label.path, lane, f"one of {', '.join(KINDS)}")


RULE = Rule(
    id="CLS-01",
    title="A GPU pool declares its lane",
    severity="high",
    scope="resource",
    why="Every other guardrail depends on what a pool is for. Pods select their lane by this label, so that a pool "
    "without it runs nothing, or runs what it should not.",
    fix="label the nodes workload: inference, training, batch or system",
    source="Karpenter documentation: NodePools should be mutually exclusive",
    reads={"lane_label": "fail", "kind": "fail", "accelerated": "advise"},
    subjects=pools,
    check=check,
    bad="""
pulumi:
- like: training node group
  props: {labels: {workload: null}}
""",
    good="""
pulumi:
- like: training node group
  props: {labels: {workload: training}}
""",
)
