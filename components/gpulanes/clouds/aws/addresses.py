"""Address blocks of a cluster's network: each zone has its own place, whichever other zones there are."""

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gpulanes.errors import Problem

ZONE = re.compile(r"[a-z]{2}(-[a-z]+)+-[0-9]([a-h])")
LETTERS = "abcdefgh"

LONGEST, SHORTEST = 16, 20
"""A VPC is at most a /16; below a /20 the public subnets would be smaller than the /28 that a subnet must have."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The subnets of one zone: nodes live in ``private``, load balancers and the NAT gateway in ``public``."""

    private: str
    public: str


def blocks(cidr: str, zone: str) -> Blocks:
    """Return the blocks of a zone, chosen by its letter so that adding a zone moves no other.

    The first half of the network holds eight private sixteenths, the second half public 256ths.
    """
    network = ipaddress.IPv4Network(cidr)
    index = LETTERS.index(zone[-1])
    private = list(network.subnets(prefixlen_diff=4))[index]
    public = list(network.subnets(prefixlen_diff=8))[128 + index]
    return Blocks(str(private), str(public))


def network_problems(cidr: str, zones: tuple[str, ...]) -> Iterator[Problem]:
    """Yield what keeps a network from being laid out."""
    try:
        network = ipaddress.IPv4Network(cidr)
    except ValueError:
        yield Problem("network-cidr", "cidr", cidr, "an IPv4 network such as 10.0.0.0/16", "write its first address")
    else:
        if not LONGEST <= network.prefixlen <= SHORTEST:
            yield Problem("network-cidr", "cidr", cidr, "a /16 to a /20", "choose another size")
    for zone in zones:
        if not ZONE.fullmatch(zone):
            fix = "use availability zones of the region, or give subnets of your own"
            yield Problem("network-zone", "zones", zone, "an availability zone such as us-east-1a", fix)
