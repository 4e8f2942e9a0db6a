"""The storage tiers of a fleet, and the roles that its lanes use them with."""

from gpulanes.clouds.aws.access import lane_role
from gpulanes.clouds.aws.buckets import bucket
from gpulanes.clouds.aws.lustre import lustre
from gpulanes.clouds.base import ClusterRef, Entry, Scope, StorageContract, StorageRequest


def storage(scope: Scope, request: StorageRequest, cluster: ClusterRef) -> StorageContract:
    """Create what the plan has of hot, serving and archive; return what workloads need of each."""
    plans = {"serving": request.storage.serving, "archive": request.storage.archive}
    stores = {
        tier: bucket(scope, plan, protect=request.protect and plan.protect)
        for tier, plan in plans.items()
        if plan is not None
    }
    contract: dict[str, Entry] = {tier: {"bucket": made.bucket} for tier, made in stores.items()}
    if request.storage.hot is not None:
        hot = lustre(scope, request.storage.hot, cluster, stores.get("archive"), protect=request.protect)
        contract["hot"] = {"fileSystemId": hot.id, "dnsName": hot.dns_name, "mountName": hot.mount_name}
    roles = {lane: lane_role(scope, lane, stores, request.tags) for lane in request.lanes}
    contract["roles"] = {lane: arn for lane, arn in roles.items() if arn is not None}
    return contract
