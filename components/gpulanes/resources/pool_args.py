"""The arguments of a pool that stands alone, and how they become a complete pool."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NotRequired, TypedDict, cast, get_args

import pulumi

from gpulanes.clouds.base import ClusterRef, cloud
from gpulanes.kinds import PoolIntent, build
from gpulanes.kinds.pool import Capacity, Checkpoint, Kind, Nodes, Pool, Provisioner, Reservation, ServiceClass
from gpulanes.plan.names import physical_name
from gpulanes.resources.arguments import Arguments, built, cluster_ref_problems, refuse
from gpulanes.resources.options import kubernetes_missing, provider_of
from gpulanes.units import Bytes, Duration, WeeklyWindow


class ReservationArgs(TypedDict):
    """A capacity reservation by ``id`` or by ``tags``, and how many nodes it holds."""

    nodes: int
    id: NotRequired[str]
    tags: NotRequired[dict[str, str]]


class CheckpointArgs(TypedDict):
    """Where training state is saved (``hot``, ``archive``), how often (``30m``), how large one save is (``1.1TB``)."""

    store: str
    interval: str
    size: NotRequired[str]


class _SharedArgs(TypedDict):
    """What every pool takes.

    ``nodes`` is how many there are; ``min_nodes`` and ``max_nodes`` (both ``nodes`` when absent) give an autoscaler
    its range. ``fleet`` starts physical names, so that two fleets can share a cluster.
    """

    cluster: ClusterRef
    instance_types: list[str]
    zones: list[str]
    nodes: int
    tags: dict[str, str]
    min_nodes: NotRequired[int]
    max_nodes: NotRequired[int]
    provisioner: NotRequired[str]
    disk_gib: NotRequired[int]
    window: NotRequired[str]
    fleet: NotRequired[str]
    cloud: NotRequired[str]


class SystemPoolArgs(_SharedArgs):
    """The untainted on-demand pool for add-ons."""


class _LaneArgs(_SharedArgs):
    """What every pool with GPUs takes. ``capacity`` names one purchase option."""

    capacity: NotRequired[list[str]]
    reservation: NotRequired[ReservationArgs]
    workloads: NotRequired[list[str]]
    priority_class: NotRequired[str]
    weight: NotRequired[int]
    multi_node: NotRequired[bool]


class InferencePoolArgs(_LaneArgs):
    """Nodes of served models. ``warm_nodes`` of them are kept for growth."""

    service_class: NotRequired[str]
    warm_nodes: NotRequired[int]


class TrainingPoolArgs(_LaneArgs):
    """Nodes of training. Spot needs a ``checkpoint``; ``longest_job`` keeps expiry away from running jobs."""

    checkpoint: NotRequired[CheckpointArgs]
    longest_job: NotRequired[str]


class BatchPoolArgs(_LaneArgs):
    """Nodes of batch inference."""

    checkpoint: NotRequired[CheckpointArgs]
    longest_job: NotRequired[str]


@dataclass(frozen=True, slots=True)
class DecidedPool:
    """A complete pool and where it goes: nothing is left to decide.

    ``alone`` pools publish what their pods need; in a fleet its contract does that for all of them.
    """

    pool: Pool
    cluster: ClusterRef
    prefix: str
    cloud: str
    alone: bool = True


PREFIX = 200
"""Longest start of a physical name; each resource shortens it to its own limit."""


def decided(
    kind: Kind, name: str, given: Mapping[str, object], known: Collection[str], opts: pulumi.ResourceOptions
) -> DecidedPool:
    """Turn arguments into a complete pool. Raises ArgumentsError with everything that is wrong with them."""
    arguments = Arguments(given, known, ids=("cluster",))
    arguments.require("cluster", "instance_types", "zones", "nodes", "tags")
    intent = _intent(kind, name, arguments)
    provider = arguments.choice("cloud", ("aws",), "aws")
    if "cluster" in given:
        arguments.problems += cluster_ref_problems(given["cluster"])
    arguments.refuse(name)
    cluster = cast("ClusterRef", given["cluster"])
    pool = built(lambda: build(intent), name)
    problems = [*cloud(provider).pool_problems(pool, cluster)]
    if pool.provisioner == "karpenter" and provider_of("kubernetes", opts) is None:
        problems.append(kubernetes_missing())
    refuse(problems, name)
    return DecidedPool(pool, cluster, physical_name((arguments.text("fleet"), name), PREFIX), provider)


def _intent(kind: Kind, name: str, arguments: Arguments) -> PoolIntent:
    options = arguments.choices("capacity", get_args(Capacity), ("on-demand",))
    longest = arguments.unit("longest_job", Duration)
    return PoolIntent(
        name=name,
        kind=kind,
        instance_types=arguments.texts("instance_types"),
        zones=arguments.texts("zones"),
        nodes=_nodes(arguments),
        tags=arguments.labels("tags"),
        capacity=cast("tuple[Capacity, ...]", options),
        provisioner=cast("Provisioner | None", arguments.choice("provisioner", get_args(Provisioner), None)),
        service_class=cast("ServiceClass | None", arguments.choice("service_class", get_args(ServiceClass), None)),
        workloads=arguments.texts("workloads"),
        priority_class=arguments.text("priority_class"),
        weight=arguments.whole("weight", 0),
        multi_node=arguments.flag("multi_node", default=False),
        warm_nodes=arguments.whole("warm_nodes", 0),
        disk_gib=arguments.whole("disk_gib", 200),
        window=arguments.unit("window", WeeklyWindow),
        reservation=_reservation(arguments),
        checkpoint=_checkpoint(arguments),
        longest_job_seconds=longest.seconds if longest else 0.0,
    )


def _nodes(arguments: Arguments) -> Nodes:
    count = arguments.whole("nodes", 0)
    return Nodes(arguments.whole("min_nodes", count), count, arguments.whole("max_nodes", count))


def _reservation(arguments: Arguments) -> Reservation | None:
    inner = arguments.inside("reservation", ReservationArgs.__required_keys__ | ReservationArgs.__optional_keys__)
    if inner is None:
        return None
    inner.require("nodes")
    found = Reservation(inner.whole("nodes", 0), inner.text("id"), inner.labels("tags"))
    if bool(found.id) == bool(found.tags):
        inner.note("id", found.id, "an id or tags, exactly one of them", "name the reservation one way")
    return found


def _checkpoint(arguments: Arguments) -> Checkpoint | None:
    inner = arguments.inside("checkpoint", CheckpointArgs.__required_keys__ | CheckpointArgs.__optional_keys__)
    if inner is None:
        return None
    inner.require("store", "interval")
    interval, size = inner.unit("interval", Duration), inner.unit("size", Bytes)
    store = inner.choice("store", ("hot", "archive"), "hot")
    return Checkpoint(store, interval.seconds if interval else 0.0, size.count if size else 0)
