"""STO-01."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import Facts, StoreFacts
from gpulanes.facts.provider import section
from gpulanes_policies.rule import Failure, Parameter, Parameters, Rule
from gpulanes_policies.subjects import said

EXPORTABLE = ("SCRATCH_2",)


def stores(facts: Facts) -> Iterable[StoreFacts]:
    """Return the file systems that training may keep its state on: all but those of inference."""
    return (store for store in facts.stores if store.kind.get_or("training") != "inference")


def check(store: StoreFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """It is replicated, or everything new and changed goes to object storage."""
    del facts
    kind = store.deployment_type
    if store.name in parameters.names("scratch") or kind.get().startswith(section("lustre")["persistent_prefix"]):
        return
    exported = set(store.export_events.get()) if kind.get() in EXPORTABLE else set()
    if not exported >= {"NEW", "CHANGED"}:
        limit = "PERSISTENT_2, or SCRATCH_2 with a link that exports NEW and CHANGED"
        yield Failure(kind.path, said(kind), limit)


RULE = Rule(
    id="STO-01",
    title="Checkpoints are kept on durable storage",
    severity="critical",
    scope="stack",
    why="Scratch file systems are not replicated: one failed server loses every checkpoint on it, and with them "
    "days of training. On Spot the checkpoints are all that survives a reclaim.",
    fix="use deploymentType PERSISTENT_2, or export NEW and CHANGED files to object storage",
    source="Amazon FSx for Lustre: deployment options; CreateDataRepositoryAssociation",
    reads={"kind": "fail", "deployment_type": "fail", "export_events": "advise"},
    subjects=stores,
    check=check,
    parameters={"scratch": Parameter((), "Names of file systems that hold nothing worth keeping.")},
    bad="""
pulumi:
- like: training file system
  props: {deploymentType: SCRATCH_2}
""",
    good="""
pulumi:
- like: training file system
  props: {deploymentType: PERSISTENT_2}
""",
)
