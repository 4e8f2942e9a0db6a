"""From what the policy SDK hands over to plain data.

The SDK's proxies raise on every touch of a value that is not known yet, which ends the policy and
turns its verdict advisory. Here such a value becomes a sentinel and hides no other.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pulumi_policy import PolicyProviderResource, PolicyResource, ResourceValidationArgs
from pulumi_policy.proxy import UnknownValueError

from gpulanes.facts import UNKNOWN, PulumiResource, plain_value


def plain_props(value: object) -> object:
    """Return proxied properties as plain data, with ``UNKNOWN`` for what is not known and int for whole numbers."""
    if isinstance(value, Mapping):
        return {str(key): _item(value, key) for key in value}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_item(value, index) for index in range(len(value))]
    return plain_value(value)


def _item(container: Any, key: object) -> object:  # noqa: ANN401 - the SDK's proxies have no public type
    try:
        value = container[key]
    except UnknownValueError:
        return UNKNOWN
    return plain_props(value)


def _mapping(value: object) -> Mapping[str, object]:
    found = plain_props(value)
    return found if isinstance(found, dict) else {}


def default_tags(provider: PolicyProviderResource | None) -> Mapping[str, str]:
    """Return the tags that a provider puts on all it creates; a provider's nested inputs are JSON texts."""
    if provider is None or "defaultTags" not in list(provider.props):
        return {}
    given = _item(provider.props, "defaultTags")
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return {}
    tags = given.get("tags") if isinstance(given, Mapping) else None
    return {key: tag for key, tag in tags.items() if isinstance(tag, str)} if isinstance(tags, Mapping) else {}


def resource_of(args: ResourceValidationArgs) -> PulumiResource:
    """Return the resource that a resource policy is asked about."""
    return PulumiResource(
        token=args.resource_type,
        urn=args.urn,
        name=args.name,
        props=_mapping(args.props),
        parent=args.opts.parent or "",
        protect=args.opts.protect,
        ignore_changes=tuple(args.opts.ignore_changes),
        default_tags=default_tags(args.provider),
    )


def stack_resource(resource: PolicyResource) -> PulumiResource:
    """Return a resource that a stack policy sees, with what it depends on."""
    return PulumiResource(
        token=resource.resource_type,
        urn=resource.urn,
        name=resource.name,
        props=_mapping(resource.props),
        parent=resource.parent.urn if resource.parent else "",
        protect=resource.opts.protect,
        ignore_changes=tuple(resource.opts.ignore_changes),
        dependencies=tuple(other.urn for other in resource.dependencies),
        property_dependencies={
            key: tuple(other.urn for other in others) for key, others in resource.property_dependencies.items()
        },
        default_tags=default_tags(resource.provider),
    )
