"""What a cloud does for the components, and what passes between them.

A cloud renders what has been decided: it gets complete plain values and Inputs that are only ids.
"""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import NotRequired, Protocol, TypedDict, TypeVar, cast

import pulumi

from gpulanes.errors import Problem
from gpulanes.kinds.pool import Pool
from gpulanes.plan.model import StoragePlan

T = TypeVar("T")


class ClusterRef(TypedDict):
    """A cluster, as pools need it: the output of ``GpuCluster``, or the description of one that is there.

    Ids may be Outputs. ``version`` (the Kubernetes minor) and the zones of ``subnets`` are plain: they decide what is
    rendered. ``security_group_id`` is the group of all nodes, ``fabric_security_group_id`` lets EFA traffic pass;
    ``interruption_queue`` is the queue's name, neither its ARN nor its URL.
    """

    name: pulumi.Input[str]
    endpoint: pulumi.Input[str]
    certificate_authority: pulumi.Input[str]
    version: str
    vpc_id: pulumi.Input[str]
    subnets: dict[str, pulumi.Input[str]]
    security_group_id: pulumi.Input[str]
    fabric_security_group_id: NotRequired[pulumi.Input[str]]
    node_role_name: pulumi.Input[str]
    node_role_arn: pulumi.Input[str]
    interruption_queue: NotRequired[pulumi.Input[str]]
    oidc_issuer: NotRequired[pulumi.Input[str]]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where children go: ``name`` starts their logical names, ``prefix`` their physical ones."""

    name: str
    prefix: str
    parent: pulumi.Resource
    kubernetes: pulumi.ProviderResource | None = None

    def options(self, more: pulumi.ResourceOptions | None = None) -> pulumi.ResourceOptions:
        """Return options with the parent, and ``more`` merged on top."""
        return pulumi.ResourceOptions.merge(pulumi.ResourceOptions(parent=self.parent), more)


def after(value: pulumi.Output[T], *resources: pulumi.Resource) -> pulumi.Output[T]:
    """Return the same value, whose users are created after ``resources`` and deleted before them.

    Unlike a combined output the value stays known when one of the resources changes, so an added route or
    policy attachment never looks like a replaced node group.
    """

    async def reached() -> set[pulumi.Resource]:
        return await value.resources() | set(resources)

    known = cast("Awaitable[T]", value.future(with_unknowns=True))
    return pulumi.Output(reached(), known, value.is_known(), value.is_secret())


@dataclass(frozen=True, slots=True)
class ClusterRequest:
    """A cluster to create. ``subnets`` empty means a network is made in ``cidr``; else they are used as given."""

    name: str
    kubernetes: str
    zones: tuple[str, ...]
    tags: Mapping[str, str]
    api_access_cidrs: tuple[str, ...]
    protect: bool
    cidr: str
    vpc_id: pulumi.Input[str] | None = None
    subnets: Mapping[str, pulumi.Input[str]] | None = None


@dataclass(frozen=True, slots=True)
class StorageRequest:
    """The storage tiers of a fleet, and the lanes that use them."""

    storage: StoragePlan
    lanes: tuple[str, ...]
    tags: Mapping[str, str]
    protect: bool


Entry = Mapping[str, pulumi.Input[str]]
StorageContract = Mapping[str, Entry]
"""Tier or role → what a workload needs to use it: file system ids and mount names, bucket names, role ARNs."""


class Cloud(Protocol):
    """One cloud's renderer."""

    def pool_problems(self, pool: Pool, cluster: ClusterRef) -> Sequence[Problem]:
        """Return why this pool cannot be rendered into this cluster; asked before anything is registered."""
        ...

    def cluster_problems(self, request: ClusterRequest) -> Sequence[Problem]:
        """Return why this cluster cannot be created; asked before anything is registered."""
        ...

    def cluster(self, scope: Scope, request: ClusterRequest) -> ClusterRef:
        """Create a cluster, its network, roles and interruption queue."""
        ...

    def pool(self, scope: Scope, pool: Pool, cluster: ClusterRef) -> None:
        """Create the nodes of one pool."""
        ...

    def storage(self, scope: Scope, request: StorageRequest, cluster: ClusterRef) -> StorageContract:
        """Create the storage tiers and the roles that workloads use them with."""
        ...

    def kubeconfig(self, cluster: ClusterRef, region: str) -> pulumi.Output[str]:
        """Return a kubeconfig that gets short-lived credentials from the cloud's own command."""
        ...


def cloud(name: str) -> Cloud:
    """Return the renderer of a cloud, importing its SDK only now."""
    return cast("Cloud", import_module(f"gpulanes.clouds.{name}").CLOUD)
