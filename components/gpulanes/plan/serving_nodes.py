"""How many nodes a served model gets: for its load, for what may fail, for growth; and what given counts carry."""

from gpulanes.errors import PlanError, Problem
from gpulanes.kinds.pool import Nodes
from gpulanes.plan.counts import MOST_NODES, Loss, loss, stated
from gpulanes.plan.draft import Draft, Margin
from gpulanes.sizing.demand import carried_mean, nodes_for_replicas, peak_rate, replicas, warm_replicas
from gpulanes.sizing.failover import over_zones, over_zones_shared, with_spares
from gpulanes.sizing.formula import compute
from gpulanes.sizing.sized import Sized
from gpulanes.spec.workload import InferenceWorkload

NODE_START_SECONDS = 120.0
"""From a pending pod to a node that has joined: 60 to 90 s until EC2 runs it, and its start."""

_STEADY = "design: a minimum carries the steady load with headroom, what may fail, and growth while nodes start"


def nodes(draft: Draft) -> None:
    """Size the nodes of every served model, or take the stated counts and say what they carry."""
    for name, workload in draft.each(InferenceWorkload):
        with draft.attempt(name):
            zones = len(draft.zones[name])
            survived = loss(workload.nodes.survive, workload.service_class, zones)
            given = stated(workload.nodes)
            if given is None:
                size(draft, name, workload, survived)
            else:
                draft.nodes[name] = given
                draft.margins[name] = Margin(lost_nodes(given.max, zones, survived), 0)
                report_capacity(draft, name, workload, survived)
            if zones == 1 and workload.service_class != "best-effort":
                draft.warn(
                    "single-zone", name, f"all its nodes are in {draft.zones[name][0]}: its loss ends the service"
                )


def size(draft: Draft, name: str, workload: InferenceWorkload, survived: Loss) -> None:
    """Size one served model: the cap for the peak, the minimum for what the partition mode promises."""
    load = node_counts(draft, name, workload)
    zones = len(draft.zones[name])
    cap = failover(load["peak_nodes"], load["bare_peak_nodes"], zones, survived)
    if cap.count > MOST_NODES:
        raise PlanError([too_many(cap.count)])
    steady = failover(load["steady_nodes"], load["bare_steady_nodes"], zones, survived)
    held = minimum(draft, name, workload, steady, cap)
    low = held["min_nodes"].count
    draft.nodes[name] = Nodes(low, low, cap.count)
    warm = held["warm_nodes"].count if "warm_nodes" in held else 0
    draft.margins[name] = Margin(cap.count - load["peak_nodes"].count, warm)
    draft.report("nodes", name, {**load, "max_nodes": cap, **held}, f"survives {survived}")


def node_counts(draft: Draft, name: str, workload: InferenceWorkload) -> dict[str, Sized]:
    """Return replicas and nodes for the peak and for the steady load, each with headroom and bare."""
    demand, rate = workload.demand, draft.rates[name]
    per_second, headroom = demand.requests_per_second, demand.headroom.value
    found: dict[str, Sized] = {"peak_rate": peak_rate(per_second, demand.peak_factor)}
    for label, factor, margin in (
        ("peak", demand.peak_factor, headroom),
        ("bare_peak", demand.peak_factor, 0.0),
        ("steady", 1.0, headroom),
        ("bare_steady", 1.0, 0.0),
    ):
        wanted = replicas(
            per_second, rate.per_second, peak_factor=factor, headroom=margin, utilisation=rate.utilisation
        )
        found[f"{label}_replicas"] = wanted
        found[f"{label}_nodes"] = nodes_for_replicas(wanted.value, draft.per_node[name])
    return found


def failover(needed: Sized, bare: Sized, zones: int, survived: Loss) -> Sized:
    """Return the nodes that must run so that a load, given with headroom and bare, outlives the loss unscaled."""
    if not survived.zones:
        return with_spares(needed.count, survived.nodes)
    if survived.strict:
        return over_zones(needed.count, zones, survived.zones)
    return over_zones_shared(needed.count, bare.count, zones, survived.zones)


def minimum(draft: Draft, name: str, workload: InferenceWorkload, steady: Sized, cap: Sized) -> dict[str, Sized]:
    """Return the nodes that are held: the whole reserve when nothing is shared, else steady, failover and warm."""
    if draft.spec.partition.mode == "physical":
        return {
            "min_nodes": compute("max_nodes", "nodes", source=f"{_STEADY}; physical: all of it", max_nodes=cap.value)
        }
    growth, rate = workload.demand.growth, draft.rates[name]
    lead = compute(
        "node_start_seconds + replica_startup_seconds",
        "s",
        source="lead time of a replica on a new node",
        node_start_seconds=NODE_START_SECONDS,
        replica_startup_seconds=workload.replica.startup.seconds,
    )
    growing = warm_replicas(
        0.0 if growth is None else growth.per_second, lead.value, rate.per_second * rate.utilisation
    )
    warm = nodes_for_replicas(growing.value, draft.per_node[name])
    low = compute(
        "min(max_nodes, steady_reserve + warm_nodes)",
        "nodes",
        source=_STEADY,
        max_nodes=cap.value,
        steady_reserve=steady.value,
        warm_nodes=warm.value,
    )
    return {
        "steady_reserve": steady,
        "lead_time": lead,
        "warm_replicas": growing,
        "warm_nodes": warm,
        "min_nodes": low,
    }


def too_many(count: int) -> Problem:
    """Describe a load that is out of proportion."""
    return Problem(
        code="too-many-nodes",
        path="demand.requests_per_second",
        value=f"{count:,} nodes",
        allowed=f"a load that {MOST_NODES} nodes carry",
        fix="check the rate per replica against the demand, or choose larger instance types",
    )


def lost_nodes(count: int, zones: int, survived: Loss) -> int:
    """Return the nodes that are gone after the loss, when nodes are spread evenly: the fullest zones go."""
    if not survived.zones:
        return min(count, survived.nodes)
    full, rest = divmod(count, zones)
    return full * survived.zones + min(rest, survived.zones)


def report_capacity(draft: Draft, name: str, workload: InferenceWorkload, survived: Loss) -> None:
    """Say what the stated counts carry, whole and after the loss, and warn when that is below the demand."""
    demand, rate, count = workload.demand, draft.rates[name], draft.nodes[name].max
    left = count - draft.margins[name].failover
    carried = [
        carried_mean(
            running,
            draft.per_node[name],
            rate.per_second,
            peak_factor=demand.peak_factor,
            headroom=headroom,
            utilisation=rate.utilisation,
            note=note,
        )
        for running, headroom, note in (
            (count, demand.headroom.value, "headroom kept"),
            (left, demand.headroom.value if survived.strict else 0.0, f"after losing {survived}"),
        )
    ]
    draft.report("capacity", name, {"carried": carried[0], "carried_after_loss": carried[1]}, "counts are stated")
    least = min(carried, key=lambda sized: sized.value)
    if least.value < demand.requests_per_second:
        draft.warn(
            "below-demand",
            name,
            f"{count} nodes carry {least.value:.2f} requests/s ({least.note}), "
            f"and the demand is {demand.requests_per_second:g}",
        )
