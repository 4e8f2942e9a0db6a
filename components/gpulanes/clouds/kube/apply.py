"""Registers manifests as resources of the Kubernetes provider, after holding them against the field tables.

The SDK's groups are named where they are used, because they are loaded when they are named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pulumi
import pulumi_kubernetes as kubernetes

from gpulanes.clouds.kube.fields import manifest_problems
from gpulanes.errors import SpecError
from gpulanes.kinds.pool import LANE_KEY

if TYPE_CHECKING:
    from gpulanes.clouds.base import Scope

Manifest = Mapping[str, Any]


def labels(kind: str) -> dict[str, str]:
    """Return the labels of an object of a lane."""
    return {"app.kubernetes.io/managed-by": "gpulanes", LANE_KEY: kind}


def apply(
    scope: Scope, manifest: Manifest, logical: str, options: pulumi.ResourceOptions | None = None
) -> pulumi.CustomResource:
    """Register one object. Raises SpecError, before anything is registered, if a field is not of its kind."""
    checked(manifest)
    placed = scope.options(pulumi.ResourceOptions.merge(pulumi.ResourceOptions(provider=scope.kubernetes), options))
    register = _REGISTER.get(manifest["kind"], _custom)
    return register(logical, manifest, placed)


def _namespace(logical: str, manifest: Manifest, opts: pulumi.ResourceOptions) -> pulumi.CustomResource:
    made: pulumi.CustomResource = kubernetes.core.v1.Namespace(logical, metadata=manifest["metadata"], opts=opts)
    return made


def _budget(logical: str, manifest: Manifest, opts: pulumi.ResourceOptions) -> pulumi.CustomResource:
    made: pulumi.CustomResource = kubernetes.policy.v1.PodDisruptionBudget(
        logical, metadata=manifest["metadata"], spec=manifest["spec"], opts=opts
    )
    return made


def _priority(logical: str, manifest: Manifest, opts: pulumi.ResourceOptions) -> pulumi.CustomResource:
    made: pulumi.CustomResource = kubernetes.scheduling.v1.PriorityClass(
        logical,
        metadata=manifest["metadata"],
        value=manifest["value"],
        preemption_policy=manifest["preemptionPolicy"],
        global_default=manifest["globalDefault"],
        description=manifest["description"],
        opts=opts,
    )
    return made


def _custom(logical: str, manifest: Manifest, opts: pulumi.ResourceOptions) -> pulumi.CustomResource:
    made: pulumi.CustomResource = kubernetes.apiextensions.CustomResource(
        logical,
        api_version=manifest["apiVersion"],
        kind=manifest["kind"],
        metadata=manifest["metadata"],
        spec=manifest["spec"],
        opts=opts,
    )
    return made


_REGISTER: Mapping[str, Callable[[str, Manifest, pulumi.ResourceOptions], pulumi.CustomResource]] = {
    "Namespace": _namespace,
    "PodDisruptionBudget": _budget,
    "PriorityClass": _priority,
}


def checked(manifest: Manifest) -> None:
    """Raise SpecError with every field of a manifest that its kind does not have."""
    problems = tuple(manifest_problems(manifest, f"{manifest['kind']} {manifest['metadata']['name']}"))
    if problems:
        raise SpecError(problems)
