"""The covered resource types, by token."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from gpulanes_lab.aws.table import Refused, Resource

_MODULES: Final = (
    "ec2_vpc",
    "ec2_gateways",
    "ec2_routes",
    "ec2_security_group",
    "ec2_security_rules",
    "ec2_launch_template",
    "ec2_placement",
    "iam",
    "eks_cluster",
    "eks_node_group",
    "eks_access",
    "fsx",
    "fsx_association",
    "s3_bucket",
    "s3_settings",
    "s3_lifecycle",
    "sqs",
    "events",
)


@cache
def resources() -> Mapping[str, Resource]:
    """Return every covered type: each service module lists its own in ``RESOURCES``."""
    modules = (import_module(f"gpulanes_lab.aws.services.{name}") for name in _MODULES)
    return {one.type: one for module in modules for one in module.RESOURCES}


def resource_for(token: str) -> Resource:
    """Return a type's description.

    Raises:
        Refused: for a type that is not covered, naming those that are.
    """
    own = token.rpartition("$")[2]  # a URN's type carries the types of its parents before it
    found = resources().get(own)
    if found is None:
        message = f"{own} is not covered by the emulated aws provider (covered: {', '.join(sorted(resources()))})"
        raise Refused(message)
    return found
