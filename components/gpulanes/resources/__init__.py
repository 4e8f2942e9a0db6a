"""The Pulumi components, and the edge between plain values and Inputs."""

from gpulanes.clouds.base import ClusterRef
from gpulanes.resources.arguments import ArgumentsError
from gpulanes.resources.cluster import Connection, GpuCluster, GpuClusterArgs, connection, existing_cluster
from gpulanes.resources.fleet import GpuFleet, GpuFleetArgs
from gpulanes.resources.pool_args import (
    BatchPoolArgs,
    CheckpointArgs,
    InferencePoolArgs,
    ReservationArgs,
    SystemPoolArgs,
    TrainingPoolArgs,
)
from gpulanes.resources.pools import BatchPool, InferencePool, LanePool, SystemPool, TrainingPool
from gpulanes.resources.storage import StorageTiers, StorageTiersArgs

__all__ = [
    "ArgumentsError",
    "BatchPool",
    "BatchPoolArgs",
    "CheckpointArgs",
    "ClusterRef",
    "Connection",
    "GpuCluster",
    "GpuClusterArgs",
    "GpuFleet",
    "GpuFleetArgs",
    "InferencePool",
    "InferencePoolArgs",
    "LanePool",
    "ReservationArgs",
    "StorageTiers",
    "StorageTiersArgs",
    "SystemPool",
    "SystemPoolArgs",
    "TrainingPool",
    "TrainingPoolArgs",
    "connection",
    "existing_cluster",
]
