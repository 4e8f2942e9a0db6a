"""ZON-02."""

from collections.abc import Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes_policies.joins import zones_together
from gpulanes_policies.rule import Failure, Parameter, Parameters, Rule
from gpulanes_policies.subjects import pools_of


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """The NodePools that serve the same pods leave several zones open together; no requirement leaves all open."""
    zones, least = zones_together(pool, facts), parameters.number("minimum_zones")
    if pool.zones.given and 0 < len(zones) < least:
        yield Failure(pool.zones.path, ", ".join(sorted(zones)), f"at least {least} zones, or no requirement")


RULE = Rule(
    id="ZON-02",
    title="NodePools for inference span zones",
    severity="high",
    scope="stack",
    why="A requirement on one zone ties serving to it: when that zone fails or has no GPU left, Karpenter may not "
    "look elsewhere.",
    fix="remove the requirement on topology.kubernetes.io/zone, or list every zone that has the type",
    source="EKS best practices: AI/ML compute; Karpenter documentation: NodePools, requirements",
    reads={"kind": "fail", "zones": "fail"},
    subjects=pools_of("inference", "karpenter"),
    check=check,
    parameters={"minimum_zones": Parameter(2, "The least zones of a served workload's NodePools.")},
    bad="""
manifests:
- like: inference NodePool
  spec: {template: {spec: {requirements: [
    {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]},
    {key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a]}]}}}
""",
    good="manifests: [{like: inference NodePool}]",
)
