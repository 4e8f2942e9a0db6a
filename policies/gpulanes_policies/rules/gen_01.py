"""GEN-01."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import Facts, Mismatch
from gpulanes_policies.rule import Failure, Parameters, Rule


def differences(facts: Facts) -> Iterable[Mismatch]:
    """Return every guarded field that is rendered with another value than its component declares."""
    return facts.mismatches


def check(mismatch: Mismatch, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """There may be none."""
    del facts, parameters
    yield Failure(mismatch.rendered.path, mismatch.rendered.get(), f"{mismatch.declared}, as its component declares")


RULE = Rule(
    id="GEN-01",
    title="What is rendered is what was declared",
    severity="critical",
    scope="resource",
    why="The guardrails of a fleet are proven on the props of its component, before any child exists. A child that a "
    "transform or another program changed is no longer what was proven.",
    fix="declare the value on the component, or remove the transform that changes it",
    source="gpulanes design: declared and rendered values",
    reads={"rendered": "fail"},
    subjects=differences,
    check=check,
    bad="""
pulumi:
- like: InferencePool
- like: inference node group
  parent: InferencePool
  props: {scalingConfig: {maxSize: 50}}
""",
    good="""
pulumi:
- like: InferencePool
- like: inference node group
  parent: InferencePool
""",
)
