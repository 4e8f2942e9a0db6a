"""One run over a stack: what is said where, and only once."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from builders_facts import pulumi_resources, read_yaml
from gpulanes.facts import PulumiResource
from gpulanes_policies.config import Config
from gpulanes_policies.finding import Finding
from gpulanes_policies.run import StackRun

SPOT = """
- {like: GpuFleet, plan: {pools: {chat: {capacity: [spot]}}}}
- {like: InferencePool, parent: GpuFleet, plan: {pools: {chat: {capacity: [spot]}}}}
- {like: inference node group, parent: InferencePool, props: {capacityType: SPOT}}
"""


def resources(text: str) -> list[PulumiResource]:
    return pulumi_resources(read_yaml(text))


def rules(findings: Sequence[Finding]) -> list[str]:
    return [finding.rule for finding in findings]


def test_a_cause_is_said_by_the_outermost_component_alone() -> None:
    run, registered = StackRun(), resources(SPOT)
    said = [rules(run.resource(resource, Config())) for resource in registered]
    assert said[0] == ["CAP-02"]
    assert said[1:] == [[] for _ in registered[1:]]
    assert run.stack(registered, Config()) == []


def test_a_second_run_says_it_again() -> None:
    run, registered = StackRun(), resources(SPOT)
    for _ in range(2):
        assert rules(run.resource(registered[0], Config())) == ["CAP-02"]
    (healed,) = resources("[{like: GpuFleet}]")
    assert run.resource(healed, Config()) == []
    assert "CAP-02" in rules(run.resource(registered[1], Config()))


def test_what_a_companion_decides_is_left_to_the_stack() -> None:
    """Types in a launch template cannot be seen from the group alone."""
    registered = resources("""
    - {like: training node group, props: {instanceTypes: null, labels: {workload: null}}}
    - {like: training launch template, props: {instanceType: p5.48xlarge}}
    """)
    run = StackRun()
    assert [rules(run.resource(resource, Config())) for resource in registered] == [[] for _ in registered]
    assert rules(run.stack(registered, Config())) == ["CLS-01"]


def test_the_stack_repeats_nothing_that_a_resource_said() -> None:
    run, registered = StackRun(), resources("[{like: inference node group, props: {capacityType: SPOT}}]")
    assert rules(run.resource(registered[0], Config())) == ["CAP-02"]
    assert run.stack(registered, Config()) == []


def test_what_a_provider_answers_at_preview_does_not_replace_what_it_was_given() -> None:
    """Kubernetes answers without a spec while its cluster does not exist."""
    run, registered = (
        StackRun(),
        resources("""
    - {like: TrainingPool}
    - token: kubernetes:karpenter.sh/v1:NodePool
      name: pretrain
      parent: TrainingPool
      props: {like: training NodePool, spec: {disruption: {budgets: [{nodes: 100%, reasons: [Empty]}]}}}
    """),
    )
    assert [rules(run.resource(resource, Config())) for resource in registered] == [[], []]
    answered = [registered[0], replace(registered[1], props={"kind": "NodePool", "id": "pretrain"})]
    assert run.stack(answered, Config()) == []


def test_a_resource_that_was_never_asked_about_is_judged_by_what_the_stack_says() -> None:
    (bare,) = resources("[{like: bucket, props: {tags: null}}]")
    assert [(f.rule, f.outcome) for f in StackRun().stack([bare], Config())] == [("TAG-01", "fail")]


def test_a_component_that_was_never_asked_about_is_left_alone() -> None:
    """Its outputs are no declaration."""
    assert StackRun().stack(resources("[{like: GpuFleet, props: {pools: {chat: 1}}}]"), Config()) == []


@pytest.mark.parametrize("environment", ["prod", "staging", "dev"])
def test_levels_follow_the_environment(environment: str) -> None:
    found = StackRun().resource(resources(SPOT)[0], Config(environment))  # type: ignore[arg-type] # one of the three
    assert [finding.level for finding in found] == ["advisory" if environment == "dev" else "mandatory"]
