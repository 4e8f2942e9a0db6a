"""A fleet of hundreds of workloads is read, planned and judged in seconds, and twice as many take twice as long."""

import json
from time import process_time

from builders import Data, fleet_data, programme, scoring, served
from gpulanes.facts import from_plan
from gpulanes.fleet import line_numbers
from gpulanes.kinds.plain import to_plain
from gpulanes.plan import plan_bytes
from gpulanes_policies.engine import judge

SECONDS = 5.0
"""What 500 workloads may take; it is a tenth of that here."""
NOISE = 1.8
"""How much longer than linear the larger fleet may take; quadratic would be four times."""


def content(count: int) -> bytes:
    """A fleet file, as JSON which is YAML too, with ``count`` workloads of every kind, some of them with overrides."""
    kinds: list[Data] = [
        served(),
        served(overrides={"priority": 5}),
        programme(capacity=["spot", "on-demand"]),
        scoring(borrow=None, nodes={"types": ["g6e.12xlarge"]}),
        scoring(),
    ]
    workloads = {f"work-{number}": kinds[number % len(kinds)] for number in range(count)}
    data = fleet_data(workloads, partition={"mode": "borrow-and-return"})
    return json.dumps(data, indent=1).encode()


def seconds(data: bytes) -> float:
    start = process_time()
    plain = to_plain(plan_bytes(data, "fleet.yaml"))
    assert isinstance(plain, dict)
    judge(from_plan(plain, file="fleet.yaml", lines=line_numbers(data)))
    return process_time() - start


def test_time_grows_with_the_number_of_workloads_and_not_with_its_square() -> None:
    few, many = content(125), content(500)
    seconds(content(5))  # imports and caches
    fast = min(seconds(few) for _ in range(3))
    slow = min(seconds(many) for _ in range(2))
    assert slow <= SECONDS
    assert slow <= NOISE * 4 * fast
