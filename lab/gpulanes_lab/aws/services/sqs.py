"""SQS queue and queue policy."""

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.services.calls import found, gone, sources
from gpulanes_lab.aws.services.iam import policy_failures
from gpulanes_lab.aws.table import (
    REGION,
    TAGS,
    Autoname,
    Failure,
    Field,
    Found,
    Resource,
    computed,
    immutable,
    mutable,
)
from gpulanes_lab.aws.tagging import changes
from gpulanes_lab.aws.values import Document, Plain

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: SQS CreateQueue, QueueName and Attributes.
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")
_NAME_LIMIT: Final = 80
_BOUNDS: Final = {
    "delaySeconds": (0, 900),
    "kmsDataKeyReusePeriodSeconds": (60, 86400),
    "maxMessageSize": (1024, 1048576),
    "messageRetentionSeconds": (60, 1209600),
    "receiveWaitTimeSeconds": (0, 20),
    "visibilityTimeoutSeconds": (0, 43200),
}
_POLICY: Final = 8192

_ATTRIBUTES: Final[tuple[Field, ...]] = (
    mutable("contentBasedDeduplication", "boolean", api="ContentBasedDeduplication"),
    mutable("deduplicationScope", chosen=True),
    mutable("delaySeconds", "integer", default=0),
    immutable("fifoQueue", "boolean", default=False),
    mutable("fifoThroughputLimit", chosen=True),
    mutable("kmsDataKeyReusePeriodSeconds", "integer", chosen=True),
    mutable("kmsMasterKeyId"),
    mutable("maxMessageSize", "integer", api="MaximumMessageSize", chosen=True),
    mutable("messageRetentionSeconds", "integer", api="MessageRetentionPeriod", default=345600),
    mutable("policy", "json", chosen=True),
    mutable("receiveWaitTimeSeconds", "integer", api="ReceiveMessageWaitTimeSeconds", default=0),
    mutable("redriveAllowPolicy", "json", chosen=True),
    mutable("redrivePolicy", "json", chosen=True),
    mutable("sqsManagedSseEnabled", "boolean", chosen=True),
    mutable("visibilityTimeoutSeconds", "integer", api="VisibilityTimeout", default=30),
)
_QUEUE: Final = (
    immutable("name", chosen=True),
    immutable("namePrefix", api=""),
    *_ATTRIBUTES,
    REGION,
    *TAGS,
    computed("arn", api="QueueArn"),
    computed("url", api=""),
)
_QUEUE_POLICY: Final = (
    immutable("queueUrl", required=True),
    mutable("policy", "json", required=True),
    REGION,
)


def _member(one: Field) -> str:
    return one.api or one.name[0].upper() + one.name[1:]


def _attributes(values: Document) -> dict[str, str]:
    """Return attributes as the texts that SQS takes."""
    given = {_member(one): (one.kind, values[one.name]) for one in _ATTRIBUTES if values.get(one.name) is not None}
    texts = {name: str(value).lower() if kind == "boolean" else str(value) for name, (kind, value) in given.items()}
    if texts.get("FifoQueue") == "false":
        del texts["FifoQueue"]
    return texts


def _parsed(one: Field, text: str) -> Plain:
    if one.kind == "integer":
        return int(text)
    return text == "true" if one.kind == "boolean" else text


def _outputs(attributes: dict[str, str]) -> Document:
    outputs: Document = {"fifoQueue": False}
    for one in _ATTRIBUTES:
        text = attributes.get(_member(one))
        if text is not None:
            outputs[one.name] = _parsed(one, text)
    return outputs


