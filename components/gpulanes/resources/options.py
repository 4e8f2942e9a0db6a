"""A caller's resource options: merged, never replaced, and refused where Pulumi would lose them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pulumi

from gpulanes.clouds.kube.fields import has_table, manifest_problems, table
from gpulanes.errors import Problem
from gpulanes.kinds.plain import camel
from gpulanes.resources.arguments import refuse

LOST = (
    "ignore_changes",
    "replace_on_changes",
    "delete_before_replace",
    "additional_secret_outputs",
    "custom_timeouts",
    "import_",
)
"""Options that Pulumi accepts on a component and does not hand to its children."""


def checked_options(opts: pulumi.ResourceOptions | None, component: str) -> pulumi.ResourceOptions:
    """Return the caller's options for a component.

    Options that would be lost are refused. When there are transforms, one more runs after them, which refuses
    fields that the objects do not have. Raises ArgumentsError.
    """
    own = opts or pulumi.ResourceOptions()
    problems = [_lost(name, getattr(own, name)) for name in LOST if getattr(own, name)]
    refuse(problems, component)
    checks = pulumi.ResourceOptions()
    if own.transforms:
        checks.transforms = [_check_transform]
    if own.transformations:
        checks.transformations = [_check_transformation]
    return pulumi.ResourceOptions.merge(own, checks)


def _lost(name: str, value: object) -> Problem:
    allowed = "an option of the child that it is meant for: Pulumi does not hand it down from a component"
    fix = "set it in opts.transforms for the child's type"
    return Problem("option-lost", f"opts.{name}", str(value)[:80], allowed, fix)


def _check_transform(args: pulumi.ResourceTransformArgs) -> None:
    """Hold what earlier transforms made of a Kubernetes object against its field table."""
    _check_object(args.type_, args.name, args.props)


def _check_transformation(args: pulumi.ResourceTransformationArgs) -> None:
    _check_object(args.type_, args.name, args.props)


def _check_object(type_: str, name: str, props: Mapping[str, Any]) -> None:
    kind = type_.rpartition(":")[2]
    if type_.startswith("kubernetes:") and has_table(kind):
        manifest = {camel(key): value for key, value in props.items() if value is not None}
        manifest = {"kind": kind, "apiVersion": table(kind)["apiVersion"], **manifest}
        refuse(tuple(manifest_problems(manifest, kind)), name)


def provider_of(package: str, opts: pulumi.ResourceOptions) -> pulumi.ProviderResource | None:
    """Return the provider of a package that the options name or inherit, or None."""
    given: Sequence[pulumi.ProviderResource] = [
        *(opts.providers.values() if isinstance(opts.providers, Mapping) else opts.providers or ()),
        *([opts.provider] if opts.provider else ()),
    ]
    found = next((provider for provider in given if provider.package == package), None)
    return opts.parent.get_provider(f"{package}::") if found is None and opts.parent is not None else found


def region_problems(region: str, opts: pulumi.ResourceOptions) -> Iterator[Problem]:
    """Yield that the default AWS provider works in another region than the plan; an explicit one is the caller's."""
    configured = pulumi.Config("aws").get("region")
    if configured and configured != region and provider_of("aws", opts) is None:
        fix = f"pulumi config set aws:region {region}, or pass an AWS provider"
        yield Problem("region", "aws:region", configured, f"the plan's region, {region}", fix)


def kubernetes_missing() -> Problem:
    """Return the problem of a component that has no Kubernetes provider."""
    allowed = "an explicit Kubernetes provider: the ambient one points wherever the last kubeconfig did"
    fix = "pass opts=ResourceOptions(providers=[kubernetes_provider(…)])"
    return Problem("kubernetes-provider", "opts.providers", "", allowed, fix)
