"""Training programmes: nodes that meet the deadline with the goodput they have, and spares for repairs."""

from dataclasses import dataclass

from gpulanes import catalog
from gpulanes.catalog import Gpu
from gpulanes.kinds.pool import Nodes
from gpulanes.plan.counts import MOST_NODES, stated_while_busy
from gpulanes.plan.draft import Draft, Job
from gpulanes.plan.resolve import gpu_memory_mib
from gpulanes.plan.saving import Saving, saving
from gpulanes.sizing.cost import training_duty
from gpulanes.sizing.failover import repair_spares, with_spares
from gpulanes.sizing.formula import compute
from gpulanes.sizing.inputs import refuse
from gpulanes.sizing.sized import Sized
from gpulanes.sizing.training_memory import gpus_for_states
from gpulanes.sizing.training_time import training_flops, training_gpus, training_nodes, training_seconds
from gpulanes.spec.workload import Cycle, TrainingWorkload

REPAIR_DAYS = 1.0
"""A failed node is replaced, or taken back from the provider, within a day (judgement)."""


@dataclass(frozen=True, slots=True)
class Run:
    """One cycle of a programme on one type of node, in numbers."""

    cycle: Cycle
    saved: Saving
    flops: Sized
    gpu: Gpu
    gpus_per_node: int

    def numbers(self, nodes: int) -> dict[str, Sized]:
        """Return what ``nodes`` nodes make of it: MTBF, goodput, and the time that the run takes.

        Raises:
            PlanError: ``no-progress`` when interruptions come faster than any work is kept.
        """
        mtbf = self.saved.mtbf(nodes)
        goodput = self.saved.goodput(self.saved.interval(mtbf), mtbf)
        if goodput.value <= 0:
            raise refuse(
                code="no-progress",
                path="checkpoint",
                value=f"{nodes} nodes fail every {mtbf.value / 3600:.1f} h",
                allowed="checkpoints in time: without them no work is kept",
                fix="add a checkpoint, or shorten its interval",
            )
        seconds = training_seconds(
            self.flops.value,
            nodes * self.gpus_per_node,
            self.gpu,
            mfu=self.cycle.mfu.value,
            goodput=goodput.value,
            path="nodes.types",
        )
        return {"flops": self.flops, "mtbf": mtbf, "goodput": goodput, "run_time": seconds}


def training(draft: Draft) -> None:
    """Size every training programme from its cycle, or take the stated counts and say what they achieve."""
    for name, workload in draft.each(TrainingWorkload):
        with draft.attempt(name):
            given = stated_while_busy(workload.nodes)
            if workload.cycle is None and given is not None:
                draft.jobs[name] = Job(given.max, duty=1.0)
            else:
                draft.jobs[name] = job(draft, name, programme(draft, name, workload), given)
            draft.nodes[name] = node_counts(draft, name, workload, given)
            check_memory(draft, name)


def programme(draft: Draft, name: str, workload: TrainingWorkload) -> Run:
    """Return the run of one cycle on the first, preferred, type; raises PlanError when there is no cycle."""
    if workload.cycle is None:
        raise refuse(
            code="training-unsized",
            path="cycle",
            value="",
            allowed="a cycle to size the nodes from, or counts",
            fix="add cycle, or nodes.count",
        )
    first = draft.types[name][0]
    return Run(
        workload.cycle,
        saving(workload),
        training_flops(draft.models[name].active_parameters, workload.cycle.tokens.value),
        catalog.gpu(first.gpu, path="nodes.types"),
        first.gpus,
    )


def job(draft: Draft, name: str, run: Run, given: Nodes | None) -> Job:
    """Return the job of one cycle and report its numbers; stated counts that are too few are warned about."""
    counts = fewest(run, least_nodes(draft, name)) if given is None else {"nodes": by_hand(given.max)}
    nodes = counts["nodes"].count
    numbers = run.numbers(nodes)
    seconds = numbers["run_time"].value
    duty = training_duty(seconds, run.cycle.every.seconds)
    draft.report("training", name, {**counts, **numbers, "duty": duty})
    deadline = run.cycle.deadline
    if seconds > deadline.seconds * (1 + 1e-9):
        text = f"{nodes} nodes take {seconds / 86400:.1f} days, and the deadline is {deadline.days:.1f} days"
        draft.warn("misses-deadline", name, text)
    return Job(nodes, duty.value)


def by_hand(count: int) -> Sized:
    """Return a count that the file states."""
    return Sized(count, "nodes", "count", {"count": count}, "stated in the fleet file")


def fewest(run: Run, least: Sized) -> dict[str, Sized]:
    """Return the fewest nodes that meet the deadline with the goodput they have, and why.

    More nodes fail more often, which needs more nodes: counting up from ``least`` finds the smallest number
    that holds, if there is one.

    Raises:
        PlanError: ``deadline-unreachable`` when none up to the limit does.
    """
    nodes = least.count
    while nodes <= MOST_NODES:
        gpus = training_gpus(
            run.flops.value,
            run.cycle.deadline.seconds,
            run.gpu,
            mfu=run.cycle.mfu.value,
            goodput=run.numbers(nodes)["goodput"].value,
            path="nodes.types",
        )
        wanted = compute(
            "max(state_nodes, ceil(gpus / gpus_per_node))",
            "nodes",
            source="whole nodes that meet the deadline and whose memory holds the training state",
            state_nodes=least.value,
            gpus=gpus.value,
            gpus_per_node=run.gpus_per_node,
        )
        if wanted.count <= nodes:
            return {"state_nodes": least, "gpus": gpus, "nodes": wanted}
        nodes = wanted.count
    raise refuse(
        code="deadline-unreachable",
        path="cycle.deadline",
        value=str(run.cycle.deadline),
        allowed=f"a deadline that {MOST_NODES} nodes meet: more nodes also fail more often",
        fix="extend the deadline, train on fewer tokens, or shorten the checkpoint interval",
    )


def least_nodes(draft: Draft, name: str) -> Sized:
    """Return the nodes whose memory holds the training state."""
    gpus = gpus_for_states(draft.models[name].parameters, gpu_memory_mib(draft, name))
    return training_nodes(gpus.count, draft.types[name][0].gpus)


def check_memory(draft: Draft, name: str) -> None:
    """Warn when the nodes of one job cannot hold the state of full training."""
    least = least_nodes(draft, name).count
    if draft.jobs[name].nodes < least:
        text = f"full training state needs {least} nodes; {draft.jobs[name].nodes} hold it only sharded to host memory"
        draft.warn("state-exceeds-memory", name, text)


def node_counts(draft: Draft, name: str, workload: TrainingWorkload, given: Nodes | None) -> Nodes:
    """Return the counts of the pool: none while nothing trains, and spares beside what a job needs."""
    if given is not None:
        return given
    needed = draft.jobs[name].nodes
    spares = repair_spares(needed, REPAIR_DAYS)
    if workload.nodes.spares != "auto":
        spares = by_hand(workload.nodes.spares)
    most = with_spares(needed, spares.count)
    draft.report("spares", name, {"spares": spares, "max_nodes": most})
    return Nodes(0, 0, most.count)
