"""DIS-05."""

from collections.abc import Iterator

from gpulanes.facts.arithmetic import NEVER, go_seconds
from gpulanes.facts.model import Facts, PoolFacts
from gpulanes.facts.unknown import Undecided
from gpulanes_policies.joins import coverage, workloads_on
from gpulanes_policies.rule import Failure, Parameter, Parameters, Rule
from gpulanes_policies.subjects import pools_of, said


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """Nodes never expire, or rarely and with guards."""
    expire, least = pool.expire_after, parameters.text("minimum_expire_after")
    seconds, enough = go_seconds(expire.get()) or 0, parameters.number("minimum_nodes")
    if seconds == NEVER:
        return
    limit = f"Never, or at least {least} with PodDisruptionBudgets and at least {enough} nodes"
    long_enough = seconds >= (go_seconds(least) or 0)
    if not long_enough or (pool.min_nodes.given and pool.min_nodes.get() < enough):
        yield Failure(expire.path, said(expire), limit)
    elif not guarded(pool, facts):
        yield Failure(expire.path, f"{said(expire)}, without PodDisruptionBudgets", limit)


def guarded(pool: PoolFacts, facts: Facts) -> bool:
    """Whether each workload on the pool has a PodDisruptionBudget; raises Undecided when others may exist."""
    found = [coverage(facts).of(workload) for workload in workloads_on(pool, facts)]
    if found and all(budgets for budgets, _ in found):
        return True
    if not facts.whole or any(more for _, more in found):
        raise Undecided(path="the PodDisruptionBudgets of its pods", field="pdbs")
    return False


RULE = Rule(
    id="DIS-05",
    title="Nodes for inference do not expire",
    severity="high",
    scope="resource",
    why="Expiry is forceful: it ignores budgets and does not start the replacement first. The default is 720h.",
    fix="set expireAfter: Never and let drift replace nodes in a weekly window",
    source="Karpenter documentation: Disruption, expiration",
    reads={"kind": "fail", "expire_after": "fail", "min_nodes": "advise", "pdbs": "advise"},
    subjects=pools_of("inference", "karpenter"),
    check=check,
    parameters={
        "minimum_expire_after": Parameter("336h", "The least node life, in Go spelling."),
        "minimum_nodes": Parameter(3, "The least nodes of a pool whose nodes expire."),
    },
    bad="manifests: [{like: inference NodePool, spec: {template: {spec: {expireAfter: 24h}}}}]",
    good="manifests: [{like: inference NodePool, spec: {template: {spec: {expireAfter: Never}}}}]",
)
