import pytest

from builders import pool_intent
from gpulanes import kinds
from gpulanes.facts import from_plan
from gpulanes.kinds.plain import to_plain
from gpulanes.kinds.pool import Kind, Nodes, Provisioner
from gpulanes_policies.engine import judge

TAGS = {"environment": "test", "owner": "ml-platform", "cost-center": "4711"}
KINDS: tuple[Kind, ...] = ("inference", "training", "batch", "system")


def pool(kind: Kind, provisioner: Provisioner | None) -> kinds.Pool:
    return kinds.build(pool_intent(kind, tags=TAGS, provisioner=provisioner, nodes=Nodes(3, 3, 6)))


def rules(pools: list[kinds.Pool]) -> list[str]:
    plain = {"tags": TAGS, "pools": [to_plain(one) for one in pools]}
    return [finding.rule for finding in judge(from_plan(plain)).findings]


@pytest.mark.parametrize("provisioner", ["node-group", "karpenter", None])
def test_pools_as_their_kinds_make_them_trigger_no_rule(provisioner: Provisioner | None) -> None:
    assert rules([pool(kind, provisioner) for kind in KINDS]) == []


def test_spot_serving_is_built_and_then_caught() -> None:
    spot = kinds.build(pool_intent("inference", tags=TAGS, capacity=("spot",)))
    assert rules([spot]) == ["CAP-02"]
