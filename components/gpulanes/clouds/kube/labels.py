"""Node labels that a node may not give itself: kubelet refuses to start with them, and the node never joins."""

from collections.abc import Iterator

from gpulanes.errors import Problem
from gpulanes.kinds.pool import Pool

OWN_DOMAINS = ("kubelet.kubernetes.io", "node.kubernetes.io")
"""Subdomains that kubelet leaves to whoever runs the node."""

WELL_KNOWN = frozenset(
    {
        *("kubernetes.io/hostname", "kubernetes.io/os", "kubernetes.io/arch", "node.kubernetes.io/instance-type"),
        *("topology.kubernetes.io/zone", "topology.kubernetes.io/region"),
        *("failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"),
        *("beta.kubernetes.io/os", "beta.kubernetes.io/arch", "beta.kubernetes.io/instance-type"),
    }
)
"""Keys of reserved domains that kubelet accepts (k8s.io/kubelet, pkg/apis ``well_known_labels.go``)."""

KARPENTER_OWN = frozenset({"karpenter.sh/nodepool", "kubernetes.io/hostname"})
"""Keys that the NodePool schema refuses as labels of nodes."""


def label_problems(pool: Pool) -> Iterator[Problem]:
    """Yield each label that would keep nodes of a pool from joining."""
    for key in pool.labels:
        if _reserved(key) or (pool.provisioner == "karpenter" and _karpenters(key)):
            allowed = "a key outside the domains that Kubernetes, EKS and Karpenter keep for themselves"
            name = key.rpartition("/")[2]
            fix = f"use node.kubernetes.io/{name} or a domain of your own"
            yield Problem("label-reserved", f"pools.{pool.name}.labels", key, allowed, fix)


def _reserved(key: str) -> bool:
    domain = key.rpartition("/")[0]
    if key in WELL_KNOWN or _within(domain, OWN_DOMAINS):
        return False
    return _within(domain, ("kubernetes.io", "k8s.io", "eks.amazonaws.com"))


def _karpenters(key: str) -> bool:
    domain = key.rpartition("/")[0]
    return key in KARPENTER_OWN or (_within(domain, ("karpenter.sh",)) and key != "karpenter.sh/capacity-type")


def _within(domain: str, domains: tuple[str, ...]) -> bool:
    return any(domain == one or domain.endswith(f".{one}") for one in domains)
