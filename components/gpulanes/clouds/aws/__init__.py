"""AWS: EKS clusters, managed node groups, Karpenter on EC2, FSx for Lustre and S3."""

from collections.abc import Iterator, Sequence

import pulumi

from gpulanes.clouds.aws.addresses import network_problems
from gpulanes.clouds.aws.cluster import cluster as _cluster
from gpulanes.clouds.aws.images import image_problems
from gpulanes.clouds.aws.kubeconfig import kubeconfig as _kubeconfig
from gpulanes.clouds.aws.node_class import karpenter_pool, node_class_problems
from gpulanes.clouds.aws.node_group import node_group, node_group_problems
from gpulanes.clouds.aws.storage import storage as _storage
from gpulanes.clouds.base import Cloud, ClusterRef, ClusterRequest, Scope, StorageContract, StorageRequest
from gpulanes.clouds.kube.labels import label_problems
from gpulanes.errors import Problem
from gpulanes.kinds.pool import Pool


class Aws:
    """The renderer for AWS."""

    def pool_problems(self, pool: Pool, cluster: ClusterRef) -> Sequence[Problem]:
        """Return why this pool cannot be rendered into this cluster."""
        specific = node_class_problems(pool, cluster) if pool.provisioner == "karpenter" else node_group_problems(pool)
        return (*_reachable(pool, cluster), *image_problems(pool), *label_problems(pool), *specific)

    def cluster_problems(self, request: ClusterRequest) -> Sequence[Problem]:
        """Return why this cluster cannot be created."""
        return () if request.subnets else tuple(network_problems(request.cidr, request.zones))

    def cluster(self, scope: Scope, request: ClusterRequest) -> ClusterRef:
        """Create an EKS cluster, its network, roles and interruption queue."""
        return _cluster(scope, request)

    def pool(self, scope: Scope, pool: Pool, cluster: ClusterRef) -> None:
        """Create a managed node group, or a NodePool with its EC2NodeClass."""
        if pool.provisioner == "karpenter":
            karpenter_pool(scope, pool, cluster)
        else:
            node_group(scope, pool, cluster)

    def storage(self, scope: Scope, request: StorageRequest, cluster: ClusterRef) -> StorageContract:
        """Create FSx for Lustre, buckets and the lanes' roles."""
        return _storage(scope, request, cluster)

    def kubeconfig(self, cluster: ClusterRef, region: str) -> pulumi.Output[str]:
        """Return a kubeconfig that asks the AWS CLI for tokens."""
        return _kubeconfig(cluster, region)


def _reachable(pool: Pool, cluster: ClusterRef) -> Iterator[Problem]:
    """Yield what the cluster lacks for a pool."""
    known = cluster["subnets"]
    for zone in pool.zones:
        if zone not in known:
            allowed = f"a zone of the cluster: {', '.join(sorted(known))}"
            fix = "give the cluster a subnet there, or leave the zone out"
            yield Problem("zone-subnet", f"pools.{pool.name}.zones", zone, allowed, fix)
    if pool.efa_interfaces and "fabric_security_group_id" not in cluster:
        allowed = "a security group that allows all traffic from and to itself"
        fix = "give one (GpuCluster makes it)"
        yield Problem("fabric-group", "cluster.fabric_security_group_id", "", allowed, fix)


CLOUD: Cloud = Aws()
