"""Buckets keep what was deleted for a while, and then nothing of it."""

import pytest

from builders_resources import TAGS, cluster_ref, storage
from gpulanes.resources import StorageTiers
from recording import record

LIFECYCLE = "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration"


@pytest.mark.parametrize(("tier", "days"), [("serving", 30), ("archive", 7)])
def test_nothing_is_left_of_a_deleted_object_once_its_versions_are_gone(tier: str, days: int) -> None:
    found = record(
        lambda: StorageTiers("data", plan=storage(), cluster=cluster_ref(), lanes=["training"], tags=dict(TAGS))
    )
    [rule] = found.one(LIFECYCLE, f"data-{tier}").props["rules"]
    assert rule["noncurrentVersionExpiration"]["noncurrentDays"] == days
    assert rule["expiration"] == {"expiredObjectDeleteMarker": True}
