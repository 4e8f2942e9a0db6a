"""One environment: read ``<stack>.yaml`` beside this file, plan it, and render the plan."""

from pathlib import Path

import pulumi

from gpulanes.errors import GpulanesError
from gpulanes.kinds.plain import camel
from gpulanes.plan import plan_bytes
from gpulanes.resources import Connection, GpuCluster, GpuFleet, connection, existing_cluster

config, file = pulumi.Config(), Path(__file__).with_name(f"{pulumi.get_stack()}.yaml")
protect = config.get_bool("protect", default=True)
try:
    decided = plan_bytes(file.read_bytes(), f"stacks/{file.name}")
except (OSError, GpulanesError) as error:
    raise pulumi.RunError(str(error)) from None


def connect(fleet: GpuFleet) -> Connection:
    """Return the cluster: the one that the configuration describes, or a new one now that the plan is accepted."""
    name = decided.cluster.name
    if decided.cluster.existing:
        return connection(name, existing_cluster(config.require_object("cluster")), decided.region)
    cluster = GpuCluster(
        name,
        kubernetes=decided.cluster.kubernetes,
        zones=list(decided.zones),
        tags=dict(decided.tags),
        api_access_cidrs=config.get_object("apiAccessCidrs") or [],
        protect=protect,
        after=fleet.accepted,
    )
    pulumi.export("cluster", {camel(key): value for key, value in cluster.ref.items()})
    return connection(name, cluster.ref, decided.region)


lanes = GpuFleet(f"{decided.fleet}-{decided.environment}", connect=connect, plan=decided, protect=protect)
pulumi.export("lanes", lanes.contract)
