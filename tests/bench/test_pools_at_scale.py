"""Cost grows with the number of pools and with nothing else."""

import gc
import time
import tracemalloc

import pytest

from builders_resources import cluster_ref, pool
from gpulanes.resources.pool_args import DecidedPool
from gpulanes.resources.pools import LanePool
from recording import record

FEW, MANY = 100, 500
SLACK = 1.6
"""How far a measurement on a busy machine may stray from a straight line; a quadratic cost would be 5 times off."""

pytestmark = pytest.mark.bench


def pools(count: int) -> None:
    one = pool("inference")
    for index in range(count):
        LanePool(f"chat-{index}", DecidedPool(one, cluster_ref(), f"chat-test-{index}", "aws"))


def seconds(count: int) -> float:
    gc.collect()
    start = time.process_time()
    found = record(lambda: pools(count))
    assert len(found) == 3 * count
    return time.process_time() - start


def peak(count: int) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        record(lambda: pools(count))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_five_hundred_pools_register_in_time_that_grows_linearly() -> None:
    seconds(10)  # imports
    few, many = min(seconds(FEW) for _ in range(2)), seconds(MANY)
    assert many / few < SLACK * MANY / FEW


@pytest.mark.long
def test_five_hundred_pools_take_memory_that_grows_linearly() -> None:
    record(lambda: pools(10))
    assert peak(MANY) / peak(FEW) < SLACK * MANY / FEW
