"""GPU-01."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.model import Facts, PoolFacts
from gpulanes.facts.provider import ami_types_for, section
from gpulanes_policies.rule import Failure, Parameters, Rule
from gpulanes_policies.subjects import classified_pools, said


def groups(facts: Facts) -> Iterable[PoolFacts]:
    """Return the node groups; Karpenter picks the accelerated image of an alias itself."""
    return (pool for pool in classified_pools(facts) if pool.provisioner == "node-group")


def check(pool: PoolFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """The image brings the driver, for the CPU architecture of the types."""
    del facts, parameters
    if not pool.accelerated.get():
        return
    types, ami = pool.types.get_or(()), pool.ami_type
    drivers = ami_types_for(types, pool.architecture.get())
    if not ami.given and pool.image.get():
        return  # an image of the launch template makes the group a CUSTOM one
    if ami.get() not in (*drivers, section("node_group")["custom_ami_type"]):
        limit = f"{' or '.join(drivers)}, or CUSTOM with your own driver"
        yield Failure(ami.path, said(ami), limit, f"set amiType to {drivers[0]}" if drivers else "")


RULE = Rule(
    id="GPU-01",
    title="A GPU node group runs an image with the driver",
    severity="critical",
    scope="resource",
    why="The standard images have no GPU driver: nodes join, advertise no GPU, and every GPU pod stays pending. The "
    "Amazon Linux 2 GPU image gets no updates.",
    fix="set amiType to the accelerated image of the architecture, such as AL2023_x86_64_NVIDIA",
    source="Amazon EKS: accelerated Amazon Linux and Bottlerocket AMIs; API reference, AMITypes",
    reads={"accelerated": "advise", "types": "advise", "architecture": "advise", "ami_type": "fail", "image": "advise"},
    subjects=groups,
    check=check,
    bad="""
pulumi:
- like: training node group
  props: {amiType: AL2023_x86_64_STANDARD}
""",
    good="""
pulumi:
- like: training node group
  props: {amiType: AL2023_x86_64_NVIDIA}
""",
)
