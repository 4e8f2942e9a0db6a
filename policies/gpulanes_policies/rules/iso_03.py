"""ISO-03."""

from collections.abc import Iterable, Iterator

from gpulanes.facts.matching import tolerates
from gpulanes.facts.model import Facts, Taint, WorkloadFacts
from gpulanes.kinds.pool import LANE_KEY
from gpulanes_policies.joins import LaneTaints, lane_taints
from gpulanes_policies.rule import Failure, Parameters, Rule

NOT_IN_SIGHT = LaneTaints(taints={Taint(LANE_KEY, "inference", "NoSchedule")})
"""What inference is taken to carry where no pool of it is in sight."""


def training(facts: Facts) -> Iterable[WorkloadFacts]:
    """Return the workloads of training, and those of which nobody can tell."""
    return (workload for workload in facts.workloads if workload.kind.get_or("training") == "training")


def check(workload: WorkloadFacts, facts: Facts, parameters: Parameters) -> Iterator[Failure]:
    """None of its tolerations covers a taint that the inference pools carry."""
    del parameters
    workload.kind.get()
    lane = lane_taints(facts).get("inference", NOT_IN_SIGHT)
    for toleration in workload.tolerations.get():
        if any(tolerates(toleration, taint) is True for taint in lane.taints):
            shown = f"{toleration.key or 'every key'} {toleration.operator} {toleration.value}"
            yield Failure(workload.tolerations.path, shown, "no toleration of an inference taint")
    for unsure in lane.unsure:
        raise unsure


RULE = Rule(
    id="ISO-03",
    title="Training does not tolerate the taint of inference",
    severity="critical",
    scope="stack",
    why="A toleration is a ticket into the lane: a training pod that tolerates every taint takes the node that the "
    "next inference replica needs, and keeps it for hours.",
    fix="tolerate exactly workload=training:NoSchedule and nvidia.com/gpu=present:NoSchedule",
    source="Kubernetes: Taints and Tolerations",
    reads={"kind": "advise", "tolerations": "fail", "others": "advise"},
    subjects=training,
    check=check,
    bad="manifests: [{like: training Job, spec: {template: {spec: {tolerations: [{operator: Exists}]}}}}]",
    good="""
manifests:
- like: training Job
  spec: {template: {spec: {tolerations: [{key: workload, value: training, effect: NoSchedule}]}}}
""",
)