def _check(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    for name, (low, high) in _BOUNDS.items():
        value = inputs.get(name)
        if isinstance(value, int) and not low <= value <= high:
            yield Failure(name, f"{value}: {low} to {high}")
    if inputs.get("kmsMasterKeyId") and inputs.get("sqsManagedSseEnabled") is True:
        yield Failure("sqsManagedSseEnabled", "conflicts with kmsMasterKeyId")


def _check_fifo(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    queue, fifo = inputs.get("name"), inputs.get("fifoQueue")
    if isinstance(queue, str):
        stem = queue.removesuffix(".fifo") if fifo else queue
        if not _NAME.fullmatch(stem) or len(queue) > _NAME_LIMIT:
            yield Failure("name", f"{queue!r}: at most {_NAME_LIMIT} letters, digits, - and _ (and .fifo for FIFO)")
        if fifo is True and not queue.endswith(".fifo"):
            yield Failure("name", f"{queue!r}: the name of a FIFO queue ends in .fifo")
    for name in ("contentBasedDeduplication", "deduplicationScope", "fifoThroughputLimit"):
        if inputs.get(name) and fifo is False:
            yield Failure(name, "is only for FIFO queues")


def _check_policies(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    yield from policy_failures("policy", inputs.get("policy"), _POLICY)
    for name in ("redrivePolicy", "redriveAllowPolicy"):
        text = inputs.get(name)
        if isinstance(text, str):
            try:
                json.loads(text)
            except ValueError as error:
                yield Failure(name, f"is not JSON: {error}")


def _create(cloud: "Cloud", inputs: Document) -> str:
    # SQS answers with the queue that exists when all its attributes are the same, and refuses when one is not.
    arguments: dict[str, Any] = {"QueueName": inputs["name"], "Attributes": _attributes(inputs)}
    url: str = cloud.client("sqs").create_queue(**arguments, tags=inputs["tagsAll"])["QueueUrl"]
    return url


def _read(cloud: "Cloud", url: str, _known: Document) -> Found | None:
    sqs = cloud.client("sqs")
    answer = found(sqs.get_queue_attributes, QueueUrl=url, AttributeNames=["All"])
    if answer is None:
        return None
    attributes = answer["Attributes"]
    outputs = _outputs(attributes) | {
        "name": url.rsplit("/", 1)[-1],
        "arn": attributes["QueueArn"],
        "url": url,
        "tagsAll": sqs.list_queue_tags(QueueUrl=url).get("Tags", {}),
    }
    return Found(url, outputs)


def _update(cloud: "Cloud", url: str, old: Document, new: Document) -> None:
    sqs = cloud.client("sqs")
    before, after = _attributes(old), _attributes(new)
    changed = {name: value for name, value in after.items() if before.get(name) != value}
    dropped = [one for one in _ATTRIBUTES if not one.chosen and one.name in old and one.name not in new]
    changed |= {_member(one): "" for one in dropped if one.kind == "string"}
    if changed:
        sqs.set_queue_attributes(QueueUrl=url, Attributes=changed)
    put, removed = changes(old, new)
    if put:
        sqs.tag_queue(QueueUrl=url, Tags=put)
    if removed:
        sqs.untag_queue(QueueUrl=url, TagKeys=removed)


def _delete(cloud: "Cloud", url: str, _state: Document) -> None:
    gone(cloud.client("sqs").delete_queue, QueueUrl=url)


def _put_policy(cloud: "Cloud", inputs: Document) -> str:
    url: str = inputs["queueUrl"]
    cloud.client("sqs").set_queue_attributes(QueueUrl=url, Attributes={"Policy": inputs["policy"]})
    return url


def _read_policy(cloud: "Cloud", url: str, _known: Document) -> Found | None:
    answer = found(cloud.client("sqs").get_queue_attributes, QueueUrl=url, AttributeNames=["Policy"])
    policy = answer.get("Attributes", {}).get("Policy") if answer else None
    return Found(url, {"queueUrl": url, "policy": policy}) if policy else None


def _update_policy(cloud: "Cloud", _url: str, _old: Document, new: Document) -> None:
    _put_policy(cloud, new)


def _delete_policy(cloud: "Cloud", url: str, _state: Document) -> None:
    gone(cloud.client("sqs").set_queue_attributes, QueueUrl=url, Attributes={"Policy": ""})


def _check_queue_policy(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    yield from policy_failures("policy", inputs.get("policy"), _POLICY)


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:sqs/queue:Queue",
        fields=_QUEUE,
        sources=sources("aws_sqs_queue", "SQS SetQueueAttributes"),
        autoname=Autoname(
            field="name",
            limit=_NAME_LIMIT,
            prefix="namePrefix",
            suffix=lambda inputs: ".fifo" if inputs.get("fifoQueue") is True else "",
        ),
        identity=("name",),
        checks=(_check, _check_fifo, _check_policies),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
    Resource(
        type="aws:sqs/queuePolicy:QueuePolicy",
        fields=_QUEUE_POLICY,
        sources=sources("aws_sqs_queue_policy", "SQS SetQueueAttributes"),
        identity=("queueUrl",),
        checks=(_check_queue_policy,),
        create=_put_policy,
        read=_read_policy,
        update=_update_policy,
        delete=_delete_policy,
    ),
)
