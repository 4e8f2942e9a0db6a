"""S3 bucket settings that are resources of their own: versioning, public access, encryption, policy."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.services.calls import found, gone, sources
from gpulanes_lab.aws.services.iam import policy_failures
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import REGION, Failure, Field, Found, Refused, Resource, immutable, mutable, switch
from gpulanes_lab.aws.values import Document, at

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: S3 user guide, bucket policies are limited to 20 KB.
_POLICY: Final = 20 * 1024

_BUCKET: Final = (immutable("bucket", required=True),)
_OWNED: Final = (*_BUCKET, immutable("expectedBucketOwner", api=""))
_STATUS: Final = (mutable("status", required=True), mutable("mfaDelete", api="MFADelete", chosen=True))
_VERSIONING: Final = (
    *_OWNED,
    mutable("versioningConfiguration", "block", required=True, fields=_STATUS),
    switch("mfa", "string"),
    REGION,
)
_PUBLIC_ACCESS: Final = (
    *_BUCKET,
    mutable("blockPublicAcls", "boolean", default=False),
    mutable("blockPublicPolicy", "boolean", default=False),
    mutable("ignorePublicAcls", "boolean", default=False),
    mutable("restrictPublicBuckets", "boolean", default=False),
    switch("skipDestroy"),
    REGION,
)
_BY_DEFAULT: Final = (
    mutable("sseAlgorithm", api="SSEAlgorithm", required=True),
    mutable("kmsMasterKeyId", api="KMSMasterKeyID"),
)
_RULE: Final = (
    mutable("applyServerSideEncryptionByDefault", "block", fields=_BY_DEFAULT),
    mutable("bucketKeyEnabled", "boolean", chosen=True),
)
_ENCRYPTION: Final = (
    *_OWNED,
    mutable("rules", "blocks", required=True, unordered=True, fields=_RULE),
    REGION,
)
_BUCKET_POLICY: Final = (*_BUCKET, mutable("policy", "json", required=True), REGION)


def bucket_of(resource_id: str) -> str:
    """Return the bucket of a setting's id, which may carry the expected owner after a comma."""
    return resource_id.partition(",")[0]


def setting_id(inputs: Document) -> str:
    """Return a setting's id: the bucket, and the expected owner where one is given."""
    owner = inputs.get("expectedBucketOwner")
    return f"{inputs['bucket']},{owner}" if owner else str(inputs["bucket"])


def must_have_bucket(cloud: "Cloud", name: str) -> None:
    """Check that a bucket exists.

    Raises:
        Refused: when it does not.
    """
    if found(cloud.client("s3").head_bucket, Bucket=name) is None:
        message = f"NoSuchBucket: {name}"
        raise Refused(message)


def _identified(resource_id: str, outputs: Document) -> Found:
    bucket, _, owner = resource_id.partition(",")
    return Found(resource_id, outputs | {"bucket": bucket} | ({"expectedBucketOwner": owner} if owner else {}))


def _without_bucket(fields: tuple[Field, ...], inputs: Document) -> Document:
    return to_api(fields, {name: value for name, value in inputs.items() if name not in ("bucket", "region")})


def _put_versioning(cloud: "Cloud", inputs: Document) -> str:
    must_have_bucket(cloud, inputs["bucket"])
    status = at(inputs, "versioningConfiguration.status")
    if status != "Disabled":
        configuration = to_api(_STATUS, inputs["versioningConfiguration"])
        cloud.client("s3").put_bucket_versioning(Bucket=inputs["bucket"], VersioningConfiguration=configuration)
    return setting_id(inputs)


def _read_versioning(cloud: "Cloud", resource_id: str, _known: Document) -> Found | None:
    answer = found(cloud.client("s3").get_bucket_versioning, Bucket=bucket_of(resource_id))
    if answer is None:
        return None
    configuration = {"status": "Disabled"} | from_api(_STATUS, answer)
    return _identified(resource_id, {"versioningConfiguration": configuration})


def _update_versioning(cloud: "Cloud", _resource_id: str, old: Document, new: Document) -> None:
    was = at(old, "versioningConfiguration.status")
    if at(new, "versioningConfiguration.status") == "Disabled" and was != "Disabled":
        message = "IllegalVersioningConfigurationException: versioning can be suspended, not disabled, once it was on"
        raise Refused(message)
    _put_versioning(cloud, new)


def _delete_versioning(cloud: "Cloud", resource_id: str, state: Document) -> None:
    if at(state, "versioningConfiguration.status") == "Enabled":
        suspended = {"Status": "Suspended"}
        gone(cloud.client("s3").put_bucket_versioning, Bucket=bucket_of(resource_id), VersioningConfiguration=suspended)


