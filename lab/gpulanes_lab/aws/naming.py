"""Physical names as pulumi-aws and Terraform make them."""

import hashlib
import secrets
from collections.abc import Mapping
from typing import Final

from gpulanes_lab.aws.table import Autoname, Failure
from gpulanes_lab.aws.values import Document, Plain

_DIGITS: Final = 7
# Source: terraform-plugin-sdk helper/id, UniqueIDSuffixLength.
_UNIQUE: Final = 26
DEFAULTS: Final = "__defaults"
"""Where pulumi-aws keeps the names of the inputs that it filled in itself."""


def filled(inputs: Mapping[str, Plain]) -> list[str]:
    """Return the names of the inputs that the provider filled in."""
    return list(inputs.get(DEFAULTS) or [])


def autoname(rule: Autoname, logical: str, seed: bytes, inputs: Document) -> str | Failure:
    """Return ``logical`` plus seven hex digits (of the engine's seed when it gives one), or why it cannot be.

    Source: pulumi-terraform-bridge, tfbridge.AutoName and resource.NewUniqueHex: it refuses, it never cuts.
    """
    digits = hashlib.sha256(seed + logical.encode()).hexdigest() if seed else secrets.token_hex(_DIGITS)
    suffix = rule.suffix(inputs)
    name = f"{logical}-{digits[:_DIGITS]}{suffix}"
    if len(name) > rule.limit:
        room = rule.limit - _DIGITS - 1 - len(suffix)
        reason = f"name {logical!r} plus {_DIGITS + 1 + len(suffix)} characters is longer than {rule.limit}; "
        return Failure(rule.field, f"{reason}use at most {room} characters or set {rule.field} explicitly")
    return name.lower() if rule.lowercase else name


def with_name(rule: Autoname | None, inputs: Document) -> Document:
    """Return inputs that have a physical name: a prefix becomes a unique name, as with Terraform's name_prefix."""
    if rule is None or rule.field in inputs or rule.prefix not in inputs:
        return inputs
    unique = str(secrets.randbits(96)).zfill(_UNIQUE)[:_UNIQUE]
    return inputs | {rule.field: f"{inputs[rule.prefix]}{unique}{rule.suffix(inputs)}"}


def identifier(kind: str) -> str:
    """Return a fresh id such as ``pg-0123456789abcdef0``."""
    return f"{kind}-{secrets.token_hex(9)[:17]}"
