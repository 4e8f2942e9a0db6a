"""S3 bucket."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.services.calls import found, gone, sources
from gpulanes_lab.aws.table import (
    REGION,
    TAGS,
    Autoname,
    Failure,
    Found,
    Refused,
    Resource,
    computed,
    immutable,
    switch,
)
from gpulanes_lab.aws.tagging import listed, mapped
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: S3 user guide, general purpose bucket naming rules.
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]{1,61})[a-z0-9]")
_PREFIXES: Final = ("xn--", "sthree-", "amzn-s3-demo-")
_SUFFIXES: Final = ("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3")
# Source: AWS General Reference, S3 website endpoints: hosted zone of us-east-1.
_ZONE: Final = "Z3AQBSTGFYJSTF"
_NO_LOCATION: Final = "us-east-1"

_FIELDS: Final = (
    immutable("bucket", chosen=True),
    immutable("bucketPrefix", api=""),
    immutable("objectLockEnabled", "boolean", chosen=True),
    switch("forceDestroy", default=False),
    REGION,
    *TAGS,
    computed("arn", api=""),
    computed("bucketDomainName", api=""),
    computed("bucketRegion", api=""),
    computed("bucketRegionalDomainName", api=""),
    computed("hostedZoneId", api=""),
)


def _check_name(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    name = inputs.get("bucket")
    if not isinstance(name, str):
        return
    if not _NAME.fullmatch(name) or ".." in name:
        yield Failure("bucket", f"{name!r}: 3 to 63 lowercase letters, digits, dots and hyphens (InvalidBucketName)")
    elif name.startswith(_PREFIXES) or name.endswith(_SUFFIXES) or _address(name):
        yield Failure("bucket", f"{name!r} has a reserved form (InvalidBucketName)")


def _address(name: str) -> bool:
    try:
        IPv4Address(name)
    except ValueError:
        return False
    return True


def _create(cloud: "Cloud", inputs: Document) -> str:
    s3, name = cloud.client("s3"), inputs["bucket"]
    # In us-east-1 S3 answers a second creation by its owner with success; Terraform asks first.
    if found(s3.head_bucket, Bucket=name) is not None:
        message = f"BucketAlreadyExists: {name}"
        raise Refused(message)
    arguments: dict[str, Any] = {"Bucket": name}
    if cloud.region != _NO_LOCATION:
        arguments["CreateBucketConfiguration"] = {"LocationConstraint": cloud.region}
    if inputs.get("objectLockEnabled"):
        arguments["ObjectLockEnabledForBucket"] = True
    s3.create_bucket(**arguments)
    _tag(cloud, name, inputs)
    return str(name)


def _tag(cloud: "Cloud", name: str, inputs: Document) -> None:
    s3, tags = cloud.client("s3"), listed(inputs.get("tagsAll"))
    if tags:
        s3.put_bucket_tagging(Bucket=name, Tagging={"TagSet": tags})
    else:
        s3.delete_bucket_tagging(Bucket=name)


def _read(cloud: "Cloud", name: str, _known: Document) -> Found | None:
    s3 = cloud.client("s3")
    head = found(s3.head_bucket, Bucket=name)
    if head is None:
        return None
    tags = found(s3.get_bucket_tagging, Bucket=name) or {"TagSet": []}
    lock = found(s3.get_object_lock_configuration, Bucket=name)
    outputs: Document = {
        "bucket": name,
        "objectLockEnabled": bool(lock),
        "arn": f"arn:aws:s3:::{name}",
        "bucketDomainName": f"{name}.s3.amazonaws.com",
        "bucketRegion": head.get("BucketRegion", cloud.region),
        "bucketRegionalDomainName": f"{name}.s3.{cloud.region}.amazonaws.com",
        "hostedZoneId": _ZONE,
        "tagsAll": mapped(tags["TagSet"]),
    }
    return Found(name, outputs)


def _update(cloud: "Cloud", name: str, old: Document, new: Document) -> None:
    if old.get("tagsAll") != new.get("tagsAll"):
        _tag(cloud, name, new)


def _delete(cloud: "Cloud", name: str, state: Document) -> None:
    """Delete a bucket; S3 refuses one that holds anything unless forceDestroy empties it first."""
    s3 = cloud.client("s3")
    if state.get("forceDestroy") and found(s3.head_bucket, Bucket=name) is not None:
        listing = s3.list_object_versions(Bucket=name)
        for kind in ("Versions", "DeleteMarkers"):
            for one in listing.get(kind, []):
                s3.delete_object(Bucket=name, Key=one["Key"], VersionId=one["VersionId"])
    gone(s3.delete_bucket, Bucket=name)


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:s3/bucket:Bucket",
        fields=_FIELDS,
        sources=sources("aws_s3_bucket", "S3 PutBucketTagging"),
        autoname=Autoname(field="bucket", limit=63, prefix="bucketPrefix", lowercase=True),
        identity=("bucket",),
        checks=(_check_name,),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
