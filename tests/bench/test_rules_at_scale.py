"""Judging a fleet takes time in proportion to its size, and judging one resource takes the same in any fleet."""

import gc
import time
from typing import Any

import pytest

from builders_facts import camelized, plan_document, pulumi_resources, read_yaml
from gpulanes.facts import PulumiResource
from gpulanes.facts.declarations import FLEET
from gpulanes_policies.config import Config
from gpulanes_policies.engine import load_rules
from gpulanes_policies.run import StackRun

FEW, MANY = 200, 1000
SLACK = 1.8
"""How far a measurement on a busy machine may stray from a straight line; a quadratic cost would be 5 times off."""

pytestmark = pytest.mark.bench


def fleet(count: int) -> PulumiResource:
    """Return a fleet of as many workloads, each with its pool."""
    document = plan_document({})
    lanes = list(zip(document["pools"], document["workloads"], strict=False))
    pools: list[dict[str, Any]] = []
    workloads: list[dict[str, Any]] = []
    for index in range(count):
        pool, workload = lanes[index % len(lanes)]
        name = f"{workload['name']}-{index}"
        pools.append({**pool, "name": name, "workloads": [name]})
        labels = {"workload": workload["kind"], "workload-name": name}
        workloads.append({**workload, "name": name, "namespace": "shared", "pod_labels": labels, "pools": [name]})
    document.update(pools=pools, workloads=workloads)
    return PulumiResource(FLEET, "urn:fleet", "fleet", camelized(document))


def seconds(run: StackRun, resource: PulumiResource, times: int) -> float:
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        assert run.resource(resource, Config()) == []
    return time.process_time() - start


def test_a_fleet_is_judged_in_linear_time() -> None:
    load_rules()
    few = min(seconds(StackRun(), fleet(FEW), 1) for _ in range(3))
    many = min(seconds(StackRun(), fleet(MANY), 1) for _ in range(3))
    assert many / few <= MANY / FEW * SLACK


def test_a_child_costs_the_same_in_any_fleet() -> None:
    (group,) = pulumi_resources(read_yaml("[{like: training node group, name: x-chat-0, companions: []}]"))[:1]
    runs = {}
    for size in (FEW, MANY):
        runs[size] = StackRun()
        runs[size].resource(fleet(size), Config())
    few, many = (min(seconds(runs[size], group, 200) for _ in range(3)) for size in (FEW, MANY))
    assert many / few <= SLACK
