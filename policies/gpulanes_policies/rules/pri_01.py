"""PRI-01."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import Facts, PriorityFacts
from gpulanes_policies.rule import Failure, Parameters, Rule
from gpulanes_policies.subjects import said

LOWER = ("training", "batch")


def lanes(priority: PriorityFacts, facts: Facts) -> set[str]:
    """Return the lanes of a class: the one it is declared for, and those of the pods that name it."""
    users = (w.kind.get_or("") for w in facts.workloads if w.priority_class.get_or("") == priority.name)
    return {priority.kind.get_or(""), *users} - {""}


def serving(facts: Facts) -> Iterable[PriorityFacts]:
    """Return the classes that inference uses, and those of which nobody can tell."""
    return (p for p in facts.priorities if not p.kind.known or "inference" in lanes(p, facts))


def check(priority: PriorityFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """It ranks above every class of training and batch."""
    del parameters
    priority.kind.get()
    others = [p for p in facts.priorities if p is not priority and lanes(p, facts) & set(LOWER)]
    shared = lanes(priority, facts) & set(LOWER)
    if shared:
        yield Failure(priority.value.path, said(priority.value), f"a class of its own, not shared with {min(shared)}")
    if not others:
        return
    highest = max(others, key=lambda p: p.value.get())
    if priority.value.get() <= highest.value.get():
        limit = f"above {highest.value.get()}, the value of {highest.name}"
        yield Failure(priority.value.path, said(priority.value), limit)


RULE = Rule(
    id="PRI-01",
    title="Inference ranks above training and batch",
    severity="critical",
    scope="stack",
    why="When GPUs run out the scheduler preempts the lower priority. At equal values an inference replica waits for a "
    "training job to end; at a lower one it is evicted for it.",
    fix="give the inference class the highest value: 100000 for inference, 1000 for training, 100 for batch",
    source="Kubernetes: Pod Priority and Preemption; EKS best practices: AI/ML compute",
    reads={"kind": "advise", "value": "fail"},
    subjects=serving,
    check=check,
    bad="""
manifests:
- like: inference PriorityClass
  value: 1000
- like: training PriorityClass
""",
    good="""
manifests:
- like: inference PriorityClass
  value: 100000
- like: training PriorityClass
""",
)
