"""Instance types as the provider describes them, one frozen record each."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

from gpulanes.catalog.hints import unknown
from gpulanes.catalog.prices import (
    REFERENCE_REGION,
    REGIONS,
    Price,
    SpotRange,
    capacity_block_price,
    on_demand_prices,
    spot_ranges,
)
from gpulanes.catalog.rows import Row, day, items, number, rows, whole
from gpulanes.errors import CatalogError, Problem

Architecture = Literal["x86_64", "arm64"]
OperatingSystem = Literal["AL2023", "BOTTLEROCKET"]

_FILES = ("aws-accelerators.csv", "aws-general.csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One EC2 instance type.

    ``gpus`` counts whole accelerators: 0 on a CPU type, and 0 with ``gpu_fraction`` below 1 on a type
    that holds a slice of one. ``gpu_memory_mib`` is per accelerator (per slice), the figure to size
    with; ``None`` where it is not established. ``network_gbps`` is the baseline. ``vendor`` is
    ``nvidia``, ``aws`` or "" for a CPU type. Allocatable figures are Karpenter's for AL2023.
    """

    name: str
    family: str
    status: str
    vendor: str
    gpu: str
    gpus: int
    gpu_fraction: float
    gpu_memory_mib: int | None
    vcpu: int
    ram_gib: float
    arch: Architecture
    ami_types: tuple[str, ...]
    network_gbps: float | None
    network_peak_gbps: float | None
    network_cards: int
    network_interfaces: int
    efa_max: int
    efa_cards: tuple[int, ...]
    nvme_gb: int
    ebs_mbps: float | None
    placement_strategies: tuple[str, ...]
    usage_classes: tuple[str, ...]
    quota_code_on_demand: str
    quota_code_spot: str
    allocatable_cpu_m: int | None
    allocatable_memory_mib: int | None
    pods: int | None
    zone_ids: Mapping[str, tuple[str, ...]]
    on_demand: Mapping[str, Price]
    spot: Mapping[str, SpotRange]
    capacity_block: Price | None
    note: str
    source: str
    as_of: date

    @property
    def accelerated(self) -> bool:
        """Whether the node has an accelerator or a slice of one."""
        return bool(self.vendor)

    def on_demand_in(self, region: str) -> Price | None:
        """The list price for ``region``, else the one of us-east-1 (the price says which), else ``None``."""
        return self.on_demand.get(region) or self.on_demand.get(REFERENCE_REGION)


def _cards(text: str) -> tuple[int, ...]:
    """``0-3`` → (0, 1, 2, 3); ``0`` → (0,); blank → ()."""
    if not text:
        return ()
    first, _, last = text.partition("-")
    return tuple(range(int(first), int(last or first) + 1))


def _gpu_memory_mib(row: Row) -> int | None:
    """Memory to size with: what the API reports for NVIDIA, what the Neuron documentation says for AWS chips.

    EC2 reports 512 GiB for a Trainium2 chip that has 96.
    """
    total, count = number(row, "total_accelerator_memory_gib_for_sizing"), whole(row, "accelerator_count")
    if row.get("accelerator_vendor") == "aws" and total is not None:
        return round(total * 1024 / count)
    return whole(row, "memory_per_accelerator_mib_ec2_api") or None


def _parse(row: Row) -> Instance:
    """One row of either file; columns that a CPU type lacks read as none."""
    count = whole(row, "accelerator_count")
    zones = {region: items(row, f"az_ids_{region.replace('-', '_')}") for region in REGIONS}
    return Instance(
        name=row["instance_type"],
        family=row["family"],
        status=row["status"],
        vendor=row.get("accelerator_vendor", ""),
        gpu=row.get("accelerator_model", ""),
        gpus=count,
        gpu_fraction=number(row, "accelerator_fraction") or float(count > 0),
        gpu_memory_mib=_gpu_memory_mib(row),
        vcpu=whole(row, "vcpu"),
        ram_gib=float(row["ram_gib"]),
        arch="arm64" if row["cpu_arch"] == "arm64" else "x86_64",
        ami_types=items(row, "eks_ami_types"),
        network_gbps=number(row, "network_baseline_gbps"),
        network_peak_gbps=number(row, "network_peak_gbps"),
        network_cards=whole(row, "network_cards"),
        network_interfaces=whole(row, "max_network_interfaces"),
        efa_max=whole(row, "max_efa_interfaces"),
        efa_cards=_cards(row.get("efa_capable_card_indexes", "")),
        nvme_gb=whole(row, "local_nvme_gb"),
        ebs_mbps=number(row, "ebs_baseline_mbps"),
        placement_strategies=items(row, "placement_strategies"),
        usage_classes=items(row, "supported_usage_classes"),
        quota_code_on_demand=row.get("quota_code_on_demand", ""),
        quota_code_spot=row.get("quota_code_spot", ""),
        allocatable_cpu_m=whole(row, "karpenter_allocatable_cpu_m") or None,
        allocatable_memory_mib=whole(row, "karpenter_allocatable_memory_mi") or None,
        pods=whole(row, "karpenter_pods") or None,
        zone_ids={region: ids for region, ids in zones.items() if ids},
        on_demand=on_demand_prices(row),
        spot=spot_ranges(row),
        capacity_block=capacity_block_price(row, count),
        note=row.get("launch_note", ""),
        source=row["source"],
        as_of=day(row["as_of"]),
    )


