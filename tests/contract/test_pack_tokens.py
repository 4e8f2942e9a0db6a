"""Type tokens that are written down here are those of the SDK, and the pack loads none of it."""

import subprocess
import sys
import warnings
from importlib import import_module

import pulumi_aws
import pytest

from gpulanes.facts.aws import LAUNCH_TEMPLATE, LUSTRE, NODE_GROUP, REPOSITORY_LINK, SUBNET
from gpulanes.facts.provider import section

READ = (LAUNCH_TEMPLATE, LUSTRE, NODE_GROUP, REPOSITORY_LINK, SUBNET)
RENAMED = ("aws:s3/bucketV2:BucketV2",)
"""Tokens of older SDKs that programs still have in their states."""


@pytest.mark.parametrize("token", sorted({*READ, *section("tags")["lane"], *section("tags")["shared"]} - {*RENAMED}))
def test_a_token_is_the_sdks_own(token: str) -> None:
    _, module, name = token.split(":")
    with warnings.catch_warnings():
        # The generated SDK warns while it is imported, of resources that nobody here uses.
        warnings.simplefilter("ignore", DeprecationWarning)
        found = getattr(import_module(f"{pulumi_aws.__name__}.{module.partition('/')[0]}"), name)
    assert found.pulumi_type == token


def test_loading_the_pack_loads_no_cloud() -> None:
    code = "import sys, gpulanes_policies.pack; print(*sorted(n for n in sys.modules if '.' not in n))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert "pulumi_policy" in loaded
    assert {"pulumi_aws", "pulumi_kubernetes", "boto3", "pydantic"}.isdisjoint(loaded)
