"""What every EC2 type shares: tags at creation, tags later, and finding one thing by its id."""

from typing import TYPE_CHECKING, Any

from gpulanes_lab.aws.table import Refused
from gpulanes_lab.aws.tagging import changes, listed
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud


def tag_specifications(kind: str, inputs: Document) -> list[dict[str, Any]]:
    """Return the TagSpecifications of a create call; empty without tags, as EC2 wants it."""
    tags = listed(inputs.get("tagsAll"))
    return [{"ResourceType": kind, "Tags": tags}] if tags else []


def update_tags(cloud: "Cloud", resource_id: str, old: Document, new: Document) -> None:
    """Set and remove tags so that the resource carries the new ``tagsAll``."""
    put, removed = changes(old, new)
    if put:
        cloud.client("ec2").create_tags(Resources=[resource_id], Tags=listed(put))
    if removed:
        cloud.client("ec2").delete_tags(Resources=[resource_id], Tags=[{"Key": key} for key in removed])


def one_of(cloud: "Cloud", operation: str, ids: str, answer: str, resource_id: str) -> dict[str, Any] | None:
    """Return the one thing that a describe call finds by its id, or None where EC2 says it is not there."""
    from botocore.exceptions import ClientError

    try:
        found = getattr(cloud.client("ec2"), operation)(**{ids: [resource_id]})[answer]
    except ClientError as error:
        if "NotFound" in error.response["Error"]["Code"]:
            return None
        raise
    return found[0] if found else None


def must_find(cloud: "Cloud", operation: str, ids: str, answer: str, resource_id: str) -> dict[str, Any]:
    """Return what :func:`one_of` finds.

    Raises:
        Refused: when there is no such thing.
    """
    found = one_of(cloud, operation, ids, answer, resource_id)
    if found is None:
        message = f"{ids[:-1]} {resource_id} does not exist"
        raise Refused(message)
    return found
