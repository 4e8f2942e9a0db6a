"""PRI-01."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import Facts, PriorityFacts
from gpulanes_policies.joins import lanes_of, unknown_users
from gpulanes_policies.rule import Failure, Parameters, Rule
from gpulanes_policies.subjects import said

LOWER = {"training", "batch"}


def serving(facts: Facts) -> Iterable[PriorityFacts]:
    """Return the classes that inference uses, and those of which nobody can tell."""
    unsure = {p.name for p in facts.priorities if not lanes_of(p, facts) and unknown_users(facts)}
    return (p for p in facts.priorities if "inference" in lanes_of(p, facts) or not p.kind.known or p.name in unsure)


def check(priority: PriorityFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """It ranks above every class of training and batch."""
    del parameters
    lanes, value = lanes_of(priority, facts), priority.value
    others = [p for p in facts.priorities if p is not priority and lanes_of(p, facts) & LOWER]
    if "inference" in lanes and lanes & LOWER:
        yield Failure(value.path, said(value), f"a class of its own, not shared with {min(lanes & LOWER)}")
    if "inference" in lanes and others:
        highest = max(others, key=lambda p: p.value.get())
        if value.get() <= highest.value.get():
            yield Failure(value.path, said(value), f"above {highest.value.get()}, the value of {highest.name}")
    priority.kind.get()
    for fact in unknown_users(facts):
        fact.get()


RULE = Rule(
    id="PRI-01",
    title="Inference ranks above training and batch",
    severity="critical",
    scope="stack",
    why="When GPUs run out the scheduler preempts the lower priority. At equal values an inference replica waits for a "
    "training job to end; at a lower one it is evicted for it.",
    fix="give the inference class the highest value: 100000 for inference, 1000 for training, 100 for batch",
    source="Kubernetes: Pod Priority and Preemption; EKS best practices: AI/ML compute",
    reads={"kind": "advise", "value": "fail", "others": "advise"},
    subjects=serving,
    check=check,
    bad="manifests: [{like: inference PriorityClass, value: 1000}, {like: training PriorityClass}]",
    good="manifests: [{like: inference PriorityClass}, {like: training PriorityClass}]",
)
