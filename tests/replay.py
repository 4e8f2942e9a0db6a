"""Registers recorded resources with Pulumi's own SDK and literal values: the least that a hand-written program does."""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws
import pulumi_kubernetes


def snake(name: str) -> str:
    """``nodeGroupNamePrefix`` → ``node_group_name_prefix``."""
    return re.sub("([A-Z])", lambda match: f"_{match.group(1).lower()}", name)


def kubernetes() -> pulumi_kubernetes.Provider:
    """Return a provider for the API server of the environment."""
    server = {
        "server": os.environ["GPULANES_LAB_KUBE_ENDPOINT"],
        "certificate-authority-data": os.environ["GPULANES_LAB_KUBE_CA"],
    }
    token = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": "aws",
        "args": ["eks", "get-token", "--output", "json", "--cluster-name", "n", "--region", "us-east-1"],
        "interactiveMode": "Never",
    }
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "n", "cluster": server}],
        "users": [{"name": "n", "user": {"exec": token}}],
        "contexts": [{"name": "n", "context": {"cluster": "n", "user": "n"}}],
        "current-context": "n",
    }
    return pulumi_kubernetes.Provider("kubernetes", kubeconfig=json.dumps(config))


def replay(file: Path) -> None:
    """Register every resource of a recording below the same parents."""
    provider, made = kubernetes(), dict[str, pulumi.Resource]()
    for item in json.loads(file.read_text(encoding="utf-8")):
        needed = [made[urn] for urn in item["after"] if urn in made]
        opts = pulumi.ResourceOptions(parent=made.get(item["parent"]), depends_on=needed)
        made[item["urn"]] = register(item["type"], item["name"], item["props"], opts, provider)


def register(
    token: str, name: str, props: dict[str, Any], opts: pulumi.ResourceOptions, provider: pulumi_kubernetes.Provider
) -> pulumi.Resource:
    """Register one resource by the class that the SDK has for it."""
    package, module, kind = token.split(":")
    if package == "gpulanes":
        component = pulumi.ComponentResource(token, name, props, opts)
        component.register_outputs({})
        return component
    values = {snake(key): value for key, value in props.items()}
    if package == "aws":
        made: pulumi.Resource = getattr(getattr(pulumi_aws, module.partition("/")[0]), kind)(name, opts=opts, **values)
        return made
    opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(provider=provider))
    values.pop("kind")
    version = values.pop("api_version")
    groups = {"Namespace": "core", "PodDisruptionBudget": "policy", "PriorityClass": "scheduling"}
    if kind in groups:
        built_in: pulumi.Resource = getattr(getattr(pulumi_kubernetes, groups[kind]).v1, kind)(
            name, opts=opts, **values
        )
        return built_in
    custom: pulumi.Resource = pulumi_kubernetes.apiextensions.CustomResource(
        name, api_version=version, kind=kind, opts=opts, **values
    )
    return custom


if __name__ == "__main__":
    replay(Path(sys.argv[1]))
