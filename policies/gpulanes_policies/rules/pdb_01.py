"""PDB-01."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import Facts, WorkloadFacts
from gpulanes.facts.unknown import Undecided
from gpulanes_policies.joins import coverage
from gpulanes_policies.rule import Failure, Parameters, Rule

REPLICAS = 2
LIMIT = "exactly one PodDisruptionBudget in its namespace that selects its pods"


def served(facts: Facts) -> Iterable[WorkloadFacts]:
    """Return the workloads of the inference lane."""
    return (workload for workload in facts.workloads if workload.kind.get_or("inference") == "inference")


def check(workload: WorkloadFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """From two replicas on, exactly one budget covers them; the eviction API refuses pods that two of them cover."""
    del parameters
    workload.kind.get()  # not known: whether it needs one cannot be said
    if workload.replicas.get() < REPLICAS:
        return
    found, more = coverage(facts).of(workload)
    if len(found) > 1:
        names = ", ".join(pdb.name for pdb in found)
        yield Failure(workload.pod_labels.path, f"selected by {names}", LIMIT, f"keep one of {names}")
    elif more:
        raise Undecided(more.path, more.fact, "pdbs")
    elif not found and not facts.whole:
        raise Undecided(path="the PodDisruptionBudgets in its namespace", field="pdbs")
    elif not found:
        yield Failure(workload.pod_labels.path, "selected by none", LIMIT)


RULE = Rule(
    id="PDB-01",
    title="Each served workload has one PodDisruptionBudget",
    severity="high",
    scope="stack",
    why="Drift, upgrades and node repair drain nodes through the eviction API, which asks PodDisruptionBudgets and "
    "nothing else. Without one, every replica may be evicted at once.",
    fix="add a PodDisruptionBudget with maxUnavailable: 1 whose selector equals the pod labels",
    source="Kubernetes: Specifying a Disruption Budget; API-initiated Eviction",
    reads={"kind": "advise", "replicas": "advise", "pdbs": "advise"},
    subjects=served,
    check=check,
    bad="manifests: [{like: inference Deployment}]",
    good="manifests: [{like: inference Deployment}, {like: inference PodDisruptionBudget}]",
)
