"""PDB-02."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.arithmetic import allowed_disruptions
from gpulanes.facts.model import Facts, PdbFacts
from gpulanes_policies.joins import coverage
from gpulanes_policies.rule import Failure, Parameters, Rule

MANY = 1000
"""Replicas that nothing else is known of: of so many, only a limit of none or of all lets none go."""


def budgets(facts: Facts) -> Iterable[PdbFacts]:
    """Return every PodDisruptionBudget."""
    return facts.pdbs


def check(pdb: PdbFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """At least one pod may go, of the fewest replicas that an autoscaler may leave."""
    del parameters
    most, least = pdb.max_unavailable.get(), pdb.min_available.get()
    covered, more = coverage(facts).by(pdb)
    known = [workload.replicas.get() for workload in covered if workload.replicas.known]
    path = pdb.max_unavailable.path if most else pdb.min_available.path
    for replicas in sorted({MANY, *known} - {0}):
        allowed = allowed_disruptions(most, least, replicas)
        if not allowed:
            given = f"{most} beside minAvailable {least}" if most and least else most or least
            of = "" if replicas == MANY else f" of {replicas} replicas"
            limit = "one limit, a count or a percentage" if allowed is None else "at least 1 disruption allowed"
            yield Failure(path, f"{given}{of}", limit)
            return
    for workload in covered:
        workload.replicas.get()
    if more:
        raise more


RULE = Rule(
    id="PDB-02",
    title="A PodDisruptionBudget lets at least one pod go",
    severity="critical",
    scope="stack",
    why="A budget that allows no disruption blocks every drain: upgrades of a node group fail after 15 minutes, "
    "Karpenter keeps the node for ever, and someone ends it by force. Percentages of minAvailable round up.",
    fix="set maxUnavailable: 1 and run at least 2 replicas",
    source="Kubernetes: Specifying a Disruption Budget; EKS: managed node update behavior",
    reads={"max_unavailable": "fail", "min_available": "fail", "others": "advise"},
    subjects=budgets,
    check=check,
    bad="manifests: [{like: inference PodDisruptionBudget, spec: {maxUnavailable: 0}}]",
    good="manifests: [{like: inference PodDisruptionBudget, spec: {maxUnavailable: 1}}]",
)
