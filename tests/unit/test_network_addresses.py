from ipaddress import IPv4Network
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from gpulanes.clouds.aws.addresses import LETTERS, blocks, network_problems
from gpulanes.clouds.names import SUFFIX, prefix

networks = st.integers(16, 20).flatmap(
    lambda length: st.integers(0, 2 ** (length - 8) - 1).map(
        lambda index: str(IPv4Network((10 << 24 | index << (32 - length), length)))
    )
)


@given(networks)
def test_all_zones_fit_and_none_overlaps(cidr: str) -> None:
    assert list(network_problems(cidr, ("us-east-1a",))) == []
    every = [IPv4Network(b) for letter in LETTERS for b in _both(cidr, f"us-east-1{letter}")]
    assert all(one.subnet_of(IPv4Network(cidr)) and one.prefixlen <= 28 for one in every)
    assert not any(one.overlaps(other) for one, other in combinations(every, 2))


def _both(cidr: str, zone: str) -> tuple[str, str]:
    found = blocks(cidr, zone)
    return found.private, found.public


@given(st.text(min_size=1, max_size=300, alphabet="abcdefghij-0123456789"), st.integers(63, 255))
def test_a_prefix_leaves_room_for_the_providers_suffix(name: str, limit: int) -> None:
    made = prefix(name, limit)
    assert len(made) + SUFFIX <= limit
    assert made.endswith("-")
    assert made == prefix(name, limit)
