"""Which instance types go with an AMI type and a capacity type."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.table import Failure, Refused
from gpulanes_lab.aws.values import Plain

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

_USAGE: Final = {"ON_DEMAND": "on-demand", "SPOT": "spot", "CAPACITY_BLOCK": "capacity-block"}


def type_failures(
    cloud: "Cloud",
    path: str,
    types: Sequence[str],
    ami: Plain,
    capacity: Plain,
) -> Iterator[Failure]:
    """Yield what EKS refuses of these types with this AMI type and purchase option."""
    for index, name in enumerate(types):
        place = f"{path}[{index}]" if path == "instanceTypes" else path
        try:
            facts = cloud.instance_type(name)
        except Refused as refusal:
            yield Failure(place, str(refusal))
            continue
        if isinstance(ami, str):
            yield from (Failure(place, reason) for reason in _image_reasons(name, facts, ami))
        usage, offered = _USAGE.get(str(capacity)), facts.get("SupportedUsageClasses", [])
        if usage and usage not in offered:
            yield Failure(place, f"{name} is not offered as {usage} (only {', '.join(offered)})")


def _image_reasons(name: str, facts: dict[str, Any], ami: str) -> Iterator[str]:
    """Yield why EKS answers "is not a valid instance type for requested amiType"."""
    if ami == "CUSTOM":
        return
    refusal = f"[{name}] is not a valid instance type for requested amiType {ami}"
    architectures = facts["ProcessorInfo"]["SupportedArchitectures"]
    wanted = "arm64" if "ARM_64" in ami or "arm64" in ami else "x86_64"
    if wanted not in architectures:
        yield f"{refusal}: the type is {', '.join(architectures)}"
    makers = {gpu.get("Manufacturer", "").lower() for gpu in facts.get("GpuInfo", {}).get("Gpus", [])}
    if ("NVIDIA" in ami or ami == "AL2_x86_64_GPU") and "nvidia" not in makers:
        yield f"{refusal}: the type has no NVIDIA GPU"
    if "NEURON" in ami and not (facts.get("NeuronInfo") or facts.get("InferenceAcceleratorInfo")):
        yield f"{refusal}: the type has no Neuron device"
