"""What the providers do when a field is left out, and how they spell things: data with date and source."""

import json
import pkgutil
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from gpulanes.facts.unknown import UNKNOWN, Unknown


@cache
def provider_data() -> Mapping[str, Any]:
    """Return the tables of ``provider.json``, each with ``as_of`` and ``source``."""
    raw = pkgutil.get_data("gpulanes.facts", "provider.json")
    tables: dict[str, Any] = json.loads(raw or b"")
    return tables


@cache
def section(name: str) -> Mapping[str, Any]:
    """Return one table of ``provider.json``."""
    table: Mapping[str, Any] = provider_data()[name]
    return table


@cache
def _family(pattern: str) -> re.Pattern[str]:
    return re.compile(section("accelerators")[pattern])


def is_accelerated(instance_type: str) -> bool:
    """Whether an instance type (or family) has GPUs or other accelerators, by its family's name."""
    return _family("families").match(instance_type) is not None


def is_neuron(instance_type: str) -> bool:
    """Whether an instance type has Neuron devices rather than GPUs."""
    return _family("neuron_families").match(instance_type) is not None


def architecture_of(types: Iterable[str]) -> str | Unknown:
    """Return ``x86_64`` or ``arm64`` for accelerated types; mixed or none is unknown."""
    found = {"arm64" if _family("arm_families").match(name) else "x86_64" for name in types}
    return found.pop() if len(found) == 1 else UNKNOWN


def ami_types_for(types: Iterable[str], architecture: str) -> tuple[str, ...]:
    """Return the EKS AMI types that bring the driver for these instance types."""
    table = "neuron_ami_types" if any(is_neuron(name) for name in types) else "nvidia_ami_types"
    return tuple(section("node_group")[table].get(architecture, ()))


def is_vendor_taint(key: str) -> bool:
    """Whether a taint key belongs to the vendor: every GPU workload tolerates it, so it separates no lanes."""
    return key in section("accelerators")["vendor_taint_keys"]
