"""What the planner knows so far. Steps read and extend it; only the finished plan is immutable."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from gpulanes.catalog import Instance, ModelFacts
from gpulanes.errors import GpulanesError, Problem
from gpulanes.fleet.model import FleetSpec
from gpulanes.kinds.pool import Checkpoint, Kind, Nodes, Pool
from gpulanes.plan.model import (
    FlavorPlan,
    LaneCost,
    Note,
    PartitionPlan,
    PriorityPlan,
    QueuePlan,
    ServedWorkload,
    Step,
    StoragePlan,
)
from gpulanes.plan.names import stack_name
from gpulanes.sizing.inference_memory import InferenceFit
from gpulanes.sizing.sized import Sized
from gpulanes.spec.nodes import NodesSpec
from gpulanes.spec.workload import BatchWorkload, InferenceWorkload, SystemWorkload, TrainingWorkload, Workload

W = TypeVar("W", InferenceWorkload, TrainingWorkload, BatchWorkload, SystemWorkload)

_FIELDS = {
    "instance_types": "nodes.types",
    "zones": "nodes.zones",
    "nodes": "nodes",
    "capacity": "capacity",
    "reservation": "nodes.reservation",
    "checkpoint": "checkpoint",
    "replica": "replica",
    "model": "model",
    "demand": "demand",
    "cycle": "cycle",
}
"""Where the file says what a pool's intent, or a formula, calls by another name."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Requests per second of one replica, and the share of it to count on."""

    per_second: float
    utilisation: float


@dataclass(frozen=True, slots=True)
class Margin:
    """Nodes of a served workload beyond its load: ``failover`` for what may fail, ``warm`` for growth."""

    failover: int
    warm: int


@dataclass(frozen=True, slots=True)
class Job:
    """A training run: the nodes it needs at once, and its share of the month."""

    nodes: int
    duty: float


@dataclass(slots=True)
class Draft:
    """The working state. Mappings are by workload name; a workload with a problem is skipped from then on."""

    spec: FleetSpec
    types: dict[str, tuple[Instance, ...]] = field(default_factory=dict)
    zones: dict[str, tuple[str, ...]] = field(default_factory=dict)
    models: dict[str, ModelFacts] = field(default_factory=dict)
    fits: dict[str, InferenceFit] = field(default_factory=dict)
    rates: dict[str, Rate] = field(default_factory=dict)
    per_node: dict[str, int] = field(default_factory=dict)
    margins: dict[str, Margin] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    checkpoints: dict[str, Checkpoint] = field(default_factory=dict)
    nodes: dict[str, Nodes] = field(default_factory=dict)
    pools: list[Pool] = field(default_factory=list)
    partition: PartitionPlan = field(default_factory=lambda: PartitionPlan("physical", 0, 0))
    storage: StoragePlan = field(default_factory=StoragePlan)
    workloads: list[ServedWorkload] = field(default_factory=list)
    priorities: list[PriorityPlan] = field(default_factory=list)
    flavors: list[FlavorPlan] = field(default_factory=list)
    queues: list[QueuePlan] = field(default_factory=list)
    costs: list[LaneCost] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)

    @property
    def stack(self) -> str:
        """The fleet and its environment: the prefix of every name."""
        return stack_name(self.spec.fleet, self.spec.tags["environment"])

    def each(self, kind: type[W]) -> Iterator[tuple[str, W]]:
        """Yield the workloads of a kind that have no problem so far, by name."""
        for name, workload in sorted(self.spec.workloads.items()):
            if isinstance(workload, kind) and name not in self.failed:
                yield name, workload

    def sized(self) -> Iterator[tuple[str, Workload, NodesSpec]]:
        """Yield every workload that has nodes of its own, whatever its kind, by name."""
        for name, workload in sorted(self.spec.workloads.items()):
            if workload.nodes is not None and name not in self.failed:
                yield name, workload, workload.nodes

    def pools_of(self, kind: Kind) -> list[Pool]:
        """Return the pools of a lane, in plan order."""
        return [pool for pool in self.pools if pool.kind == kind]

    def gpus(self, *kinds: Kind) -> int:
        """Return the GPUs of lanes at their caps."""
        return sum(
            self.nodes[name].max * self.types[name][0].gpus
            for name, workload, _ in self.sized()
            if workload.kind in kinds
        )

    def report(self, step: str, subject: str, numbers: dict[str, Sized] | None = None, *notes: str) -> None:
        """Record what a step decided."""
        self.steps.append(Step(step, subject, numbers or {}, notes))

    def warn(self, code: str, subject: str, text: str) -> None:
        """Record what a person should look at before going on."""
        self.notes.append(Note("warning", code, subject, text))

    def advise(self, code: str, subject: str, text: str) -> None:
        """Record what could be better."""
        self.notes.append(Note("advice", code, subject, text))

    def refuse(self, name: str, problem: Problem) -> None:
        """Record a problem of a workload, at its place in the file, and plan the workload no further."""
        self.failed.add(name)
        self.problems.append(located(problem, name))

    @contextmanager
    def attempt(self, name: str) -> Iterator[None]:
        """Collect what cannot be planned about one workload, and let the others go on."""
        try:
            yield
        except GpulanesError as error:
            for problem in error.problems:
                self.refuse(name, problem)


def located(problem: Problem, name: str) -> Problem:
    """Return the problem with its path in the file; a formula's operand, which has none, is named with its value."""
    if problem.path.startswith(("workloads.", "storage.", "partition.")):
        return problem
    head, separator, rest = problem.path.partition(".")
    field_name, bracket, index = head.partition("[")
    known = _FIELDS.get(field_name)
    if known is not None:
        return replace(problem, path=f"workloads.{name}.{known}{bracket}{index}{separator}{rest}")
    value = f"{problem.path} {problem.value}" if problem.path.isidentifier() else problem.value
    return replace(problem, path=f"workloads.{name}", value=value)
