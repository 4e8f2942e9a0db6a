"""GEN-02."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import Facts, Unread
from gpulanes_policies.rule import Failure, Parameters, Rule


def parts(facts: Facts) -> Iterable[Unread]:
    """Return the parts of a declaration that are not known as a whole."""
    return facts.unread


def check(part: Unread, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """Reading one is undecided, always."""
    del facts, parameters
    yield from ()
    part.fact.get()


RULE = Rule(
    id="GEN-02",
    title="What a gpulanes component declares is known at preview",
    severity="critical",
    scope="resource",
    why="A policy cannot look inside a value that another resource has yet to produce. Pools, workloads, priorities "
    "and tiers are plain values, so that they can be proven before anything is created.",
    fix="give it as a plain value, not as an Output",
    source="gpulanes design: guarded fields are plain values",
    reads={"fact": "fail"},
    subjects=parts,
    check=check,
    bad="""
pulumi:
- like: GpuFleet
  props: {workloads: !unknown ""}
""",
    good="""
pulumi:
- like: GpuFleet
""",
)
