"""SIZ-04."""

from collections.abc import Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes_policies.rule import Failure, Parameters, Rule
from gpulanes_policies.subjects import pools_of


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """GPUs or nodes are limited; a limit on CPU or memory alone says nothing about GPUs."""
    del facts, parameters
    if not pool.capped.get():
        yield Failure(pool.capped.path, "no limit on GPUs or nodes", "an upper bound on GPUs or nodes")


RULE = Rule(
    id="SIZ-04",
    title="A pool for training has an upper bound",
    severity="high",
    scope="resource",
    why="Training takes whatever it can get. Without a limit only the account's quota stops it, and then inference "
    "finds no capacity either. Limits are checked late, so allow some overshoot.",
    fix="set spec.limits with nvidia.com/gpu (or aws.amazon.com/neuron, or nodes)",
    source="Karpenter documentation: NodePools, limits",
    reads={"kind": "fail", "capped": "fail"},
    subjects=pools_of("training"),
    check=check,
    bad="manifests: [{like: training NodePool, spec: {limits: null}}]",
    good="manifests: [{like: training NodePool, spec: {limits: {nvidia.com/gpu: 64}}}]",
)
