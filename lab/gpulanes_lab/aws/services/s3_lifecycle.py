"""S3 lifecycle configuration: moto keeps the rules but drops size filters and version counts, which the store keeps."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.services.calls import found, gone, sources
from gpulanes_lab.aws.services.s3_settings import bucket_of, must_have_bucket, setting_id
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import REGION, Failure, Found, Resource, immutable, mutable
from gpulanes_lab.aws.values import UNKNOWN, Document, Plain, at

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

_STORE: Final = "s3-lifecycle"
# Source: S3 user guide, lifecycle transition constraints.
_INFREQUENT: Final = frozenset({"STANDARD_IA", "ONEZONE_IA"})
_INFREQUENT_DAYS: Final = 30
_ACTIONS: Final = (
    "abortIncompleteMultipartUpload",
    "expiration",
    "noncurrentVersionExpiration",
    "noncurrentVersionTransitions",
    "transitions",
)

_AND: Final = (
    mutable("objectSizeGreaterThan", "integer"),
    mutable("objectSizeLessThan", "integer"),
    mutable("prefix"),
    mutable("tags", "tags"),
)
_TAG: Final = (mutable("key", required=True), mutable("value", required=True))
_FILTER: Final = (
    mutable("and", "block", fields=_AND),
    mutable("objectSizeGreaterThan", "integer"),
    mutable("objectSizeLessThan", "integer"),
    mutable("prefix"),
    mutable("tag", "block", fields=_TAG),
)
_EXPIRATION: Final = (
    mutable("date"),
    mutable("days", "integer"),
    mutable("expiredObjectDeleteMarker", "boolean"),
)
_TRANSITION: Final = (mutable("date"), mutable("days", "integer"), mutable("storageClass", required=True))
_OLD: Final = (mutable("newerNoncurrentVersions", "integer"), mutable("noncurrentDays", "integer", required=True))
_RULE: Final = (
    mutable("id", api="ID", required=True),
    mutable("status", required=True),
    mutable("filter", "block", fields=_FILTER, chosen=True),
    mutable("prefix"),
    mutable(
        "abortIncompleteMultipartUpload",
        "block",
        fields=(mutable("daysAfterInitiation", "integer"),),
    ),
    mutable("expiration", "block", fields=_EXPIRATION),
    mutable("noncurrentVersionExpiration", "block", fields=_OLD),
    mutable(
        "noncurrentVersionTransitions",
        "blocks",
        unordered=True,
        fields=(*_OLD, mutable("storageClass", required=True)),
    ),
    mutable("transitions", "blocks", fields=_TRANSITION, unordered=True),
)
_FIELDS: Final = (
    immutable("bucket", required=True),
    immutable("expectedBucketOwner", api=""),
    mutable("rules", "blocks", required=True, fields=_RULE),
    mutable("transitionDefaultMinimumObjectSize", chosen=True, api=""),
    REGION,
)


def _check(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    rules = inputs.get("rules")
    seen: set[Plain] = set()
    for index, rule in enumerate(rules if isinstance(rules, list) else []):
        if not isinstance(rule, dict):
            continue
        name = rule.get("id")
        if name is not UNKNOWN and name in seen:
            yield Failure(f"rules[{index}].id", f"{name!r} is given twice")
        seen.add(name)
        yield from (Failure(f"rules[{index}].{path}", reason) for path, reason in _rule_reasons(rule))


def _rule_reasons(rule: Document) -> Iterator[tuple[str, str]]:
    if not any(rule.get(name) for name in _ACTIONS):
        yield "status", "a rule needs at least one action (InvalidRequest)"
    if rule.get("filter") and rule.get("prefix") is not None:
        yield "prefix", "conflicts with filter"
    chosen = [name for name, value in (rule.get("filter") or {}).items() if value is not None]
    if len(chosen) > 1:
        yield "filter", f"takes one of and, prefix, tag and the sizes, not {', '.join(chosen)}: combine them in and"
    if rule.get("abortIncompleteMultipartUpload") and (at(rule, "filter.tag") or at(rule, "filter.and.tags")):
        yield "abortIncompleteMultipartUpload", "cannot be used with a tag filter"
    yield from _expiration_reasons(rule)
    yield from _transition_reasons(rule)


def _expiration_reasons(rule: Document) -> Iterator[tuple[str, str]]:
    given = [name for name in ("date", "days", "expiredObjectDeleteMarker") if at(rule, f"expiration.{name}")]
    if rule.get("expiration") is not None and rule["expiration"] is not UNKNOWN and len(given) != 1:
        yield "expiration", "takes exactly one of date, days and expiredObjectDeleteMarker"


def _transition_reasons(rule: Document) -> Iterator[tuple[str, str]]:
    transitions = rule.get("transitions")
    expires = at(rule, "expiration.days")
    for index, one in enumerate(transitions if isinstance(transitions, list) else []):
        days, kind = at(one, "days"), at(one, "storageClass")
        if not isinstance(days, int):
            continue
        if kind in _INFREQUENT and days < _INFREQUENT_DAYS:
            reason = f"{days}: objects move to {kind} after at least {_INFREQUENT_DAYS} days (InvalidArgument)"
            yield f"transitions[{index}].days", reason
        if isinstance(expires, int) and expires <= days:
            yield "expiration.days", f"{expires} must be greater than the transition's {days} (InvalidArgument)"


def _shape(request: Document) -> Document:
    return {"Bucket": request["Bucket"], "LifecycleConfiguration": {"Rules": _complete(request["Rules"])}}


def _complete(rules: Plain) -> Plain:
    """Give every rule the filter that S3 wants: Terraform sends an empty prefix."""
    if rules is UNKNOWN:
        return rules
    return [
        one if one is UNKNOWN or "Filter" in one or "Prefix" in one else one | {"Filter": {"Prefix": ""}}
        for one in rules
    ]


def _put(cloud: "Cloud", inputs: Document) -> str:
    bucket, s3 = inputs["bucket"], cloud.client("s3")
    must_have_bucket(cloud, bucket)
    rules = _complete(to_api(_FIELDS, inputs)["Rules"])
    size = inputs.get("transitionDefaultMinimumObjectSize", "all_storage_classes_128K")
    s3.put_bucket_lifecycle_configuration(
        Bucket=bucket,
        LifecycleConfiguration={"Rules": rules},
        TransitionDefaultMinimumObjectSize=size,
    )
    kept = {"asked": rules, "size": size, "answered": _rules(cloud, bucket)}
    cloud.store.put(_STORE, bucket, kept)
    return setting_id(inputs)


def _rules(cloud: "Cloud", bucket: str) -> Plain:
    answer = found(cloud.client("s3").get_bucket_lifecycle_configuration, Bucket=bucket)
    return None if answer is None else [_texts(one) for one in answer["Rules"]]


def _texts(value: Plain) -> Plain:
    """Return a description with its dates as texts."""
    if isinstance(value, dict):
        return {name: _texts(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_texts(item) for item in value]
    return value.strftime("%Y-%m-%dT%H:%M:%SZ") if hasattr(value, "strftime") else value


def _read(cloud: "Cloud", resource_id: str, _known: Document) -> Found | None:
    bucket, _, owner = resource_id.partition(",")
    rules = _rules(cloud, bucket)
    if rules is None:
        return None
    kept = cloud.store.get(_STORE, bucket) or {}
    # While moto still answers what it answered then, what was asked then still stands, dropped members included.
    if kept.get("answered") == rules:
        rules = kept["asked"]
    outputs = from_api(_FIELDS, {"Bucket": bucket, "Rules": rules}) | {
        "transitionDefaultMinimumObjectSize": kept.get("size", "all_storage_classes_128K"),
    }
    return Found(resource_id, outputs | ({"expectedBucketOwner": owner} if owner else {}))


def _update(cloud: "Cloud", _resource_id: str, _old: Document, new: Document) -> None:
    _put(cloud, new)


def _delete(cloud: "Cloud", resource_id: str, _state: Document) -> None:
    gone(cloud.client("s3").delete_bucket_lifecycle, Bucket=bucket_of(resource_id))
    cloud.store.delete(_STORE, bucket_of(resource_id))


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration",
        fields=_FIELDS,
        sources=sources("aws_s3_bucket_lifecycle_configuration", "S3 PutBucketLifecycleConfiguration"),
        request=("s3", "PutBucketLifecycleConfiguration"),
        shape=_shape,
        envelope=("LifecycleConfiguration",),
        identity=("bucket",),
        checks=(_check,),
        create=_put,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
