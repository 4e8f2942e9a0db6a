"""How a training run saves its state: how often it is interrupted, when to save, what a save weighs."""

from dataclasses import dataclass

from gpulanes.kinds.pool import Checkpoint
from gpulanes.plan.draft import Draft
from gpulanes.sizing import checkpoint as arithmetic
from gpulanes.sizing.sized import Sized
from gpulanes.sizing.training_memory import checkpoint_size
from gpulanes.spec.workload import CheckpointSpec, TrainingWorkload

RESTART = CheckpointSpec().restart_time
"""A run without checkpoints restarts as fast as one with them; it only starts from the beginning."""


@dataclass(frozen=True, slots=True)
class Saving:
    """How a run is saved; ``unsaved_seconds`` is the work of a whole cycle, at stake when it is not."""

    spec: CheckpointSpec | None
    reclaim_mtbf_seconds: float | None
    unsaved_seconds: float

    def mtbf(self, nodes: int) -> Sized:
        """Return the time between interruptions of a job on ``nodes`` nodes."""
        return arithmetic.job_mtbf(nodes, reclaim_mtbf_seconds=self.reclaim_mtbf_seconds)

    def interval(self, mtbf: Sized) -> Sized:
        """Return the work between two saves: the exact optimum, what the file states, or all of it."""
        if self.spec is None:
            run = self.unsaved_seconds
            return Sized(run, "s", "run", {"run": run}, "without checkpoints an interruption loses the whole run")
        if self.spec.interval == "auto":
            return arithmetic.optimal_interval(self.spec.save_time.seconds, mtbf.value)
        given = self.spec.interval.seconds
        return Sized(given, "s", "interval", {"interval": given}, "stated in the fleet file")

    def goodput(self, interval: Sized, mtbf: Sized) -> Sized:
        """Return the share of time that makes progress."""
        if self.spec is None:
            return arithmetic.efficiency(interval.value, 0.0, mtbf.value, RESTART.seconds)
        save, restart = self.spec.save_time.seconds, self.spec.restart_time.seconds
        return arithmetic.efficiency(interval.value, save, mtbf.value, restart)


def saving(workload: TrainingWorkload) -> Saving:
    """Return how a workload's run is saved; it is interrupted as its first, preferred, purchase option is."""
    spot = workload.capacity[0] == "spot"
    return Saving(
        workload.checkpoint,
        workload.reclaim_mtbf.seconds if spot else None,
        0.0 if workload.cycle is None else workload.cycle.deadline.seconds,
    )


def checkpoints(draft: Draft) -> None:
    """Decide when every training run saves, and what a save weighs."""
    for name, workload in draft.each(TrainingWorkload):
        spec = workload.checkpoint
        if spec is None:
            continue
        with draft.attempt(name):
            saved = saving(workload)
            mtbf = saved.mtbf(draft.jobs[name].nodes)
            interval, size = saved.interval(mtbf), checkpoint_size(draft.models[name].parameters)
            draft.checkpoints[name] = Checkpoint(spec.store, interval.value, round(size.value))
            numbers = {"mtbf": mtbf, "interval": interval, "goodput": saved.goodput(interval, mtbf), "size": size}
            draft.report("checkpoint", name, numbers)
            if interval.value > 2 * optimum(spec, mtbf):
                text = f"the interval is more than twice the optimum of {optimum(spec, mtbf) / 60:.0f} min"
                draft.advise("checkpoint-interval", name, text)


def optimum(spec: CheckpointSpec, mtbf: Sized) -> float:
    """Return the interval that loses least time, seconds."""
    return arithmetic.optimal_interval(spec.save_time.seconds, mtbf.value).value
