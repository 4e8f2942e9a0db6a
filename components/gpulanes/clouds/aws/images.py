"""Node images: which family an AMI type belongs to, its disks, its boot data, and the release that is pinned.

A pinned release means that nodes roll when this file changes and not when AWS publishes: ``@latest`` drifts every
node of every lane at once.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from gpulanes.errors import Problem
from gpulanes.kinds.pool import Pool

Family = Literal["al2023", "bottlerocket"]

FAMILIES: Mapping[str, Family] = {"AL2023_": "al2023", "BOTTLEROCKET_": "bottlerocket"}

OS_DISK_GIB = 4
"""Bottlerocket keeps its system on a disk of its own; images and pods go to the second one."""


@dataclass(frozen=True, slots=True)
class Disk:
    """A block device of an image."""

    device: str
    gib: int


def family(pool: Pool) -> Family | None:
    """Return the image family of a pool, or None for an AMI type that is not rendered."""
    return next((family for start, family in FAMILIES.items() if pool.ami_type.startswith(start)), None)


def image_problems(pool: Pool) -> Iterator[Problem]:
    """Yield why a pool's AMI type cannot be rendered."""
    if family(pool) is None:
        allowed = f"an AMI type that starts with {' or '.join(FAMILIES)}"
        fix = "leave ami_type out: it follows the instance types"
        yield Problem("ami-family", f"pools.{pool.name}.ami_type", pool.ami_type, allowed, fix)


def disks(pool: Pool) -> tuple[Disk, ...]:
    """Return the disks of a pool's nodes, all of the image's: overriding one drops the others."""
    if family(pool) == "bottlerocket":
        return (Disk("/dev/xvda", OS_DISK_GIB), Disk("/dev/xvdb", pool.disk_gib))
    return (Disk("/dev/xvda", pool.disk_gib),)


@cache
def _pinned() -> Mapping[str, str]:
    text = (resources.files("gpulanes.clouds.aws") / "data" / "images.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    releases: dict[str, str] = loaded["releases"]
    return releases


def alias(pool: Pool) -> str:
    """Return the pinned release as Karpenter's ``alias``; it picks the variant with drivers by instance type itself."""
    found = family(pool)
    if found is None:
        raise ValueError(pool.ami_type)
    return f"{found}@{_pinned()[found]}"


NODEADM = """MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="gpulanes"

--gpulanes
Content-Type: application/node.eks.aws

apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  instance:
    localStorage:
      strategy: RAID0
--gpulanes--
"""

BOTTLEROCKET = """[settings.bootstrap-commands.k8s-ephemeral-storage]
commands = [
  ["apiclient", "ephemeral-storage", "init"],
  ["apiclient", "ephemeral-storage", "bind", "--dirs", "/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods"],
]
essential = true
mode = "always"
"""


def user_data(pool: Pool) -> str | None:
    """Return the boot data of a node group's nodes, base64: local NVMe becomes one array for images and pods."""
    if not pool.local_nvme_gb:
        return None
    text = BOTTLEROCKET if family(pool) == "bottlerocket" else NODEADM
    return base64.b64encode(text.encode()).decode()
