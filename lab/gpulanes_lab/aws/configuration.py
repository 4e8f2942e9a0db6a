"""The provider's own configuration: what of pulumi-aws's it takes, and what it refuses so as never to leave the lab."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from gpulanes_lab.aws.cloud import loopback
from gpulanes_lab.aws.table import Failure
from gpulanes_lab.aws.tagging import tag_failures
from gpulanes_lab.aws.values import UNKNOWN, Document, Plain

# Taken without effect: they turn off questions that the emulator never asks, or are the engine's own.
_IDLE: Final = frozenset(
    {
        "accessKey",
        "maxRetries",
        "pluginDownloadURL",
        "s3UsePathStyle",
        "secretKey",
        "skipCredentialsValidation",
        "skipMetadataApiCheck",
        "skipRegionValidation",
        "skipRequestingAccountId",
        "token",
        "version",
    },
)
_READ: Final = frozenset({"region", "defaultTags", "endpoints", "allowedAccountIds"})
_STRUCTURED: Final = frozenset({"defaultTags", "endpoints", "allowedAccountIds"})


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a configured provider knows."""

    region: str
    default_tags: Mapping[str, str] = field(default_factory=dict)
    allowed_accounts: tuple[str, ...] = ()


def decoded(given: Mapping[str, Plain]) -> Document:
    """Return the configuration with structured values unpacked: the engine passes them as JSON texts."""
    return {name: _decoded(name, value) for name, value in given.items()}


def _decoded(name: str, value: Plain) -> Plain:
    if name in _STRUCTURED and isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def failures(given: Mapping[str, Plain], fallback_region: str) -> list[Failure]:
    """Return what is wrong with a provider's configuration."""
    settings = decoded(given)
    return [
        *(Failure(name, _refusal()) for name in settings if name not in _IDLE | _READ),
        *_region_failures(settings, fallback_region),
        *_endpoint_failures(settings.get("endpoints")),
        *_tag_failures(settings.get("defaultTags")),
    ]


def configuration(given: Mapping[str, Plain], fallback_region: str) -> Configuration:
    """Return a provider's configuration, already checked."""
    settings = decoded(given)
    return Configuration(
        region=settings.get("region") or fallback_region,
        default_tags=(settings.get("defaultTags") or {}).get("tags") or {},
        allowed_accounts=tuple(settings.get("allowedAccountIds") or ()),
    )


def _refusal() -> str:
    taken = ", ".join(sorted(_READ | _IDLE))
    return f"the emulated aws provider does not take this setting (it takes {taken})"


def _region_failures(settings: Document, fallback: str) -> Iterator[Failure]:
    region = settings.get("region") or fallback
    if not region:
        yield Failure("region", "is required: set aws:region, the provider's region or AWS_REGION")


def _endpoint_failures(endpoints: Plain) -> Iterator[Failure]:
    if endpoints is None or endpoints is UNKNOWN:
        return
    if not isinstance(endpoints, list):
        yield Failure("endpoints", "must be a list of objects from service to URL")
        return
    for index, group in enumerate(endpoints):
        for service, url in (group if isinstance(group, Mapping) else {}).items():
            if url is not UNKNOWN and not loopback(str(url)):
                yield Failure(f"endpoints[{index}].{service}", f"{url} leaves this machine; only loopback is allowed")


def _tag_failures(default_tags: Plain) -> Iterator[Failure]:
    if default_tags is None or default_tags is UNKNOWN:
        return
    if not isinstance(default_tags, Mapping) or set(default_tags) - {"tags"}:
        yield Failure("defaultTags", "must be an object with tags")
        return
    yield from tag_failures("defaultTags.tags", default_tags.get("tags"))
