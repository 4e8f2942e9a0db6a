"""ZON-01."""

from collections.abc import Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes_policies.joins import zones_together
from gpulanes_policies.rule import Failure, Parameter, Parameters, Rule
from gpulanes_policies.subjects import pools_of


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """The groups that serve the same pods lie in several zones together, in one more for the latency-critical."""
    zones = zones_together(pool, facts)
    least, critical = parameters.number("minimum_zones"), parameters.number("latency_critical_zones")
    if not zones or len(zones) >= max(least, critical):
        return
    service = pool.service_class.get() if len(zones) >= least else pool.service_class.get_or("")
    if service == "latency-critical":
        least = critical
    if len(zones) < least:
        yield Failure(pool.zones.path, ", ".join(sorted(zones)), f"at least {least} zones")


RULE = Rule(
    id="ZON-01",
    title="Node groups for inference span zones",
    severity="high",
    scope="stack",
    why="A zone fails as a whole, and long before that it runs out of the GPU type you use. With one zone both stop "
    "serving; with two, losing one takes half of the replicas.",
    fix="give the group subnets in three zones",
    source="EKS best practices: reliability, spread over Availability Zones",
    reads={"kind": "fail", "zones": "advise", "service_class": "fail"},
    subjects=pools_of("inference", "node-group"),
    check=check,
    parameters={
        "minimum_zones": Parameter(2, "The least zones of a served workload's node groups."),
        "latency_critical_zones": Parameter(3, "The same for service class latency-critical."),
    },
    bad="""
pulumi:
- like: inference node group
  subnets: [us-east-1a]
""",
    good="""
pulumi:
- like: inference node group
  subnets: [us-east-1a, us-east-1b, us-east-1c]
""",
)
