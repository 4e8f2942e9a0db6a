"""A plan for people: what each lane gets, what stores it, what it costs, and what to know before ``pulumi up``."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from gpulanes.cli.table import table
from gpulanes.cli.terminal import styled
from gpulanes.kinds.pool import KINDS, Kind, Pool
from gpulanes.plan.model import LaneCost, Note, Plan, ServedWorkload, StoragePlan

POOL_COLUMNS = ("pool", "purchase", "types", "zones", "nodes", "GPUs", "provisioner")
POOL_RIGHT = frozenset({4, 5})
NOTE_STYLE = {"warning": "yellow", "advice": "cyan"}


def span(low: int, high: int) -> str:
    """``8`` or ``5-8``."""
    return str(low) if low == high else f"{low}-{high}"


def counted(number: int, thing: str) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def money(usd: float) -> str:
    """Whole dollars with thousands separated."""
    return f"{usd:,.0f}"


def short_zones(zones: Iterable[str], region: str) -> str:
    """``1a 1b`` for us-east-1a and us-east-1b: the region stands in the head of the plan."""
    return " ".join(zone.removeprefix(region[:-1]) for zone in zones)


def pool_row(pool: Pool, region: str) -> tuple[str, ...]:
    """One line of a lane's table."""
    nodes, gpus = pool.nodes, pool.gpus_per_node
    return (
        pool.name,
        " ".join(pool.capacity),
        " ".join(pool.instance_types),
        short_zones(pool.zones, region),
        span(nodes.min, nodes.max) if pool.capped else f"{nodes.min}-unlimited",
        span(nodes.min * gpus, nodes.max * gpus) if pool.capped else "unlimited",
        pool.provisioner,
    )


def cost_line(cost: LaneCost | None) -> Text:
    """The lane's cost against its budget; over budget is red, nothing of its own is nothing."""
    if cost is None:
        return styled("")
    usd = cost.monthly.value
    if not cost.budget_usd:
        return styled(f"  {money(usd)} USD/month")
    over = usd > cost.budget_usd
    return styled(f"  {money(usd)} of {money(cost.budget_usd)} USD/month", "bold red" if over else "green")


def workload_line(workload: ServedWorkload) -> str:
    """What runs in the lane, and how it is guarded."""
    parts = [counted(workload.replicas, "replica")] if workload.replicas else []
    parts += [workload.service_class] if workload.service_class else []
    parts += [f"priority {workload.priority_class}"] if workload.priority_class else []
    parts += [f"at most {workload.pdb_max_unavailable} disrupted at once"] if workload.pdb_max_unavailable else []
    parts += [f"queue {workload.queue}"] if workload.queue else []
    return f"  {workload.name} in {workload.namespace}: {', '.join(parts)}"


def lane(plan: Plan, kind: Kind) -> list[Text]:
    """The block of one lane; empty when the plan has nothing of that kind."""
    pools = [pool for pool in plan.pools if pool.kind == kind]
    workloads = [w for w in plan.workloads if w.kind == kind]
    if not pools and not workloads:
        return []
    cost = next((cost for cost in plan.costs if cost.kind == kind), None)
    lines = [styled(kind.upper(), "bold") + cost_line(cost)]
    if pools:
        lines.append(table(POOL_COLUMNS, [pool_row(pool, plan.region) for pool in pools], right=POOL_RIGHT))
    lines += [styled(workload_line(workload), "dim") for workload in workloads]
    return [*lines, styled("")]


def storage(tiers: StoragePlan) -> list[Text]:
    """The storage block, a line per tier."""
    lines = []
    if tiers.hot is not None:
        hot = tiers.hot
        speed = f"{hot.throughput_per_tib} MB/s per TiB"
        lines.append(
            f"  hot      {hot.name}: Lustre {hot.deployment_type}, {hot.capacity_gib:,} GiB, {speed}, {hot.zone}"
        )
    for bucket in (tiers.serving, tiers.archive):
        if bucket is not None:
            after = f", archived after {bucket.archive_after_days} days" if bucket.archive_after_days else ""
            lines.append(
                f"  {bucket.purpose:<8} {bucket.name}: bucket{', versioned' if bucket.versioned else ''}{after}"
            )
    return [styled("STORAGE", "bold"), *map(styled, lines), styled("")] if lines else []


def notes(items: Sequence[Note]) -> list[Text]:
    """Warnings first, then advice."""
    ordered = sorted(items, key=lambda note: note.level != "warning")
    lines = [
        styled(f"  {note.level:<8}", NOTE_STYLE[note.level]) + styled(f" {note.subject}: {note.text}")
        for note in ordered
    ]
    return [styled("NOTES", "bold"), *lines, styled("")] if lines else []


def head(plan: Plan) -> list[Text]:
    """Which environment this is, and how its lanes share."""
    cluster, partition = plan.cluster, plan.partition
    made = "existing" if cluster.existing else f"Kubernetes {cluster.kubernetes}"
    zones = short_zones(plan.zones, plan.region)
    shares = f"partition {partition.mode}"
    if partition.mode != "physical":
        shares += f": {partition.reserve_gpus} GPUs kept for inference, {partition.lendable_gpus} may be lent"
    return [
        styled(f"{plan.fleet} {plan.environment}", "bold")
        + styled(f"  {plan.cloud} {plan.region} ({zones})  cluster {cluster.name} ({made})"),
        styled(shares),
        styled(""),
    ]


def total(costs: Sequence[LaneCost]) -> list[Text]:
    """The sum over the lanes."""
    return [styled("TOTAL  ", "bold") + styled(f"{money(sum(cost.monthly.value for cost in costs))} USD/month")]


def plan_text(plan: Plan) -> Text:
    """The whole plan."""
    lanes = [line for kind in KINDS for line in lane(plan, kind)]
    return Text("\n").join([*head(plan), *lanes, *storage(plan.storage), *notes(plan.notes), *total(plan.costs)])
