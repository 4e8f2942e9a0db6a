"""What exists, lane by lane: asked from the cloud's API and the API server, not from Pulumi's state."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from gpulanes_lab.environment import REGION
from gpulanes_lab.lab import Lab

LANE_KEY = "workload"
_ORDER = ("inference", "training", "batch", "system")
_SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Thing:
    """One object that exists: its lane, its kind, its name, and what matters about it."""

    lane: str
    kind: str
    name: str
    about: str


def things(lab: Lab) -> list[Thing]:
    """Everything that carries a lane, in the order of lanes."""
    found = [*_node_groups(lab), *_kubernetes(lab), *_file_systems(lab), *_buckets(lab)]
    rank = {lane: position for position, lane in enumerate(_ORDER)}
    return sorted(found, key=lambda thing: rank.get(thing.lane, len(rank)))


def table(found: list[Thing]) -> Table:
    """Show them under their lanes."""
    shown = Table(box=None, pad_edge=False, show_header=False)
    shown.add_column(no_wrap=True)
    shown.add_column(no_wrap=True, overflow="ellipsis", max_width=27)
    shown.add_column(overflow="fold")
    lane = ""
    for thing in found:
        if thing.lane != lane:
            lane = thing.lane
            shown.add_row(f"[bold]{lane.upper()}[/]")
        shown.add_row(f"  {thing.kind}", thing.name, thing.about)
    return shown


def _client(lab: Lab, service: str) -> Any:  # noqa: ANN401  boto3's clients have no types
    import boto3

    # Path-style addresses: a bucket's own host name would leave loopback.
    from botocore.config import Config

    return boto3.client(
        service,
        region_name=REGION,
        endpoint_url=lab.aws_endpoint,
        aws_access_key_id="lab",
        aws_secret_access_key="lab",  # noqa: S106  the emulator takes any
        config=Config(s3={"addressing_style": "path"}),
    )


def _node_groups(lab: Lab) -> Iterator[Thing]:
    eks = _client(lab, "eks")
    for cluster in eks.list_clusters()["clusters"]:
        for name in eks.list_nodegroups(clusterName=cluster)["nodegroups"]:
            group = eks.describe_nodegroup(clusterName=cluster, nodegroupName=name)["nodegroup"]
            size = group["scalingConfig"]
            market = group["capacityType"].lower().replace("_", "-")
            least, most = size["minSize"], size["maxSize"]
            count = f"{least}" if least == most else f"{least}-{most}"
            about = f"{count} {market} nodes, {len(group['subnets'])} zones"
            yield Thing(_lane(group.get("tags", {})), "node group", name, about)


def _kubernetes(lab: Lab) -> Iterator[Thing]:
    for kind, path, describe in _KINDS:
        for item in lab.kube.get(path, labelSelector=LANE_KEY)["items"]:
            meta = item["metadata"]
            yield Thing(_lane(meta["labels"]), kind, meta["name"], describe(item))


def _file_systems(lab: Lab) -> Iterator[Thing]:
    for system in _client(lab, "fsx").describe_file_systems()["FileSystems"]:
        tags = _pairs(system["Tags"])
        kind = system["FileSystemType"].title()
        yield Thing(_lane(tags), kind, tags.get("Name", system["FileSystemId"]), f"{system['StorageCapacity']:,} GiB")


def _buckets(lab: Lab) -> Iterator[Thing]:
    s3 = _client(lab, "s3")
    for bucket in s3.list_buckets()["Buckets"]:
        name = bucket["Name"]
        tags = _pairs(s3.get_bucket_tagging(Bucket=name)["TagSet"])
        versioned = s3.get_bucket_versioning(Bucket=name).get("Status", "Disabled")
        yield Thing(_lane(tags), "bucket", name, f"versioning {versioned.lower()}")


def _pairs(tags: list[dict[str, str]]) -> dict[str, str]:
    return {tag["Key"]: tag["Value"] for tag in tags}


def _lane(labels: dict[str, str]) -> str:
    return labels.get(LANE_KEY, _SHARED)


def _node_pool(item: dict[str, Any]) -> str:
    needs = {need["key"]: need.get("values", []) for need in item["spec"]["template"]["spec"]["requirements"]}
    market = " or ".join(needs.get("karpenter.sh/capacity-type", []))
    limits = item["spec"].get("limits", {})
    return f"0-{limits.get('nodes', '?')} {market} nodes, {limits.get('nvidia.com/gpu', '?')} GPUs"


def _queue(item: dict[str, Any]) -> str:
    return f"cohort {item['spec']['cohortName']}" if item["spec"].get("cohortName") else "alone"


_KINDS = (
    ("NodePool", "/apis/karpenter.sh/v1/nodepools", _node_pool),
    ("PriorityClass", "/apis/scheduling.k8s.io/v1/priorityclasses", lambda item: f"value {item['value']:,}"),
    (
        "PodDisruptionBudget",
        "/apis/policy/v1/poddisruptionbudgets",
        lambda item: f"at most {item['spec']['maxUnavailable']} unavailable",
    ),
    ("ClusterQueue", "/apis/kueue.x-k8s.io/v1beta2/clusterqueues", _queue),
)
