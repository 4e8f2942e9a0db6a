"""TAG-05."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes_policies.rule import Failure, Parameter, Parameters, Rule
from gpulanes_policies.subjects import missing


def groups(facts: Facts) -> Iterable[PoolFacts]:
    """Return the node groups; a node class passes its tags on, which TAG-01 judges."""
    return (pool for pool in facts.pools if pool.provisioner == "node-group")


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """The launch template tags instances, volumes and interfaces; what the group itself lacks is TAG-01's."""
    del facts
    lacking = missing(pool.tags.get(), parameters.names("keys")) if pool.tags.known else []
    keys = [key for key in parameters.names("keys") if key not in lacking]
    bare = {kind: fact for kind, fact in pool.instance_tags.items() if missing(fact.get(), keys)}
    for kind, fact in bare.items():
        lost = ", ".join(missing(fact.get(), keys))
        yield Failure(fact.path, f"{kind} without {lost}", f"the tags {', '.join(keys)} on every {kind}")


RULE = Rule(
    id="TAG-05",
    title="Cost tags reach instances, volumes and interfaces",
    severity="high",
    scope="stack",
    why="The tags of a managed node group stay on the group: the bill then shows its instances and volumes untagged, "
    "and the lanes cannot be told apart.",
    fix="give the node group a launch template whose tagSpecifications cover instance, volume and network-interface",
    source="Amazon EKS: customizing managed nodes with launch templates, tags",
    reads={"instance_tags": "advise", "launch_template": "advise"},
    subjects=groups,
    check=check,
    parameters={
        "keys": Parameter(("workload", "environment", "owner", "cost-center"), "Keys that have to reach instances.")
    },
    bad="""
pulumi:
- like: training node group
- like: training launch template
  props: {tagSpecifications: [{resourceType: instance, tags: {team: ml}}]}
""",
    good="""
pulumi:
- like: training node group
- like: training launch template
""",
)
