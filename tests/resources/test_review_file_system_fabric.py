"""EFA between nodes and the file system passes only where both groups name each other."""

from dataclasses import replace

import pytest

from builders_resources import TAGS, cluster_ref, storage
from gpulanes.resources import StorageTiers
from recording import Registrations, record

RULES = {
    "in": "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    "out": "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
}
HOT, FABRIC = "data-hot-id", "sg-fabric"


def tiers(*, efa: bool) -> Registrations:
    planned = storage()
    assert planned.hot is not None
    plan = replace(planned, hot=replace(planned.hot, efa=efa))
    return record(lambda: StorageTiers("data", plan=plan, cluster=cluster_ref(), lanes=["training"], tags=dict(TAGS)))


def unrestricted(found: Registrations) -> set[tuple[str, str, str]]:
    """Return (direction, group, peer) of every rule for all protocols between groups."""
    return {
        (direction, item.props["securityGroupId"], item.props["referencedSecurityGroupId"])
        for direction, type_ in RULES.items()
        for item in found.of(type_)
        if item.props["ipProtocol"] == "-1"
    }


@pytest.mark.parametrize("direction", ["in", "out"])
@pytest.mark.parametrize(("group", "peer"), [(HOT, HOT), (HOT, FABRIC), (FABRIC, HOT)])
def test_everything_passes_between_the_file_system_and_the_fabric(direction: str, group: str, peer: str) -> None:
    assert (direction, group, peer) in unrestricted(tiers(efa=True))


def test_the_file_system_waits_for_the_rules_of_both_groups() -> None:
    found = tiers(efa=True)
    rules = {item.urn for type_ in RULES.values() for item in found.of(type_)}
    assert rules <= found.one("aws:fsx/lustreFileSystem:LustreFileSystem").dependencies


def test_the_fabric_stays_closed_to_a_file_system_without_efa() -> None:
    assert not {rule for rule in unrestricted(tiers(efa=False)) if FABRIC in rule}
