"""Placement group: moto has none, so it lives in the emulator's own store."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.naming import identifier
from gpulanes_lab.aws.services.calls import sources
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import REGION, TAGS, Autoname, Failure, Found, Refused, Resource, computed, immutable
from gpulanes_lab.aws.values import UNKNOWN, Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: EC2 CreatePlacementGroup, "The number of partitions. Valid only when Strategy is partition"; EC2 user guide,
# at most seven partitions per Availability Zone.
_MOST_PARTITIONS: Final = 7
STORE: Final = "ec2-placement-group"

_FIELDS: Final = (
    immutable("name", api="GroupName", chosen=True),
    immutable("strategy", required=True),
    immutable("partitionCount", "integer", chosen=True),
    immutable("spreadLevel", chosen=True),
    REGION,
    *TAGS,
    computed("arn", api="GroupArn"),
    computed("placementGroupId", api="GroupId"),
)


def _check(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    strategy, count = inputs.get("strategy"), inputs.get("partitionCount")
    if strategy is UNKNOWN:
        return
    if count not in (None, 0, UNKNOWN):
        if strategy != "partition":
            yield Failure("partitionCount", f"only a partition strategy has partitions, not {strategy}")
        elif not 1 <= count <= _MOST_PARTITIONS:
            yield Failure("partitionCount", f"{count}: 1 to {_MOST_PARTITIONS}")
    if inputs.get("spreadLevel") and strategy != "spread":
        yield Failure("spreadLevel", f"only a spread strategy has a spread level, not {strategy}")


def _key(cloud: "Cloud", name: str) -> str:
    return f"{cloud.region}:{name}"


def _create(cloud: "Cloud", inputs: Document) -> str:
    name: str = inputs["name"]
    if cloud.store.get(STORE, _key(cloud, name)):
        message = f"InvalidPlacementGroup.Duplicate: The Placement Group '{name}' already exists"
        raise Refused(message)
    described = to_api(_FIELDS, inputs) | {
        "GroupId": identifier("pg"),
        "GroupArn": cloud.arn("ec2", f"placement-group/{name}"),
        "State": "available",
        "Tags": inputs.get("tagsAll") or {},
    }
    if inputs["strategy"] == "spread":
        described.setdefault("SpreadLevel", "rack")
    if inputs["strategy"] == "partition":
        described.setdefault("PartitionCount", 2)
    cloud.store.put(STORE, _key(cloud, name), described)
    return name


def _read(cloud: "Cloud", name: str, _known: Document) -> Found | None:
    described = cloud.store.get(STORE, _key(cloud, name))
    return None if described is None else Found(name, from_api(_FIELDS, described) | {"tagsAll": described["Tags"]})


def _update(cloud: "Cloud", name: str, _old: Document, new: Document) -> None:
    cloud.store.change(STORE, _key(cloud, name), lambda was: was | {"Tags": new.get("tagsAll") or {}})


def _delete(cloud: "Cloud", name: str, _state: Document) -> None:
    cloud.store.delete(STORE, _key(cloud, name))


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:ec2/placementGroup:PlacementGroup",
        fields=_FIELDS,
        sources=sources("aws_placement_group", "EC2 CreateTags and DeleteTags"),
        request=("ec2", "CreatePlacementGroup"),
        autoname=Autoname(field="name", limit=255),
        identity=("name",),
        checks=(_check,),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
