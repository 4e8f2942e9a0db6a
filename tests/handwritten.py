"""What a program registered, as data, and played back as somebody would write it by hand: the SDKs and no components.

Run as a Pulumi program (``HANDWRITTEN=resources.json``), or played under the recording monitor. Values that another
resource computes stay references, so that the engine sees the same graph.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pulumi
from pulumi_kubernetes.apiextensions import CustomResource

TYPED = {
    "kubernetes:core/v1:Namespace": "pulumi_kubernetes.core.v1",
    "kubernetes:policy/v1:PodDisruptionBudget": "pulumi_kubernetes.policy.v1",
    "kubernetes:scheduling.k8s.io/v1:PriorityClass": "pulumi_kubernetes.scheduling.v1",
    "pulumi:providers:kubernetes": "pulumi_kubernetes",
}
"""Where the SDK has a class of its own; other Kubernetes objects are CustomResources."""

COMPUTED = {"id": "{}-id", "arn": "arn:aws:test:::{}", "name": "{}-1"}
"""How the recording monitor spells what a cloud computes."""

Item = Mapping[str, Any]


def snake(name: str) -> str:
    """``cidrBlock`` → ``cidr_block``."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def class_of(token: str) -> Any:  # noqa: ANN401 - a resource class of a generated SDK
    """Return the SDK's class for a token."""
    package, module, kind = token.split(":")
    if package == "aws":
        return getattr(import_module(f"pulumi_aws.{module.split('/')[0]}"), kind)
    if token in TYPED:
        return getattr(import_module(TYPED[token]), "Provider" if package == "pulumi" else kind)
    return CustomResource


class Played:
    """What has been made so far, by URN, and by what others call its outputs."""

    def __init__(self) -> None:
        self.by_urn: dict[str, Any] = {}
        self.outputs: dict[str, pulumi.Output[Any]] = {}

    def value(self, value: Any) -> Any:  # noqa: ANN401 - a property
        """Return a property with references in the place of computed values."""
        if isinstance(value, str):
            return self.outputs.get(value, value)
        if isinstance(value, dict):
            return {key: self.value(item) for key, item in value.items()}
        return [self.value(item) for item in value] if isinstance(value, list) else value

    def make(self, item: Item) -> None:
        """Make one resource."""
        given = {snake(key): self.value(value) for key, value in item["props"].items()}
        if item["type"].startswith("kubernetes:") and item["type"] in TYPED:
            given = {key: value for key, value in given.items() if key not in {"kind", "api_version"}}
        if item["type"].startswith("pulumi:"):
            given = self.connected(given)
        needed = [self.by_urn[urn] for urn in item["dependencies"] if urn in self.by_urn]
        provider = self.by_urn.get(item["provider"].rpartition("::")[0])
        opts = pulumi.ResourceOptions(depends_on=needed, provider=provider)
        made = class_of(item["type"])(item["name"], **given, opts=opts)
        self.by_urn[item["urn"]] = made
        for attribute, spelled in COMPUTED.items():
            output = getattr(made, attribute, None)
            if isinstance(output, pulumi.Output):
                self.outputs.setdefault(spelled.format(item["name"]), output)

    def connected(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of the Kubernetes provider: its kubeconfig is known once the cluster is."""
        cluster = next(made for made in self.by_urn.values() if type(made).__name__ == "Cluster")
        kubeconfig = given["kubeconfig"]
        return {**given, "kubeconfig": cluster.endpoint.apply(lambda _: kubeconfig)}


def play(items: Sequence[Item]) -> None:
    """Make everything, in an order in which what is needed comes first."""
    played, waiting = Played(), list(items)
    while waiting:
        urns = {item["urn"] for item in waiting}
        ready = [item for item in waiting if not urns & set(item["dependencies"])]
        for item in ready:
            played.make(item)
        waiting = [item for item in waiting if item not in ready]


if __name__ == "__main__":
    play(json.loads(Path(os.environ["HANDWRITTEN"]).read_text(encoding="utf-8")))
