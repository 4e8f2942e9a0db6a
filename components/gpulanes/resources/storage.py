"""The storage tiers: hot for training, serving for models, archive for what must be kept."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict, Unpack, cast, overload

import pulumi

from gpulanes.clouds.base import ClusterRef, Scope, StorageContract, StorageRequest, cloud
from gpulanes.errors import Problem
from gpulanes.kinds.plain import to_plain
from gpulanes.plan.model import StoragePlan
from gpulanes.resources.arguments import Arguments, cluster_ref_problems
from gpulanes.resources.options import checked_options


class StorageTiersArgs(TypedDict):
    """``plan`` has the tiers, ``lanes`` are the kinds of pool with a role for them; ``protect`` is true by default."""

    plan: StoragePlan
    cluster: ClusterRef
    lanes: list[str]
    tags: dict[str, str]
    protect: NotRequired[bool]
    fleet: NotRequired[str]
    cloud: NotRequired[str]


class StorageTiers(pulumi.ComponentResource):
    """FSx for Lustre, the serving and the archive bucket, and a role per lane; ``contract`` is what workloads need.

    Raises ArgumentsError with everything that is wrong with the arguments.
    """

    @overload
    def __init__(self, name: str, args: StorageTiersArgs, opts: pulumi.ResourceOptions | None = None) -> None: ...
    @overload
    def __init__(
        self, name: str, *, opts: pulumi.ResourceOptions | None = None, **kwargs: Unpack[StorageTiersArgs]
    ) -> None: ...
    def __init__(
        self,
        name: str,
        args: StorageTiersArgs | None = None,
        opts: pulumi.ResourceOptions | None = None,
        **kwargs: object,
    ) -> None:
        options = checked_options(opts, name)
        given = {**(args or {}), **kwargs}
        request, fleet, provider = _request(name, given)
        super().__init__("gpulanes:index:StorageTiers", name, cast("Any", to_plain(request, camel_case=True)), options)
        cluster = cast("ClusterRef", given["cluster"])
        self.contract: StorageContract = cloud(provider).storage(Scope(name, fleet or name, self), request, cluster)
        self.register_outputs(dict(self.contract))


def _request(name: str, given: Mapping[str, object]) -> tuple[StorageRequest, str, str]:
    known = StorageTiersArgs.__required_keys__ | StorageTiersArgs.__optional_keys__
    arguments = Arguments(given, known, ids=("cluster",))
    arguments.require("plan", "cluster", "lanes", "tags")
    storage = given.get("plan")
    if not isinstance(storage, StoragePlan):
        storage = StoragePlan()
        if "plan" in given:
            arguments.note("plan", type(given["plan"]).__name__, "a StoragePlan", "make one, or let GpuFleet do it")
    cluster = given.get("cluster")
    if cluster is not None:
        arguments.problems += cluster_ref_problems(cluster)
    if storage.hot and isinstance(cluster, Mapping) and storage.hot.zone not in cluster.get("subnets", {}):
        allowed = f"a zone of the cluster: {', '.join(sorted(cluster.get('subnets', {})))}"
        fix = "put the file system where the training pool is"
        arguments.problems.append(Problem("zone-subnet", "plan.hot.zone", storage.hot.zone, allowed, fix))
    request = StorageRequest(
        storage=storage,
        lanes=arguments.texts("lanes"),
        tags=arguments.labels("tags"),
        protect=arguments.flag("protect", default=True),
    )
    fleet, provider = arguments.text("fleet"), arguments.choice("cloud", ("aws",), "aws")
    arguments.refuse(name)
    return request, fleet, provider
