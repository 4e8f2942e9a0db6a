"""CAP-01."""

from collections.abc import Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes_policies.rule import Failure, Parameters, Rule
from gpulanes_policies.subjects import MAY_BE_INTERRUPTED, interruptible, listed, pools_of


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """Every capacity type that the NodePool leaves open has to be one that nobody takes back."""
    del facts
    if pool.service_class.get_or("") in parameters.names("exempt_service_classes"):
        return
    if not pool.capacity.get() or interruptible(pool):
        yield Failure(pool.capacity.path, listed(pool.capacity), "only on-demand or reserved")


RULE = Rule(
    id="CAP-01",
    title="A NodePool for inference takes no interruptible capacity",
    severity="critical",
    scope="resource",
    why="Karpenter buys reserved, then Spot, then on-demand among the types a NodePool leaves open, and an absent "
    "requirement leaves all three open. A Spot node goes with two minutes' notice.",
    fix="require karpenter.sh/capacity-type In [on-demand] (or [reserved, on-demand])",
    source="Karpenter documentation: NodePools, capacity type; EKS best practices: AI/ML compute",
    reads={"kind": "fail", "capacity": "fail", "service_class": "ignore"},
    subjects=pools_of("inference", "karpenter"),
    check=check,
    parameters={"exempt_service_classes": MAY_BE_INTERRUPTED},
    bad="""
manifests:
- like: inference NodePool
  spec: {template: {spec: {requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}]}}}
""",
    good="""
manifests:
- like: inference NodePool
  spec: {template: {spec: {requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]}}}
""",
)
