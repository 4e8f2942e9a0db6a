"""One pool for people: what it is, why each number is what it is, and what a pod writes to run there."""

from collections.abc import Iterable, Mapping

from rich.text import Text

from gpulanes.cli.plan_text import notes
from gpulanes.cli.terminal import styled
from gpulanes.kinds.pool import Pool
from gpulanes.plan import Explanation
from gpulanes.plan.model import ServedWorkload, Step
from gpulanes.sizing.sized import Sized


def number(value: float | str) -> str:
    """A number as people read it: whole ones whole, others to six digits."""
    if isinstance(value, str):
        return value
    return f"{int(value):,}" if value == int(value) else f"{value:,.6g}"


def sized_lines(name: str, sized: Sized) -> list[Text]:
    """The value, its formula, the operands and where the formula comes from."""
    unit = f" {sized.unit}" if sized.unit else ""
    lines = [styled(f"  {name} = {number(sized.value)}{unit}", "bold")]
    if sized.formula:
        lines.append(styled(f"    = {sized.formula}"))
    if sized.operands:
        lines.append(styled("    " + ", ".join(f"{key} = {number(value)}" for key, value in sized.operands.items())))
    remarks = [part for part in (sized.note, f"source: {sized.source}" if sized.source else "") if part]
    return [*lines, *(styled(f"    {remark}", "dim") for remark in remarks)]


def step_lines(step: Step) -> list[Text]:
    """One step of the planner."""
    numbers = [line for name, sized in step.numbers.items() for line in sized_lines(name, sized)]
    return [styled(step.name, "cyan"), *numbers, *(styled(f"  {note}", "dim") for note in step.notes)]


def yaml_map(entries: Mapping[str, str], indent: str) -> list[str]:
    """A mapping of strings in YAML; every value quoted, so that ``true`` stays a string."""
    return [f'{indent}{key}: "{value}"' for key, value in entries.items()]


def yaml_list(items: Iterable[Mapping[str, str]], indent: str) -> list[str]:
    """A list of such mappings in YAML."""
    lines = []
    for item in items:
        first, *rest = yaml_map(item, "")
        lines += [f"{indent}- {first}", *(f"{indent}  {line}" for line in rest)]
    return lines


def pod_lines(explanation: Explanation, workload: ServedWorkload) -> list[str]:
    """The part of a pod's manifest that puts it on this pool."""
    pod = ["metadata:", f"  namespace: {workload.namespace}"]
    if workload.pod_labels:
        pod += ["  labels:", *yaml_map(workload.pod_labels, "    ")]
    pod += ["spec:"]
    if workload.priority_class:
        pod += [f"  priorityClassName: {workload.priority_class}"]
    pod += ["  nodeSelector:", *yaml_map(explanation.node_selector, "    ")]
    if explanation.tolerations:
        pod += ["  tolerations:", *yaml_list(explanation.tolerations, "    ")]
    return pod


def head(pool: Pool) -> list[Text]:
    """What the pool is."""
    nodes = pool.nodes
    upper = nodes.max if pool.capped else "unlimited"
    gpus = f"; {pool.gpus_per_node} GPUs each" if pool.gpus_per_node else ""
    return [
        styled(f"{pool.name}  ", "bold") + styled(f"{pool.kind} pool, {pool.provisioner}"),
        styled(f"  {' '.join(pool.capacity)} {' '.join(pool.instance_types)} in {' '.join(pool.zones)}"),
        styled(f"  nodes: at least {nodes.min}, {nodes.desired} at first, at most {upper}{gpus}"),
        styled(""),
    ]


def pool_text(explanation: Explanation) -> Text:
    """Everything about one pool: the numbers, what to know, what pods write."""
    lines = head(explanation.pool)
    for step in explanation.steps:
        if step.numbers or step.notes:
            lines += [*step_lines(step), styled("")]
    lines += notes(explanation.notes)
    for workload in explanation.workloads:
        pod = map(styled, pod_lines(explanation, workload))
        lines += [styled(f"Pods of {workload.name}:", "cyan"), *pod, styled("")]
    return Text("\n").join(lines[:-1])
