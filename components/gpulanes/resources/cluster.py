"""The cluster: created, or described because it is there already."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NotRequired, TypedDict, Unpack, cast, overload

import pulumi
import pulumi_kubernetes

from gpulanes.clouds.base import ClusterRef, ClusterRequest, Scope, cloud
from gpulanes.errors import Problem
from gpulanes.kinds.plain import camel
from gpulanes.resources.arguments import Arguments, refuse
from gpulanes.resources.options import checked_options

NETWORK = "10.0.0.0/16"


class GpuClusterArgs(TypedDict):
    """A cluster to create.

    ``api_access_cidrs`` are the addresses that may reach the API server from outside the network; without any, only
    the network itself can. ``subnets`` (zone → private subnet id) with ``vpc_id`` uses a network that is there.
    ``protect`` (default true) guards the cluster against deletion, in Pulumi and in AWS. ``after`` is anything that
    must be known first.
    """

    kubernetes: str
    zones: list[str]
    tags: dict[str, str]
    cluster_name: NotRequired[str]
    api_access_cidrs: NotRequired[list[str]]
    cidr: NotRequired[str]
    vpc_id: NotRequired[pulumi.Input[str]]
    subnets: NotRequired[dict[str, pulumi.Input[str]]]
    protect: NotRequired[bool]
    after: NotRequired[pulumi.Input[str]]
    cloud: NotRequired[str]


IDS = frozenset({"vpc_id", "subnets", "after"})
"""Arguments that may be Outputs."""


class GpuCluster(pulumi.ComponentResource):
    """An EKS cluster with its network, roles, fabric group and interruption queue; ``ref`` is what pools take.

    Raises ArgumentsError with everything that is wrong with the arguments.
    """

    @overload
    def __init__(self, name: str, args: GpuClusterArgs, opts: pulumi.ResourceOptions | None = None) -> None: ...
    @overload
    def __init__(
        self, name: str, *, opts: pulumi.ResourceOptions | None = None, **kwargs: Unpack[GpuClusterArgs]
    ) -> None: ...
    def __init__(
        self,
        name: str,
        args: GpuClusterArgs | None = None,
        opts: pulumi.ResourceOptions | None = None,
        **kwargs: object,
    ) -> None:
        options = checked_options(opts, name)
        given = {key: value for key, value in {**(args or {}), **kwargs}.items() if value is not None}
        request, provider = _request(name, given)
        super().__init__(
            "gpulanes:index:GpuCluster", name, {camel(key): value for key, value in given.items()}, options
        )
        self.ref: ClusterRef = cloud(provider).cluster(Scope(name, request.name, self), request)
        self.register_outputs({camel(key): value for key, value in self.ref.items()})


def _request(name: str, given: Mapping[str, Any]) -> tuple[ClusterRequest, str]:
    known = GpuClusterArgs.__required_keys__ | GpuClusterArgs.__optional_keys__
    arguments = Arguments(given, known, IDS)
    arguments.require("kubernetes", "zones", "tags")
    request = ClusterRequest(
        name=arguments.text("cluster_name", name),
        kubernetes=arguments.text("kubernetes"),
        zones=arguments.texts("zones"),
        tags=arguments.labels("tags"),
        api_access_cidrs=arguments.texts("api_access_cidrs"),
        protect=arguments.flag("protect", default=True),
        cidr=arguments.text("cidr", NETWORK),
        vpc_id=given.get("vpc_id"),
        subnets=given.get("subnets"),
    )
    provider = arguments.choice("cloud", ("aws",), "aws")
    arguments.problems += _network_problems(request, given.get("subnets"))
    arguments.refuse(name)
    refuse(cloud(provider).cluster_problems(request), name)
    return request, provider


def _network_problems(request: ClusterRequest, subnets: object) -> Iterator[Problem]:
    """Yield what is wrong with a network that was given."""
    if (subnets is None) != (request.vpc_id is None):
        allowed = "subnets and vpc_id together, or neither"
        yield Problem("network-given", "subnets", "", allowed, "give both for a network that is there")
    if subnets is not None and not isinstance(subnets, Mapping):
        allowed = "a plain mapping from zone to subnet id; the ids may be Outputs"
        yield Problem("guarded-output", "subnets", type(subnets).__name__, allowed, "name the zones")
    elif subnets is not None and set(subnets) != set(request.zones):
        allowed = f"one subnet for each of the zones {', '.join(request.zones)}"
        yield Problem("network-given", "subnets", ", ".join(subnets), allowed, "let zones and subnets agree")


class Connection(NamedTuple):
    """A cluster, and the provider that reaches its API server."""

    cluster: ClusterRef
    kubernetes: pulumi.ProviderResource


def connection(name: str, cluster: ClusterRef, region: str, opts: pulumi.ResourceOptions | None = None) -> Connection:
    """Return the cluster with an explicit Kubernetes provider of the given name.

    The provider is tied to the cluster's name: a new endpoint or certificate does not replace what runs there.
    """
    provider = pulumi_kubernetes.Provider(
        name,
        kubeconfig=cloud("aws").kubeconfig(cluster, region),
        cluster_identifier=cluster["name"],
        opts=opts,
    )
    return Connection(cluster, cast("pulumi.ProviderResource", provider))


def existing_cluster(description: Mapping[str, Any]) -> ClusterRef:
    """Return a ClusterRef from the camelCase outputs of a GpuCluster, as configuration or another stack gives them.

    Raises ArgumentsError for names that a ClusterRef does not have and for what is missing.
    """
    names = {camel(key): key for key in (*ClusterRef.__required_keys__, *ClusterRef.__optional_keys__)}
    unknown = [
        Problem("argument-unknown", f"cluster.{key}", "", f"one of {', '.join(sorted(names))}", "remove it")
        for key in description
        if key not in names
    ]
    missing = [
        Problem("argument-missing", f"cluster.{camel(key)}", "", "required", f"give {camel(key)}")
        for key in sorted(ClusterRef.__required_keys__)
        if camel(key) not in description
    ]
    refuse([*unknown, *missing], "existing cluster")
    return cast("ClusterRef", {names[key]: value for key, value in description.items()})
