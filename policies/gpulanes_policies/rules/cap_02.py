"""CAP-02."""

from collections.abc import Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes_policies.rule import Failure, Parameters, Rule
from gpulanes_policies.subjects import MAY_BE_INTERRUPTED, interruptible, listed, pools_of, said


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """Neither the group nor its launch template may ask for interruptible capacity."""
    del facts
    if pool.service_class.get_or("") in parameters.names("exempt_service_classes"):
        return
    if interruptible(pool):
        yield Failure(pool.capacity.path, listed(pool.capacity), "on-demand or reserved capacity")
    if pool.market.get():
        yield Failure(pool.market.path, said(pool.market), "no market options", "remove instanceMarketOptions")


RULE = Rule(
    id="CAP-02",
    title="A node group for inference takes no interruptible capacity",
    severity="critical",
    scope="resource",
    why="A Spot node group loses nodes with two minutes' notice, many at once when a pool of capacity runs dry: "
    "the replicas on them are gone before others have loaded the model.",
    fix="set the capacity type to ON_DEMAND (in a fleet file: capacity [on-demand])",
    source="Amazon EKS: managed node group capacity types; launch template support",
    reads={"kind": "fail", "capacity": "fail", "market": "advise", "service_class": "ignore"},
    subjects=pools_of("inference", "node-group"),
    check=check,
    parameters={"exempt_service_classes": MAY_BE_INTERRUPTED},
    bad="""
pulumi:
- like: inference node group
  props: {capacityType: SPOT}
""",
    good="""
pulumi:
- like: inference node group
  props: {capacityType: ON_DEMAND}
""",
)
