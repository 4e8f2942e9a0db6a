"""From load to replicas, from replicas to nodes, and back: what a given count can carry."""

from gpulanes.sizing.formula import compute
from gpulanes.sizing.inputs import refuse, require
from gpulanes.sizing.sized import Sized

MEASURED_UTILISATION = 1.0
"""A rate measured inside the latency objective already holds the margin that queueing needs."""
ESTIMATED_UTILISATION = 0.8
"""An estimated rate knows no objective: 0.8 to 0.85 of it keeps queues short (Erlang C at ten servers and more)."""

_REPLICAS = "replicas = ceil(mean * peak factor * (1 + headroom) / (rate * utilisation))"


def peak_rate(mean_per_second: float, peak_factor: float) -> Sized:
    """Requests per second at the peak."""
    require(positive={"mean_per_second": mean_per_second, "peak_factor": peak_factor})
    return compute(
        "mean_per_second * peak_factor",
        "req/s",
        source="one-minute peak over mean; Azure LLM 2023 trace: 1.53 chat, 4.10 code",
        mean_per_second=mean_per_second,
        peak_factor=peak_factor,
    )


def replicas(
    mean_per_second: float,
    replica_per_second: float,
    *,
    peak_factor: float = 1.0,
    headroom: float = 0.0,
    utilisation: float = MEASURED_UTILISATION,
    note: str = "",
) -> Sized:
    """Replicas that carry the load at ``peak_factor`` times the mean with ``headroom`` on top.

    With ``peak_factor`` 1 it is the steady number.
    """
    require(
        positive={"mean_per_second": mean_per_second, "replica_per_second": replica_per_second},
        non_negative={"headroom": headroom, "peak_factor": peak_factor},
        share={"utilisation": utilisation},
    )
    return compute(
        "ceil(mean_per_second * peak_factor * (1 + headroom) / (replica_per_second * utilisation))",
        "replicas",
        source=_REPLICAS,
        note=note,
        mean_per_second=mean_per_second,
        peak_factor=peak_factor,
        headroom=headroom,
        replica_per_second=replica_per_second,
        utilisation=utilisation,
    )


def warm_replicas(growth_per_second_squared: float, lead_time_seconds: float, replica_per_second: float) -> Sized:
    """Replicas that must run already, because load grows while a new one starts.

    Growth is in requests per second, per second.
    """
    require(
        positive={"replica_per_second": replica_per_second},
        non_negative={
            "growth_per_second_squared": growth_per_second_squared,
            "lead_time_seconds": lead_time_seconds,
        },
    )
    return compute(
        "ceil(growth_per_second_squared * lead_time_seconds / replica_per_second)",
        "replicas",
        source="warm capacity covers growth over the lead time of a replica",
        growth_per_second_squared=growth_per_second_squared,
        lead_time_seconds=lead_time_seconds,
        replica_per_second=replica_per_second,
    )


def replicas_per_node(gpus_per_replica: int, gpus_per_node: int) -> Sized:
    """Whole replicas on one node, or below one the share of a replica that a node holds."""
    require(positive={"gpus_per_replica": gpus_per_replica, "gpus_per_node": gpus_per_node})
    if gpus_per_replica > gpus_per_node and gpus_per_replica % gpus_per_node:
        raise refuse(
            code="replica-splits-node",
            path="replica.gpus",
            value=str(gpus_per_replica),
            allowed=f"at most {gpus_per_node} (one node), or a multiple of it",
            fix=f"use {gpus_per_replica // gpus_per_node * gpus_per_node} GPUs or a larger instance type",
        )
    whole = gpus_per_replica <= gpus_per_node
    return compute(
        "floor(gpus_per_node / gpus_per_replica)" if whole else "gpus_per_node / gpus_per_replica",
        "replicas/node",
        source="a replica never shares a node's remainder with another node",
        gpus_per_node=gpus_per_node,
        gpus_per_replica=gpus_per_replica,
    )


def nodes_for_replicas(needed: float, per_node: float) -> Sized:
    """Nodes that hold ``needed`` replicas."""
    require(positive={"replicas_per_node": per_node}, non_negative={"replicas": needed})
    return compute(
        "ceil(replicas / replicas_per_node)",
        "nodes",
        source="whole nodes",
        replicas=needed,
        replicas_per_node=per_node,
    )


def carried_mean(
    nodes: int,
    per_node: float,
    replica_per_second: float,
    *,
    peak_factor: float = 1.0,
    headroom: float = 0.0,
    utilisation: float = MEASURED_UTILISATION,
    note: str = "",
) -> Sized:
    """The mean load that a given number of nodes carries through its peak with the headroom kept."""
    require(
        positive={"replicas_per_node": per_node, "replica_per_second": replica_per_second, "peak_factor": peak_factor},
        non_negative={"nodes": nodes, "headroom": headroom},
        share={"utilisation": utilisation},
    )
    return compute(
        "floor(nodes * replicas_per_node) * replica_per_second * utilisation / (peak_factor * (1 + headroom))",
        "req/s",
        source=f"the inverse of {_REPLICAS}",
        note=note,
        nodes=nodes,
        replicas_per_node=per_node,
        replica_per_second=replica_per_second,
        utilisation=utilisation,
        peak_factor=peak_factor,
        headroom=headroom,
    )
