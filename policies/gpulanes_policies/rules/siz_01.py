"""SIZ-01."""

from collections.abc import Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes.facts.unknown import Undecided
from gpulanes_policies.joins import workloads_on
from gpulanes_policies.rule import Failure, Parameter, Parameters, Rule
from gpulanes_policies.subjects import pools_of, said


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """A minimum holds nodes in a node group or a static NodePool; elsewhere in Karpenter pods that always run do."""
    least = parameters.number("minimum_nodes")
    exempt = pool.service_class.get_or("") in parameters.names("exempt_service_classes")
    if exempt or pool.min_nodes.get() >= least:
        return
    if pool.provisioner == "karpenter":
        if pool.warm_nodes or any(workload.replicas.get() for workload in workloads_on(pool, facts)):
            return
        if not pool.min_nodes.given:
            raise Undecided(path="the pods that keep its nodes", field="workloads")
    yield Failure(pool.min_nodes.path, said(pool.min_nodes), f"at least {least}")


RULE = Rule(
    id="SIZ-01",
    title="A pool for inference keeps nodes running",
    severity="critical",
    scope="resource",
    why="From zero, the first request waits for a GPU node to be found, booted and to load the model: minutes at best, "
    "and for ever when the zone has no capacity.",
    fix="set the minimum to 2 or more nodes",
    source="EKS best practices: AI/ML compute, static node groups for steady serving",
    reads={"kind": "fail", "min_nodes": "fail", "service_class": "ignore", "workloads": "ignore"},
    subjects=pools_of("inference"),
    check=check,
    parameters={
        "minimum_nodes": Parameter(1, "The least nodes of a pool."),
        "exempt_service_classes": Parameter(("best-effort",), "Service classes that may scale to zero."),
    },
    bad="""
pulumi:
- like: inference node group
  props: {scalingConfig: {minSize: 0}}
""",
    good="""
pulumi:
- like: inference node group
  props: {scalingConfig: {minSize: 2}}
""",
)
