"""CAP-01."""

from collections.abc import Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes_policies.rule import Failure, Parameter, Parameters, Rule
from gpulanes_policies.subjects import listed, pools_of

STABLE = ("on-demand", "reserved")


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """Every capacity type that the NodePool leaves open has to be one that nobody takes back."""
    del facts
    if pool.service_class.get_or("") in parameters.names("exempt_service_classes"):
        return
    left = pool.capacity.get()
    if not left or set(left) - set(STABLE):
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
    parameters={
        "exempt_service_classes": Parameter(("best-effort",), "Service classes that may be served from Spot."),
    },
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
