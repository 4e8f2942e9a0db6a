import json

import pytest

from builders import pool_intent
from gpulanes import kinds
from gpulanes.kinds.plain import camel, to_plain
from gpulanes.kinds.pool import Pool

POOL: Pool = kinds.build(pool_intent("training", provisioner="karpenter"))


def test_a_pool_becomes_json_with_its_own_field_names() -> None:
    plain = to_plain(POOL)
    assert isinstance(plain, dict)
    assert plain["instance_types"] == ["g6e.12xlarge"]
    assert plain["labels"] == dict(POOL.labels)
    assert json.loads(json.dumps(plain)) == plain


def test_props_change_field_names_only_never_keys_of_mappings() -> None:
    plain = to_plain(POOL, camel_case=True)
    assert isinstance(plain, dict)
    assert "instanceTypes" in plain
    assert plain["labels"] == dict(POOL.labels)
    assert camel("max_unavailable") == "maxUnavailable"


def test_what_is_not_plain_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="set is not plain data"):
        to_plain({"zones": {"us-east-1a"}})
    with pytest.raises(TypeError, match="type is not plain data"):
        to_plain(Pool)
