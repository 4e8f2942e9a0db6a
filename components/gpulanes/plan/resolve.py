"""First steps: what the names in the file stand for."""

from collections.abc import Iterator
from dataclasses import replace

from gpulanes import catalog
from gpulanes.catalog import ModelFacts
from gpulanes.errors import Problem, SpecError
from gpulanes.kinds.hardware import find, mixed, with_accelerator, without_gpu
from gpulanes.plan.draft import Draft
from gpulanes.sizing.inputs import refuse
from gpulanes.spec.nodes import NodesSpec
from gpulanes.spec.workload import ModelShape, SystemWorkload, TrainingWorkload

UNNAMED = ModelFacts(
    name="",
    parameters=0,
    active_parameters=0,
    layers=0,
    heads=0,
    kv_heads=0,
    head_dim=0,
    hidden=0,
    vocabulary=0,
    source="stated in the fleet file",
)
"""A model of which only what the file says is known; what it leaves out, no formula of its workload needs."""


def hardware(draft: Draft) -> None:
    """Look up the instance types; every wrong one of every workload is reported."""
    for name, workload, nodes in draft.sized():
        with draft.attempt(name):
            types, problems = find(nodes.types)
            unfit = with_accelerator(types) if isinstance(workload, SystemWorkload) else without_gpu(types)
            problems += [*mixed(types), *unfit, *empty(nodes)]
            if problems:
                raise SpecError(problems)
            draft.types[name] = tuple(types)


def empty(nodes: NodesSpec) -> Iterator[Problem]:
    """Find a pool that is stated to hold nothing."""
    if nodes.count == 0:
        fix = "state at least 1, or remove the workload"
        yield Problem("no-nodes", "nodes.count", "0", "at least 1: a pool has room for a node", fix)


def zones(draft: Draft) -> None:
    """Serve from every zone; train in one, where the file system stands if it says so."""
    hot = draft.spec.storage.hot
    home = (hot.zone if hot is not None else None) or draft.spec.zones[0]
    for name, workload, nodes in draft.sized():
        default = [home] if isinstance(workload, TrainingWorkload) else draft.spec.zones
        draft.zones[name] = tuple(default if nodes.zones is None else nodes.zones)


def models(draft: Draft) -> None:
    """Find the shape of every model: by name, by numbers, or by name with numbers that override."""
    for name, workload in sorted(draft.spec.workloads.items()):
        if isinstance(workload, SystemWorkload) or workload.model is None:
            continue
        with draft.attempt(name):
            draft.models[name] = shape(workload.model, f"workloads.{name}.model")


def shape(model: str | ModelShape, path: str) -> ModelFacts:
    """Return the model's numbers; raises CatalogError for an unknown name."""
    if isinstance(model, str):
        return catalog.model(model, path=path)
    base = UNNAMED if model.name is None else catalog.model(model.name, path=f"{path}.name")
    parameters = base.parameters if model.parameters is None else model.parameters.value
    active = parameters if base.active_parameters == base.parameters else base.active_parameters
    return replace(
        base,
        name=model.name or f"{model.parameters} parameters",
        parameters=parameters,
        active_parameters=active if model.active_parameters is None else model.active_parameters.value,
        layers=model.layers or base.layers,
        heads=model.heads or base.heads,
        kv_heads=model.kv_heads or base.kv_heads,
        head_dim=model.head_dim or base.head_dim,
        hidden=model.hidden or base.hidden,
        vocabulary=model.vocabulary or base.vocabulary,
    )


def gpu_memory_mib(draft: Draft, name: str) -> int:
    """Return the memory of one GPU, the smallest where types differ; raises PlanError when none is established."""
    sizes = [one.gpu_memory_mib for one in draft.types[name] if one.gpu_memory_mib is not None]
    if not sizes:
        raise refuse(
            code="gpu-memory-unknown",
            path="nodes.types",
            value=", ".join(one.name for one in draft.types[name]),
            allowed="a type whose GPU memory is established",
            fix="use another type of the catalogue",
        )
    return min(sizes)


def dtypes(model: str | ModelShape) -> tuple[str, str]:
    """Return the number formats of weights and of the cache; bf16 unless stated."""
    return ("bf16", "bf16") if isinstance(model, str) else (model.dtype, model.kv_dtype)
