"""A queue covers what GPU pods request, and rations GPUs alone."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from gpulanes.catalog import Instance, instances
from gpulanes.plan.counts import MOST_NODES
from programs_resources import fleet
from recording import record

GPU = "nvidia.com/gpu"
REQUESTED = {"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "vpc.amazonaws.com/efa"}
"""By an EFA training pod, beside its GPUs."""


def groups() -> list[dict[str, Any]]:
    queues = record(fleet()).of("kubernetes:kueue.x-k8s.io/v1beta2:ClusterQueue")
    return [group for queue in queues for group in queue.props["spec"]["resourceGroups"]]


def test_a_workload_that_requests_more_than_gpus_can_be_admitted() -> None:
    assert all({GPU, *REQUESTED} <= set(group["coveredResources"]) for group in groups())


def test_every_flavor_lists_every_covered_resource_in_the_same_order() -> None:
    for group in groups():
        for flavor in group["flavors"]:
            assert [resource["name"] for resource in flavor["resources"]] == group["coveredResources"]


def test_gpus_alone_are_lent_and_borrowed() -> None:
    flavors = [flavor for group in groups() for flavor in group["flavors"]]
    beside = [[resource for resource in flavor["resources"] if resource["name"] != GPU] for flavor in flavors]
    assert all(one == other for one, other in pairwise(beside))
    assert all(resource["borrowingLimit"] == resource["lendingLimit"] == "0" for resource in beside[0])


def test_nothing_but_gpus_runs_out_on_the_largest_fleet_of_the_largest_nodes() -> None:
    [flavor, *_] = groups()[0]["flavors"]
    quotas = {one["name"]: amount(one["nominalQuota"]) for one in flavor["resources"] if one["name"] != GPU}
    for name, most in largest(instances()).items():
        assert MOST_NODES * most < quotas[name]
        assert 10 * quotas[name] < 2**63  # Kueue adds the quotas of a cohort in 64 bits, CPU in thousandths


def largest(types: tuple[Instance, ...]) -> Mapping[str, float]:
    memory = max(one.ram_gib for one in types) * 2**30
    return {
        "cpu": max(one.vcpu for one in types),
        "memory": memory,
        "hugepages-2Mi": memory,
        "ephemeral-storage": max(one.nvme_gb for one in types) * 1e9,
        "vpc.amazonaws.com/efa": max(one.efa_max for one in types),
    }


def amount(quantity: str) -> float:
    units = {"G": 1e9, "Pi": 2.0**50}
    [unit] = [unit for unit in units if quantity.endswith(unit)]
    return float(quantity.removesuffix(unit)) * units[unit]
