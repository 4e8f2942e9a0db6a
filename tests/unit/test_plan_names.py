import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpulanes.plan.names import physical_name

PARTS = st.lists(st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=60), min_size=1, max_size=5)


def test_a_short_name_comes_out_unchanged() -> None:
    assert physical_name(["chat", "prod", "node"], 64) == "chat-prod-node"
    assert physical_name(["chat", "", "node"], 64) == "chat-node"
    assert physical_name(["a" * 63], 63) == "a" * 63


def test_two_long_names_that_differ_only_at_the_end_stay_different() -> None:
    head = "genai-platform-prod-training-p5-48xlarge-spot-use1-az4-model-inference-role"
    first, second = physical_name([head, "a"], 64), physical_name([head, "b"], 64)
    assert first != second
    assert max(len(first), len(second)) <= 64
    assert first == physical_name([head, "a"], 64)


@given(parts=PARTS, limit=st.integers(16, 100))
def test_every_name_fits_and_never_breaks_at_a_hyphen(parts: list[str], limit: int) -> None:
    name = physical_name(parts, limit)
    assert len(name) <= limit
    assert "--" not in name


def test_a_limit_without_room_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="a limit of 15 characters"):
        physical_name(["a"], 15)
