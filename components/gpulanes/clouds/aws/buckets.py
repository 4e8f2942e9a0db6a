"""Object stores: private, encrypted, TLS only; the archive gets colder, the model store never does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pulumi
from pulumi_aws import s3

from gpulanes.clouds.aws import iam
from gpulanes.clouds.names import prefix

if TYPE_CHECKING:
    from gpulanes.clouds.base import Scope
    from gpulanes.plan.model import BucketPlan

BUCKET_NAME = 63

NONCURRENT_DAYS = {"serving": 30, "archive": 7}
"""How long a replaced or deleted version can still be brought back, by tier.

A released model may have to come back weeks later. What training deletes follows into the archive as noncurrent
versions, checkpoints of terabytes among them, and is paid for until it goes.
"""

ABORT_DAYS = 7
"""Parts of an upload that was never finished are billed but cannot be read."""

COLD = "GLACIER_IR"
"""The coldest class that is still read at once: a file system linked to the bucket cannot wait for a restore."""


def bucket(scope: Scope, plan: BucketPlan, *, protect: bool) -> s3.Bucket:
    """Create a bucket and everything that keeps it safe; return the bucket."""
    name = f"{scope.name}-{plan.purpose}"
    made = s3.Bucket(
        name,
        bucket_prefix=prefix(plan.name, BUCKET_NAME),
        force_destroy=False,
        tags=dict(plan.tags),
        opts=scope.options(pulumi.ResourceOptions(protect=protect)),
    )
    aes256 = s3.BucketServerSideEncryptionConfigurationRuleApplyServerSideEncryptionByDefaultArgs(
        sse_algorithm="AES256"
    )
    private = s3.BucketPublicAccessBlock(
        name,
        bucket=made.id,
        block_public_acls=True,
        block_public_policy=True,
        ignore_public_acls=True,
        restrict_public_buckets=True,
        opts=scope.options(),
    )
    s3.BucketServerSideEncryptionConfiguration(
        name,
        bucket=made.id,
        rules=[s3.BucketServerSideEncryptionConfigurationRuleArgs(apply_server_side_encryption_by_default=aes256)],
        opts=scope.options(),
    )
    # One after the other: S3 refuses changes of a bucket's settings that overlap.
    s3.BucketPolicy(
        name,
        bucket=made.id,
        policy=made.arn.apply(_tls_only),
        opts=scope.options(pulumi.ResourceOptions(depends_on=[private])),
    )
    _versions(scope, plan, name, made)
    return made


def _tls_only(arn: str) -> str:
    return json.dumps(iam.document([iam.tls_only([arn, f"{arn}/*"], "s3:*")]), sort_keys=True)


def _versions(scope: Scope, plan: BucketPlan, name: str, made: s3.Bucket) -> None:
    """Keep versions, and clear away what nobody can read any more."""
    versioning = s3.BucketVersioning(
        name,
        bucket=made.id,
        versioning_configuration=s3.BucketVersioningVersioningConfigurationArgs(
            status="Enabled" if plan.versioned else "Suspended"
        ),
        opts=scope.options(),
    )
    s3.BucketLifecycleConfiguration(
        name,
        bucket=made.id,
        rules=[_rule(plan)],
        opts=scope.options(pulumi.ResourceOptions(depends_on=[versioning])),
    )


def _rule(plan: BucketPlan) -> s3.BucketLifecycleConfigurationRuleArgs:
    cold = s3.BucketLifecycleConfigurationRuleTransitionArgs(days=plan.archive_after_days, storage_class=COLD)
    return s3.BucketLifecycleConfigurationRuleArgs(
        id=plan.purpose,
        status="Enabled",
        filter=s3.BucketLifecycleConfigurationRuleFilterArgs(prefix=""),
        abort_incomplete_multipart_upload=s3.BucketLifecycleConfigurationRuleAbortIncompleteMultipartUploadArgs(
            days_after_initiation=ABORT_DAYS
        ),
        noncurrent_version_expiration=s3.BucketLifecycleConfigurationRuleNoncurrentVersionExpirationArgs(
            noncurrent_days=NONCURRENT_DAYS[plan.purpose]
        ),
        # A deleted object leaves a marker; without this it stays for ever, and every listing walks over it.
        expiration=s3.BucketLifecycleConfigurationRuleExpirationArgs(expired_object_delete_marker=True),
        transitions=[cold] if plan.archive_after_days else None,
    )
