"""Access to the API server with short-lived credentials."""

import json

import pulumi

from gpulanes.clouds.base import ClusterRef


def kubeconfig(cluster: ClusterRef, region: str) -> pulumi.Output[str]:
    """Return a kubeconfig whose credentials come from ``aws eks get-token`` at the moment of use."""
    parts = pulumi.Output.all(
        name=cluster["name"], endpoint=cluster["endpoint"], authority=cluster["certificate_authority"]
    )
    return parts.apply(lambda known: _text(known["name"], known["endpoint"], known["authority"], region))


def _text(name: str, endpoint: str, authority: str, region: str) -> str:
    arguments = ["eks", "get-token", "--output", "json", "--cluster-name", name, "--region", region]
    credentials = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": "aws",
        "args": arguments,
        "interactiveMode": "Never",
    }
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": {"server": endpoint, "certificate-authority-data": authority}}],
        "users": [{"name": name, "user": {"exec": credentials}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }
    return json.dumps(config, sort_keys=True)
