"""A whole fleet from its plan."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NotRequired, TypedDict, cast

import pulumi

from gpulanes.clouds.base import ClusterRef, Scope, cloud
from gpulanes.clouds.kube.lanes import lanes
from gpulanes.errors import Problem
from gpulanes.kinds.plain import to_plain
from gpulanes.plan.model import Plan
from gpulanes.plan.names import physical_name, stack_name
from gpulanes.resources.arguments import Arguments, cluster_ref_problems, refuse
from gpulanes.resources.cluster import Connection
from gpulanes.resources.contract import contract
from gpulanes.resources.options import checked_options, kubernetes_missing, provider_of, region_problems
from gpulanes.resources.pool_args import PREFIX, DecidedPool
from gpulanes.resources.pools import LanePool
from gpulanes.resources.storage import StorageTiers


class GpuFleetArgs(TypedDict):
    """``plan`` decides everything; ``cluster`` is where it goes; ``protect`` (default true) guards the stores."""

    plan: Plan
    cluster: NotRequired[ClusterRef]
    protect: NotRequired[bool]


Connect = Callable[["GpuFleet"], Connection]


class GpuFleet(pulumi.ComponentResource):
    """The lanes of one environment: pools, storage, priorities, budgets and queues, and their contract.

    The whole plan is registered before any child, so a policy that refuses it leaves nothing created. To let that
    hold for the cluster too, give ``connect`` instead of ``cluster``: it is called with the fleet, and what it creates
    waits for the fleet's ``accepted``.

    Raises ArgumentsError with everything that is wrong with the arguments, or keeps the plan out of the cluster.
    """

    def __init__(
        self,
        name: str,
        args: GpuFleetArgs | None = None,
        opts: pulumi.ResourceOptions | None = None,
        *,
        connect: Connect | None = None,
        **kwargs: object,
    ) -> None:
        options = checked_options(opts, name)
        given = {**(args or {}), **kwargs}
        plan, protect = _read(name, given, connect)
        refuse(tuple(region_problems(plan.region, options)), name)
        target = None
        if connect is None:
            target = _target(name, plan, cast("ClusterRef", given["cluster"]), provider_of("kubernetes", options))
        super().__init__("gpulanes:index:GpuFleet", name, declared(plan), options)
        self.accepted: pulumi.Output[str] = _known_with(self.urn)
        if connect is not None:
            made = connect(self)
            target = _target(name, plan, made.cluster, made.kubernetes)
        self._render(name, plan, cast("Connection", target), protect=protect)

    def _render(self, name: str, plan: Plan, target: Connection, *, protect: bool) -> None:
        """Create the children; nothing is decided here."""
        stack = stack_name(plan.fleet, plan.environment)
        self.pools: Mapping[str, LanePool] = self._pools(name, plan, target)
        home = [made for made in self.pools.values() if made.pool.kind == "system"]
        lanes(Scope(name, stack, self, target.kubernetes), plan, home)
        storage = StorageTiers(
            f"{name}-storage",
            plan=plan.storage,
            cluster=target.cluster,
            lanes=sorted({workload.kind for workload in plan.workloads}),
            tags=dict(plan.tags),
            protect=protect,
            fleet=stack,
            cloud=plan.cloud,
            opts=pulumi.ResourceOptions(parent=self),
        )
        self.contract: Mapping[str, pulumi.Input[Any]] = contract(plan, storage.contract)
        self.register_outputs(dict(self.contract))

    def _pools(self, name: str, plan: Plan, target: Connection) -> Mapping[str, LanePool]:
        """Create the pools, in the plan's order; those of Karpenter stand on the system pools.

        Karpenter runs on those, and only Karpenter ends the instances that it started: were its home deleted
        first, a destroy would wait for ever and the instances would go on being billed.

        Only Karpenter's pools get the Kubernetes provider: a component waits for the providers it is given, and the
        launch templates of node groups need not wait for the control plane.
        """
        prefix = stack_name(plan.fleet, plan.environment)
        made: dict[str, LanePool] = {}
        for pool in sorted(plan.pools, key=lambda pool: pool.kind != "system"):
            options = pulumi.ResourceOptions(parent=self)
            if pool.provisioner == "karpenter":
                options.providers = [target.kubernetes]
                options.depends_on = [other for other in made.values() if other.pool.kind == "system"]
            physical = physical_name((prefix, pool.name), PREFIX)
            made[pool.name] = LanePool(
                f"{name}-{pool.name}",
                DecidedPool(pool, target.cluster, physical, plan.cloud, alone=False),
                options,
            )
        return {pool.name: made[pool.name] for pool in plan.pools}


def declared(plan: Plan) -> dict[str, Any]:
    """Return what the fleet registers: every decision of the plan.

    The steps explain the decisions and decide nothing: in the state they would be most of it, and a reworded
    explanation would show as a change of the fleet.
    """
    plain = cast("dict[str, Any]", to_plain(replace(plan, steps=()), camel_case=True))
    return {key: value for key, value in plain.items() if key != "steps"}


def _known_with(urn: pulumi.Output[str]) -> pulumi.Output[str]:
    """Return an output that is known as soon as the component is registered, and fails if it is refused.

    The urn itself would also wait for the component's children, which wait for the cluster.
    """
    return pulumi.Output(set(), cast("Awaitable[str]", urn.future()), urn.is_known())


def _read(name: str, given: Mapping[str, object], connect: Connect | None) -> tuple[Plan, bool]:
    arguments = Arguments(given, GpuFleetArgs.__required_keys__ | GpuFleetArgs.__optional_keys__, ids=("cluster",))
    arguments.require("plan")
    if (connect is None) == ("cluster" not in arguments.given):
        arguments.note("cluster", "", "a ClusterRef, or connect=…, one of them", "give one")
    plan = given.get("plan")
    if plan is not None and not isinstance(plan, Plan):
        arguments.note("plan", type(plan).__name__, "a Plan", "make one with gpulanes.plan.plan")
    protect = arguments.flag("protect", default=True)
    arguments.refuse(name)
    return cast("Plan", plan), protect


def _target(name: str, plan: Plan, cluster: ClusterRef, kubernetes: pulumi.ProviderResource | None) -> Connection:
    """Return the cluster and its provider, or raise ArgumentsError with all that keeps the plan out of it."""
    refuse(tuple(cluster_ref_problems(cluster)), name)
    problems = [*_pool_problems(plan, cluster)]
    if kubernetes is None:
        problems.append(kubernetes_missing())
    refuse(problems, name)
    return Connection(cluster, cast("pulumi.ProviderResource", kubernetes))


def _pool_problems(plan: Plan, cluster: ClusterRef) -> Iterator[Problem]:
    renderer = cloud(plan.cloud)
    for pool in plan.pools:
        yield from renderer.pool_problems(pool, cluster)
