"""What the instance types of one pool have in common. Nothing is guessed about a type the catalogue lacks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gpulanes import catalog
from gpulanes.errors import CatalogError, Problem


@dataclass(frozen=True, slots=True)
class Hardware:
    """Facts that hold for every type of a pool; of disks and EFA interfaces the smallest count."""

    architecture: Literal["x86_64", "arm64"]
    accelerator: str
    gpus: int
    ami_type: str
    nvme_gb: int
    efa: int


def find(names: Sequence[str]) -> tuple[list[catalog.Instance], list[Problem]]:
    """Look up every type; return those that are known and one problem for each that is not."""
    known: list[catalog.Instance] = []
    problems: list[Problem] = []
    for index, name in enumerate(names):
        try:
            known.append(catalog.instance(name, path=f"instance_types[{index}]"))
        except CatalogError as error:
            problems.extend(error.problems)
    return known, problems


def accelerator_slug(name: str) -> str:
    """An accelerator's name as a label value: ``A100 80GB`` → ``a100-80gb``."""
    words = "".join(letter if letter.isalnum() else " " for letter in name.lower()).split()
    return "-".join(words)


def shared(types: Sequence[catalog.Instance]) -> Hardware:
    """Return what the types share; call it only when ``mixed`` finds nothing."""
    first = types[0]
    return Hardware(
        architecture=first.arch,
        accelerator=accelerator_slug(first.gpu),
        gpus=first.gpus,
        ami_type=catalog.ami_type(first, path="instance_types[0]"),
        nvme_gb=min(one.nvme_gb for one in types),
        efa=min(one.efa_max for one in types),
    )


def mixed(types: Sequence[catalog.Instance]) -> Iterator[Problem]:
    """One image, one accelerator and one GPU count per pool: quota, limits and scheduling count on them."""
    yield from _differing(types, "mixed-architectures", "one CPU architecture", [one.arch for one in types])
    yield from _differing(types, "mixed-gpu-counts", "one number of GPUs", [str(one.gpus) for one in types])
    yield from _differing(types, "mixed-accelerators", "one accelerator", [one.gpu or "none" for one in types])


def _differing(types: Sequence[catalog.Instance], code: str, what: str, values: list[str]) -> Iterator[Problem]:
    if len(set(values)) > 1:
        listed = ", ".join(f"{one.name} ({value})" for one, value in zip(types, values, strict=True))
        yield Problem(
            code=code,
            path="instance_types",
            value=listed,
            allowed=f"the types of a pool share {what}",
            fix="keep the types that agree, and make a pool of its own for the others",
        )


def without_gpu(types: Sequence[catalog.Instance]) -> Iterator[Problem]:
    """Find the types that cannot carry a lane: CPU types, slices of a GPU, other accelerators."""
    for index, one in enumerate(types):
        if one.vendor != "nvidia" or one.gpus == 0:
            yield Problem(
                code="no-whole-gpu",
                path=f"instance_types[{index}]",
                value=one.name,
                allowed="a type with whole NVIDIA GPUs",
                fix="choose a GPU type, such as " + _example(one),
            )


def with_accelerator(types: Sequence[catalog.Instance]) -> Iterator[Problem]:
    """Find the types that are too good for add-ons."""
    for index, one in enumerate(types):
        if one.accelerated:
            yield Problem(
                code="system-accelerator",
                path=f"instance_types[{index}]",
                value=one.name,
                allowed="a type without accelerators: the system pool has no taint to keep other pods off",
                fix=f"choose a CPU type, such as {catalog.default('system_instance_type').text}",
            )


def _example(one: catalog.Instance) -> str:
    """The cheapest GPU type of the same architecture."""
    return catalog.instances(vendor="nvidia", arch=one.arch, min_gpus=1)[0].name
