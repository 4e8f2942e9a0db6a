"""TAG-01."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import Facts, TaggedFacts
from gpulanes_policies.rule import Failure, Parameter, Parameters, Rule
from gpulanes_policies.subjects import missing


def tagged(facts: Facts) -> Iterable[TaggedFacts]:
    """Return what costs money and can carry tags."""
    return facts.tagged


def check(thing: TaggedFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """It carries every key, with a value; what all lanes share needs no lane tag.

    What its fleet or cluster lacks as a whole is one finding, there.
    """
    del facts
    keys = [*parameters.names("keys"), *(parameters.names("lane_keys") if thing.lane else ())]
    above = thing.whole
    said = missing(above.get(), parameters.names("keys")) if above is not None and above.known else []
    lost = [key for key in missing(thing.tags.get(), keys) if key not in said]
    if lost:
        yield Failure(thing.tags.path, f"without {', '.join(lost)}", f"the tags {', '.join(keys)}")


RULE = Rule(
    id="TAG-01",
    title="Everything that costs money carries the cost tags",
    severity="high",
    scope="resource",
    why="What the lanes cost can only be told apart by tags, and a bill cannot be tagged afterwards.",
    fix="add the missing tags; a fleet adds them to all that it creates",
    source="AWS Billing: cost allocation tags",
    reads={"tags": "advise"},
    subjects=tagged,
    check=check,
    parameters={
        "keys": Parameter(("environment", "owner", "cost-center"), "Keys that everything has to carry."),
        "lane_keys": Parameter(("workload",), "Keys that what belongs to one lane has to carry too."),
    },
    bad="""
pulumi:
- like: training file system
  props: {tags: {owner: null}}
""",
    good="""
pulumi:
- like: training file system
  props: {tags: {owner: ml-platform}}
""",
)