def _check_status(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    status = at(inputs, "versioningConfiguration.status")
    if isinstance(status, str) and status not in ("Enabled", "Suspended", "Disabled"):
        yield Failure("versioningConfiguration.status", f"{status!r} is not one of Enabled, Suspended, Disabled")


def _put_public_access(cloud: "Cloud", inputs: Document) -> str:
    must_have_bucket(cloud, inputs["bucket"])
    block = _without_bucket(_PUBLIC_ACCESS, inputs)
    cloud.client("s3").put_public_access_block(Bucket=inputs["bucket"], PublicAccessBlockConfiguration=block)
    return setting_id(inputs)


def _read_public_access(cloud: "Cloud", resource_id: str, _known: Document) -> Found | None:
    answer = found(cloud.client("s3").get_public_access_block, Bucket=bucket_of(resource_id))
    if answer is None:
        return None
    return _identified(resource_id, from_api(_PUBLIC_ACCESS, answer["PublicAccessBlockConfiguration"]))


def _delete_public_access(cloud: "Cloud", resource_id: str, state: Document) -> None:
    if not state.get("skipDestroy"):
        gone(cloud.client("s3").delete_public_access_block, Bucket=bucket_of(resource_id))


def _put_encryption(cloud: "Cloud", inputs: Document) -> str:
    must_have_bucket(cloud, inputs["bucket"])
    rules = _without_bucket(_ENCRYPTION, inputs)
    cloud.client("s3").put_bucket_encryption(Bucket=inputs["bucket"], ServerSideEncryptionConfiguration=rules)
    return setting_id(inputs)


def _read_encryption(cloud: "Cloud", resource_id: str, _known: Document) -> Found | None:
    answer = found(cloud.client("s3").get_bucket_encryption, Bucket=bucket_of(resource_id))
    if answer is None:
        return None
    return _identified(resource_id, from_api(_ENCRYPTION, answer["ServerSideEncryptionConfiguration"]))


def _delete_encryption(cloud: "Cloud", resource_id: str, _state: Document) -> None:
    gone(cloud.client("s3").delete_bucket_encryption, Bucket=bucket_of(resource_id))


def _check_encryption(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    rules = inputs.get("rules")
    for index, rule in enumerate(rules if isinstance(rules, list) else []):
        algorithm = at(rule, "applyServerSideEncryptionByDefault.sseAlgorithm")
        if at(rule, "applyServerSideEncryptionByDefault.kmsMasterKeyId") and algorithm == "AES256":
            path = f"rules[{index}].applyServerSideEncryptionByDefault.kmsMasterKeyId"
            yield Failure(path, "cannot be given for AES256, only for aws:kms")


def _put_policy(cloud: "Cloud", inputs: Document) -> str:
    must_have_bucket(cloud, inputs["bucket"])
    cloud.client("s3").put_bucket_policy(Bucket=inputs["bucket"], Policy=inputs["policy"])
    return str(inputs["bucket"])


def _read_policy(cloud: "Cloud", resource_id: str, _known: Document) -> Found | None:
    answer = found(cloud.client("s3").get_bucket_policy, Bucket=resource_id)
    return None if answer is None else _identified(resource_id, from_api(_BUCKET_POLICY, answer))


def _delete_policy(cloud: "Cloud", resource_id: str, _state: Document) -> None:
    gone(cloud.client("s3").delete_bucket_policy, Bucket=resource_id)


def _check_policy(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    yield from policy_failures("policy", inputs.get("policy"), _POLICY)


def _again(put: Callable[["Cloud", Document], str]) -> Callable[["Cloud", str, Document, Document], None]:
    """Return the update of a setting: putting it again."""

    def update(cloud: "Cloud", _resource_id: str, _old: Document, new: Document) -> None:
        put(cloud, new)

    return update


def _wrapped(member: str) -> Callable[[Document], Document]:
    """Return a completion that puts everything but the bucket into one member."""

    def shape(request: Document) -> Document:
        inner = {name: value for name, value in request.items() if name != "Bucket"}
        return {"Bucket": request["Bucket"], member: inner}

    return shape


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:s3/bucketVersioning:BucketVersioning",
        fields=_VERSIONING,
        sources=sources("aws_s3_bucket_versioning", "S3 PutBucketVersioning"),
        identity=("bucket",),
        checks=(_check_status,),
        create=_put_versioning,
        read=_read_versioning,
        update=_update_versioning,
        delete=_delete_versioning,
    ),
    Resource(
        type="aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
        fields=_PUBLIC_ACCESS,
        sources=sources("aws_s3_bucket_public_access_block", "S3 PutPublicAccessBlock"),
        identity=("bucket",),
        request=("s3", "PutPublicAccessBlock"),
        shape=_wrapped("PublicAccessBlockConfiguration"),
        envelope=("PublicAccessBlockConfiguration",),
        create=_put_public_access,
        read=_read_public_access,
        update=_again(_put_public_access),
        delete=_delete_public_access,
    ),
    Resource(
        type="aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
        fields=_ENCRYPTION,
        sources=sources("aws_s3_bucket_server_side_encryption_configuration", "S3 PutBucketEncryption"),
        identity=("bucket",),
        request=("s3", "PutBucketEncryption"),
        shape=_wrapped("ServerSideEncryptionConfiguration"),
        envelope=("ServerSideEncryptionConfiguration",),
        checks=(_check_encryption,),
        create=_put_encryption,
        read=_read_encryption,
        update=_again(_put_encryption),
        delete=_delete_encryption,
    ),
    Resource(
        type="aws:s3/bucketPolicy:BucketPolicy",
        fields=_BUCKET_POLICY,
        sources=sources("aws_s3_bucket_policy", "S3 PutBucketPolicy"),
        identity=("bucket",),
        checks=(_check_policy,),
        create=_put_policy,
        read=_read_policy,
        update=_again(_put_policy),
        delete=_delete_policy,
    ),
)
