"""The API server is a real one: it knows Karpenter's and Kueue's kinds and refuses what they refuse."""

import uuid
from dataclasses import replace
from typing import Any

import pytest

from gpulanes_lab.controlplane.api import ApiError
from gpulanes_lab.lab import Lab

pytestmark = pytest.mark.lab

KINDS = {
    "karpenter.sh/v1": {"NodePool", "NodeClaim"},
    "karpenter.k8s.aws/v1": {"EC2NodeClass"},
    "kueue.x-k8s.io/v1beta2": {"ClusterQueue", "LocalQueue", "ResourceFlavor", "Cohort", "WorkloadPriorityClass"},
}


def node_pool(**spec: object) -> dict[str, Any]:
    template = {
        "spec": {
            "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "gpu"},
            "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]}],
        }
    }
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "inference"},
        "spec": {"template": template, **spec},
    }


@pytest.mark.parametrize("group", KINDS)
def test_the_kinds_are_served(lab: Lab, group: str) -> None:
    served = {resource["kind"] for resource in lab.kube.get(f"/apis/{group}")["resources"]}
    assert served >= KINDS[group]


def test_a_version_that_only_a_controller_could_convert_is_not_served(lab: Lab) -> None:
    versions = next(g for g in lab.kube.get("/apis")["groups"] if g["name"] == "kueue.x-k8s.io")["versions"]
    assert [version["version"] for version in versions] == ["v1beta2"]


def test_a_right_manifest_is_accepted(lab: Lab) -> None:
    assert lab.kube.apply(node_pool(weight=10), dry_run=True)["spec"]["weight"] == 10


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("wieght", 10, "field not declared in schema"),
        ("weight", 1000, "should be less than or equal to 100"),
        ("disruption", {"consolidateAfter": "never", "consolidationPolicy": "WhenEmpty"}, "consolidateAfter"),
        (
            "disruption",
            {"consolidateAfter": "0s", "budgets": [{"nodes": "0", "schedule": "@daily"}]},
            "must be set with 'duration'",
        ),
    ],
)
def test_a_wrong_manifest_is_refused_by_schema_and_rules(lab: Lab, field: str, value: object, said: str) -> None:
    with pytest.raises(ApiError, match=said):
        lab.kube.apply(node_pool(**{field: value}), dry_run=True)


def test_an_unknown_kind_is_refused(lab: Lab) -> None:
    with pytest.raises(ApiError, match="no kind NodeGroup"):
        lab.kube.apply({"apiVersion": "karpenter.sh/v1", "kind": "NodeGroup", "metadata": {"name": "x"}})


def test_a_namespace_can_be_deleted(lab: Lab) -> None:
    lab.kube.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "short-lived"}})
    lab.kube.delete("/api/v1/namespaces/short-lived")
    assert lab.kube.get("/api/v1/namespaces/short-lived")["status"]["phase"] == "Terminating"


def test_only_the_labs_token_opens_it(lab: Lab) -> None:
    with pytest.raises(ApiError, match="Unauthorized"):
        replace(lab.kube, token=uuid.uuid4().hex).get("/api/v1/namespaces")
