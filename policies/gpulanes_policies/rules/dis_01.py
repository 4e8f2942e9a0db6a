"""DIS-01."""

from collections.abc import Iterator

from gpulanes.facts.arithmetic import go_seconds
from gpulanes.facts.model import Facts, PoolFacts
from gpulanes.kinds.pool import Budget
from gpulanes_policies.rule import Failure, Parameter, Parameters, Rule
from gpulanes_policies.subjects import pools_of, said

CAREFUL = ("WhenEmpty", "Balanced")


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """Only empty nodes may be consolidated, and not at once."""
    del facts
    least, after = parameters.text("minimum_consolidate_after"), pool.consolidate_after
    if after.known and (go_seconds(after.get()) or 0) < (go_seconds(least) or 0):
        yield Failure(after.path, said(after), f"at least {least}", f"set consolidateAfter to {least} or more")
    policy = pool.consolidation_policy
    if policy.get() not in CAREFUL and not any(holds(budget) for budget in pool.budgets.get()):
        yield Failure(policy.path, said(policy), " or ".join(CAREFUL))
    after.get()


def holds(budget: Budget) -> bool:
    """Whether a budget never lets a node go for being underutilized; a scheduled one is sometimes off."""
    always = not budget.schedule and budget.nodes in ("0", "0%")
    return always and (not budget.reasons or "Underutilized" in budget.reasons)


RULE = Rule(
    id="DIS-01",
    title="A NodePool for inference only gives up empty nodes, after a while",
    severity="critical",
    scope="resource",
    why="The default is WhenEmptyOrUnderutilized after 0s: Karpenter then replaces a fully used node by a cheaper type "
    "at any time, and every replica on it loads its model again.",
    fix="set consolidationPolicy: WhenEmpty and consolidateAfter: 60m",
    source="Karpenter documentation: Disruption, consolidation; EKS best practices: AI/ML compute",
    reads={"kind": "fail", "consolidation_policy": "fail", "consolidate_after": "fail", "budgets": "fail"},
    subjects=pools_of("inference", "karpenter"),
    check=check,
    parameters={"minimum_consolidate_after": Parameter("10m", "The least time a node stays empty, in Go spelling.")},
    bad="""
manifests:
- like: inference NodePool
  spec: {disruption: {consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 60m}}
""",
    good="""
manifests:
- like: inference NodePool
  spec: {disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 60m}}
""",
)
