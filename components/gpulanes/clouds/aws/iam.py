"""Roles and policy documents, written out: what each may do is readable here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pulumi_aws import iam

from gpulanes.clouds.base import Scope, after
from gpulanes.clouds.names import prefix

if TYPE_CHECKING:
    import pulumi

ROLE_NAME = 64
"""Longest IAM role name."""

MANAGED = "arn:aws:iam::aws:policy/"

Statement = Mapping[str, Any]


def document(statements: Sequence[Statement]) -> dict[str, Any]:
    """Return a policy document of the statements."""
    return {"Version": "2012-10-17", "Statement": [dict(statement) for statement in statements]}


def trust(service: str, actions: Sequence[str] = ("sts:AssumeRole",)) -> str:
    """Return the trust policy that lets a service take a role."""
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": list(actions)}
    return json.dumps(document([statement]), sort_keys=True)


def tls_only(resources: Sequence[pulumi.Input[str]], action: str) -> Statement:
    """Return the statement that denies ``action`` to whoever does not use TLS."""
    return {
        "Sid": "TlsOnly",
        "Effect": "Deny",
        "Principal": "*",
        "Action": action,
        "Resource": list(resources),
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }


@dataclass(frozen=True, slots=True)
class Role:
    """A role and the attachments that must be there before anyone uses it."""

    resource: iam.Role
    attachments: tuple[iam.RolePolicyAttachment, ...]

    @property
    def arn(self) -> pulumi.Output[str]:
        """The ARN, for users that need the role's permissions."""
        return after(self.resource.arn, *self.attachments)

    @property
    def name(self) -> pulumi.Output[str]:
        """The name, for users that need the role's permissions."""
        return after(self.resource.name, *self.attachments)


def role(scope: Scope, suffix: str, assume: str, tags: Mapping[str, str], managed: Sequence[str] = ()) -> Role:
    """Create a role with AWS's managed policies attached; its name gets a unique suffix, as IAM spans regions."""
    made = iam.Role(
        f"{scope.name}-{suffix}",
        name_prefix=prefix(f"{scope.prefix}-{suffix}", ROLE_NAME),
        assume_role_policy=assume,
        tags=dict(tags),
        opts=scope.options(),
    )
    attachments = tuple(
        iam.RolePolicyAttachment(
            f"{scope.name}-{suffix}-{policy}",
            role=made.name,
            policy_arn=MANAGED + policy,
            opts=scope.options(),
        )
        for policy in managed
    )
    return Role(made, attachments)
