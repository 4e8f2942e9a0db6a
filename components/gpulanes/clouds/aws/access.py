"""What each lane may do with the stores: serving reads models, training writes checkpoints and publishes models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pulumi
from pulumi_aws import iam as aws_iam
from pulumi_aws import s3

from gpulanes.clouds.aws import iam
from gpulanes.kinds.pool import LANE_KEY

if TYPE_CHECKING:
    from gpulanes.clouds.base import Scope

PUBLISHED = "published/"
"""Where training puts finished models in the serving store; it can write nowhere else there."""

READ: Sequence[str] = ("s3:GetObject",)
WRITE: Sequence[str] = ("s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts")

Grants = Mapping[str, Sequence[tuple[str, Sequence[str], str]]]

GRANTS: Grants = {
    "inference": (("serving", READ, ""),),
    "batch": (("serving", READ, ""),),
    "training": (("serving", WRITE, PUBLISHED), ("archive", WRITE, "")),
}
"""Lane → (store, actions on objects, under which prefix)."""


def lane_role(
    scope: Scope, lane: str, stores: Mapping[str, s3.Bucket], tags: Mapping[str, str]
) -> pulumi.Output[str] | None:
    """Create the role of a lane's pods for the stores that exist; return its ARN, or None when there is nothing to use.

    Pods take it through EKS Pod Identity: the workload's repository associates it with its service account.
    """
    grants = [grant for grant in GRANTS.get(lane, ()) if grant[0] in stores]
    if not grants:
        return None
    assume = iam.trust("pods.eks.amazonaws.com", ("sts:AssumeRole", "sts:TagSession"))
    made = iam.role(scope, lane, assume, {**tags, LANE_KEY: lane}).resource
    arns = {store: stores[store].arn for store, _, _ in grants}
    aws_iam.RolePolicy(
        f"{scope.name}-{lane}",
        role=made.name,
        policy=pulumi.Output.all(**arns).apply(lambda known: _policy(lane, known)),
        opts=scope.options(),
    )
    return made.arn


def _policy(lane: str, arns: Mapping[str, str]) -> str:
    statements: list[Mapping[str, Any]] = []
    for store, actions, under in GRANTS[lane]:
        if store in arns:
            arn = arns[store]
            statements.append({"Effect": "Allow", "Action": "s3:ListBucket", "Resource": arn})
            statements.append({"Effect": "Allow", "Action": list(actions), "Resource": f"{arn}/{under}*"})
    return json.dumps(iam.document(statements), sort_keys=True)