@cache
def _by_name() -> dict[str, Row]:
    """Rows by type name. A row without a dot is a purchase unit of several machines, not a type."""
    return {row["instance_type"]: row for file in _FILES for row in rows(file) if "." in row["instance_type"]}


@cache
def _known(name: str) -> Instance:
    return _parse(_by_name()[name])


def families() -> tuple[str, ...]:
    """Every instance family of the catalogue, sorted."""
    return tuple(sorted({row["family"] for row in _by_name().values()}))


def instance(name: str, *, path: str = "instance_type") -> Instance:
    """Look up a type by its exact name.

    Raises:
        CatalogError: ``unknown-instance-type`` in a known family, else ``unknown-family``: nothing is
            assumed about the accelerator, memory or architecture of a family that is not listed.
            ``path`` is where the user wrote the name.
    """
    if name in _by_name():
        return _known(name)
    family = name.partition(".")[0]
    sizes = [known for known, row in _by_name().items() if row["family"] == family]
    if sizes:
        raise unknown(
            code="unknown-instance-type",
            path=path,
            name=name,
            allowed=f"one of {', '.join(sizes)}",
            known=sizes,
            otherwise=f"use {sizes[0]}",
        )
    raise unknown(
        code="unknown-family",
        path=path,
        name=name,
        allowed=f"a type of a family whose accelerator and architecture are declared: {', '.join(families())}",
        known=_by_name(),
        otherwise="use a type of a declared family, or declare this one's accelerator, memory and architecture in the "
        "catalogue's data",
    )


def instances(
    *,
    family: str | None = None,
    vendor: str | None = None,
    gpu: str | None = None,
    arch: Architecture | None = None,
    usage_class: Literal["on-demand", "spot", "capacity-block"] | None = None,
    min_gpus: int = 0,
    min_gpu_memory_mib: int = 0,
    min_efa: int = 0,
) -> tuple[Instance, ...]:
    """Types that meet every requirement given, cheapest list price first; types without a price come last, by name."""

    def meets(one: Instance) -> bool:
        equal = ((family, one.family), (vendor, one.vendor), (gpu, one.gpu), (arch, one.arch))
        least = (
            (min_gpus, one.gpus),
            (min_gpu_memory_mib, one.gpu_memory_mib or 0),
            (min_efa, one.efa_max),
        )
        return (
            all(wanted is None or wanted == has for wanted, has in equal)
            and all(wanted <= has for wanted, has in least)
            and (usage_class is None or usage_class in one.usage_classes)
        )

    def order(one: Instance) -> tuple[float, str]:
        price = one.on_demand_in(REFERENCE_REGION)
        return (price.usd if price else float("inf"), one.name)

    return tuple(sorted(filter(meets, map(_known, _by_name())), key=order))


def ami_type(one: Instance, os: OperatingSystem = "AL2023", *, path: str = "instance_type") -> str:
    """The EKS ``amiType`` whose drivers match the instance's accelerator and architecture.

    Raises:
        CatalogError: ``no-ami``: EKS has no such image for the type (Bottlerocket on Neuron, for one).
    """
    for candidate in one.ami_types:
        if candidate.startswith(os):
            return candidate
    what = f"{one.vendor or 'CPU'} on {one.arch}"
    raise CatalogError(
        [
            Problem(
                code="no-ami",
                path=path,
                value=one.name,
                allowed=f"{os} has no EKS image for {what}; there is {', '.join(one.ami_types)}",
                fix="use another operating system or instance type",
            )
        ]
    )
