"""The planner: a flat list of named steps over one working state. Pure; the same file gives the same plan."""

from collections.abc import Callable

from gpulanes.errors import PlanError
from gpulanes.fleet import FleetSpec, line_numbers, load_bytes, nearest_line
from gpulanes.plan.advising import advice
from gpulanes.plan.contract import contracts, priorities
from gpulanes.plan.costs import costs
from gpulanes.plan.draft import Draft
from gpulanes.plan.model import ClusterPlan, Plan
from gpulanes.plan.other_nodes import batch_nodes, system_default, system_nodes
from gpulanes.plan.overriding import overrides
from gpulanes.plan.partition import partition
from gpulanes.plan.pools import pools
from gpulanes.plan.queues import flavors, queues
from gpulanes.plan.resolve import hardware, models, zones
from gpulanes.plan.saving import checkpoints
from gpulanes.plan.serving import memory, packing, rate
from gpulanes.plan.serving_nodes import nodes
from gpulanes.plan.storage import storage
from gpulanes.plan.training import training

STEPS: tuple[Callable[[Draft], None], ...] = (
    system_default,
    hardware,
    zones,
    models,
    memory,
    packing,
    rate,
    nodes,
    training,
    checkpoints,
    batch_nodes,
    system_nodes,
    pools,
    storage,
    partition,
    flavors,
    queues,
    priorities,
    contracts,
    costs,
    advice,
    overrides,
)
"""In this order; each reads what those before it decided, and workloads that failed are skipped."""


def plan(spec: FleetSpec) -> Plan:
    """Turn a fleet into its complete plan.

    Raises:
        PlanError: with every problem of every workload, by path.
    """
    draft = Draft(spec)
    for step in STEPS:
        step(draft)
    if draft.problems:
        raise PlanError(sorted(draft.problems, key=lambda problem: (problem.path, problem.code)))
    return finished(draft)


def plan_bytes(data: bytes, file: str) -> Plan:
    """Turn the content of a fleet file into its complete plan; ``file`` is what problems call it.

    Raises:
        SpecError, PlanError: with every problem, each at its line.
    """
    spec = load_bytes(data, file)
    try:
        return plan(spec)
    except PlanError as error:
        lines = line_numbers(data)
        placed = [problem.at(file, nearest_line(problem.path, lines)) for problem in error.problems]
        raise PlanError(sorted(placed, key=lambda problem: (problem.line, problem.path, problem.code))) from None


def finished(draft: Draft) -> Plan:
    """Freeze the draft. Mappings are by key, so that the order of the file leaves no trace."""
    spec = draft.spec
    windows = {"inference": spec.maintenance.inference, "training": spec.maintenance.training}
    return Plan(
        fleet=spec.fleet,
        environment=spec.tags["environment"],
        cloud=spec.cloud,
        region=spec.region,
        zones=tuple(spec.zones),
        tags=dict(sorted(spec.tags.items())),
        cluster=cluster(draft),
        partition=draft.partition,
        pools=tuple(draft.pools),
        workloads=tuple(draft.workloads),
        priorities=tuple(draft.priorities),
        flavors=tuple(draft.flavors),
        queues=tuple(draft.queues),
        storage=draft.storage,
        windows={kind: str(window) for kind, window in windows.items() if window is not None},
        costs=tuple(draft.costs),
        steps=tuple(draft.steps),
        notes=tuple(draft.notes),
    )


def cluster(draft: Draft) -> ClusterPlan:
    """Return the cluster that is there, or the one to create under the fleet's name."""
    given = draft.spec.cluster
    if given.existing is not None:
        return ClusterPlan(given.existing, "", existing=True)
    return ClusterPlan(draft.stack, given.kubernetes or "")
