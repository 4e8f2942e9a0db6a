"""EventBridge rule and target."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.naming import identifier
from gpulanes_lab.aws.services.calls import found, gone, sources
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import (
    REGION,
    TAGS,
    Autoname,
    Failure,
    Found,
    Resource,
    computed,
    immutable,
    mutable,
    switch,
)
from gpulanes_lab.aws.tagging import changes, listed, mapped
from gpulanes_lab.aws.values import UNKNOWN, Document, at

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

_DEFAULT_BUS: Final = "default"

_RULE: Final = (
    immutable("name", chosen=True),
    immutable("namePrefix", api=""),
    immutable("eventBusName", default=_DEFAULT_BUS),
    mutable("description"),
    mutable("eventPattern", "json"),
    mutable("scheduleExpression"),
    mutable("roleArn"),
    mutable("state", default="ENABLED"),
    switch("forceDestroy", default=False),
    REGION,
    *TAGS,
    computed("arn"),
)
_DEAD_LETTER: Final = (mutable("arn"),)
_RETRY: Final = (mutable("maximumEventAgeInSeconds", "integer"), mutable("maximumRetryAttempts", "integer"))
_TRANSFORMER: Final = (mutable("inputPaths", "map", api="InputPathsMap"), mutable("inputTemplate", required=True))
_TARGET_SHAPE: Final = (
    immutable("targetId", api="Id", chosen=True),
    mutable("arn", required=True),
    mutable("deadLetterConfig", "block", fields=_DEAD_LETTER),
    mutable("input"),
    mutable("inputPath"),
    mutable("inputTransformer", "block", fields=_TRANSFORMER),
    mutable("retryPolicy", "block", fields=_RETRY),
    mutable("roleArn"),
    mutable("sqsTarget", "block", api="SqsParameters", fields=(mutable("messageGroupId"),)),
)
_TARGET: Final = (
    immutable("rule", required=True),
    immutable("eventBusName", default=_DEFAULT_BUS),
    *_TARGET_SHAPE,
    switch("forceDestroy", default=False),
    REGION,
)


def _check_rule(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    pattern, schedule = inputs.get("eventPattern"), inputs.get("scheduleExpression")
    if not pattern and not schedule:
        yield Failure("eventPattern", "one of eventPattern and scheduleExpression is required")
    if schedule and inputs.get("eventBusName") not in (_DEFAULT_BUS, UNKNOWN):
        yield Failure("scheduleExpression", "is only supported on the default event bus")
    if isinstance(pattern, str) and pattern:
        yield from _pattern_failures(pattern)


def _pattern_failures(pattern: str) -> Iterator[Failure]:
    try:
        parsed = json.loads(pattern)
    except ValueError as error:
        yield Failure("eventPattern", f"InvalidEventPatternException: not JSON: {error}")
        return
    if not isinstance(parsed, dict) or not parsed:
        yield Failure("eventPattern", "InvalidEventPatternException: an object with at least one field")
        return
    for name, value in parsed.items():
        if not isinstance(value, dict | list):
            yield Failure("eventPattern", f"InvalidEventPatternException: {name!r} must be an object or an array")


def _rule_shape(request: Document) -> Document:
    return {"Name": "named"} | request


def _rule_id(bus: str, name: str) -> str:
    return name if bus == _DEFAULT_BUS else f"{bus}/{name}"


def _rule_of(resource_id: str) -> dict[str, str]:
    bus, _, name = resource_id.rpartition("/")
    return {"Name": name, "EventBusName": bus or _DEFAULT_BUS}


def _create_rule(cloud: "Cloud", inputs: Document) -> str:
    cloud.client("events").put_rule(**to_api(_RULE, inputs), Tags=listed(inputs["tagsAll"]))
    return _rule_id(inputs["eventBusName"], inputs["name"])


def _read_rule(cloud: "Cloud", resource_id: str, _known: Document) -> Found | None:
    events = cloud.client("events")
    rule = found(events.describe_rule, **_rule_of(resource_id))
    if rule is None:
        return None
    tags = events.list_tags_for_resource(ResourceARN=rule["Arn"])["Tags"]
    return Found(resource_id, from_api(_RULE, rule) | {"tagsAll": mapped(tags)})


def _update_rule(cloud: "Cloud", _resource_id: str, old: Document, new: Document) -> None:
    events = cloud.client("events")
    events.put_rule(**to_api(_RULE, {name: value for name, value in new.items() if name != "tags"}))
    put, removed = changes(old, new)
    if put:
        events.tag_resource(ResourceARN=old["arn"], Tags=listed(put))
    if removed:
        events.untag_resource(ResourceARN=old["arn"], TagKeys=removed)


def _delete_rule(cloud: "Cloud", resource_id: str, state: Document) -> None:
    events, rule = cloud.client("events"), _rule_of(resource_id)
    if state.get("forceDestroy"):
        target = {"Rule": rule["Name"], "EventBusName": rule["EventBusName"]}
        answer = found(events.list_targets_by_rule, **target)
        if answer and answer["Targets"]:
            events.remove_targets(**target, Ids=[one["Id"] for one in answer["Targets"]])
    gone(events.delete_rule, **rule)


def _check_target(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    given = [name for name in ("input", "inputPath", "inputTransformer") if inputs.get(name) is not None]
    if len(given) > 1:
        yield Failure(given[1], f"conflicts with {given[0]}")
    fifo = isinstance(inputs.get("arn"), str) and inputs["arn"].endswith(".fifo")
    if fifo and not at(inputs, "sqsTarget.messageGroupId"):
        yield Failure("sqsTarget.messageGroupId", "is required for a FIFO queue")


def _target_shape(request: Document) -> Document:
    """Return a PutTargets request: the target in a list, with an id."""
    named = {name: request[name] for name in ("Rule", "EventBusName") if name in request}
    target = {name: value for name, value in request.items() if name not in named}
    return named | {"Targets": [{"Id": "target"} | target]}


def _put_target(cloud: "Cloud", inputs: Document) -> str:
    bus, rule = inputs["eventBusName"], inputs["rule"]
    answer = cloud.client("events").put_targets(**_target_shape(to_api(_TARGET, inputs)))
    if answer["FailedEntryCount"]:
        message = f"putting target: {answer['FailedEntries']}"
        raise RuntimeError(message)
    return f"{_rule_id(bus, rule)}-{inputs['targetId']}"


def _create_target(cloud: "Cloud", inputs: Document) -> str:
    return _put_target(cloud, {"targetId": identifier("terraform")} | inputs)


def _target_named(cloud: "Cloud", bus: str, rule: str) -> list[dict[str, Any]]:
    answer = found(cloud.client("events").list_targets_by_rule, Rule=rule, EventBusName=bus)
    return answer["Targets"] if answer else []


def _read_target(cloud: "Cloud", resource_id: str, known: Document) -> Found | None:
    """Read a target; an import names it ``RULE/TARGET`` or ``BUS/RULE/TARGET``."""
    if known.get("rule"):
        bus, rule = known.get("eventBusName", _DEFAULT_BUS), known["rule"]
        target_id = resource_id.removeprefix(f"{_rule_id(bus, rule)}-")
    else:
        place, _, target_id = resource_id.rpartition("/")
        bus, rule = _rule_of(place)["EventBusName"], _rule_of(place)["Name"]
    for target in _target_named(cloud, bus, rule):
        if target["Id"] == target_id:
            outputs = from_api(_TARGET_SHAPE, target) | {"rule": rule, "eventBusName": bus}
            return Found(f"{_rule_id(bus, rule)}-{target_id}", outputs)
    return None


def _update_target(cloud: "Cloud", _resource_id: str, old: Document, new: Document) -> None:
    _put_target(cloud, {"targetId": old["targetId"]} | new)


def _delete_target(cloud: "Cloud", _resource_id: str, state: Document) -> None:
    place = {"Rule": state["rule"], "EventBusName": state.get("eventBusName", _DEFAULT_BUS)}
    gone(cloud.client("events").remove_targets, **place, Ids=[state["targetId"]])


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:cloudwatch/eventRule:EventRule",
        fields=_RULE,
        sources=sources("aws_cloudwatch_event_rule", "EventBridge PutRule"),
        request=("events", "PutRule"),
        shape=_rule_shape,
        autoname=Autoname(field="name", limit=64, prefix="namePrefix"),
        identity=("eventBusName", "name"),
        checks=(_check_rule,),
        create=_create_rule,
        read=_read_rule,
        update=_update_rule,
        delete=_delete_rule,
    ),
    Resource(
        type="aws:cloudwatch/eventTarget:EventTarget",
        fields=_TARGET,
        sources=sources("aws_cloudwatch_event_target", "EventBridge PutTargets"),
        request=("events", "PutTargets"),
        shape=_target_shape,
        envelope=("Targets", 0),
        checks=(_check_target,),
        create=_create_target,
        read=_read_target,
        update=_update_target,
        delete=_delete_target,
    ),
)
