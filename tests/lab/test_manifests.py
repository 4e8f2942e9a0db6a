"""What is rendered is what a real API server accepts, and the field tables are its own schemas."""

from pathlib import Path
from typing import Any

import pytest

from builders_resources import ZONES, cluster_ref, pool, reserved_pool, spot_pool
from builders_resources import plan as fleet_plan
from field_tables import TABLES, table
from gpulanes.clouds.base import ClusterRef
from gpulanes.clouds.kube.fields import table as shipped
from gpulanes.fleet import load_bytes
from gpulanes.kinds.pool import Nodes, Reservation
from gpulanes.plan import plan
from gpulanes.plan.model import Plan
from gpulanes.resources import GpuFleet
from gpulanes_lab.lab import Lab
from gpulanes_lab.toolchain.table import load_table
from programs_resources import kubernetes
from recording import record

pytestmark = pytest.mark.lab

CUSTOM = ("NodePool", "EC2NodeClass", "ResourceFlavor", "ClusterQueue", "LocalQueue")
BUILT_IN = {"core/v1": "v1"}


def cluster() -> ClusterRef:
    """A cluster whose ids are spelled as AWS spells them."""
    return cluster_ref(
        subnets={zone: f"subnet-{index:017x}" for index, zone in enumerate(ZONES)},
        security_group_id="sg-00000000000000001",
        fabric_security_group_id="sg-00000000000000002",
    )


def manifests(decided: Plan) -> list[dict[str, Any]]:
    found = record(lambda: GpuFleet("chat", {"plan": decided, "cluster": cluster()}, kubernetes()))
    return [dict(item.props) for item in found if item.type.startswith("kubernetes:")]


def varied() -> Plan:
    """Pools that use every branch of a manifest."""
    return fleet_plan(
        spot_pool("fabric", multi_node=True, weight=40, changed={"ami_type": "BOTTLEROCKET_x86_64_NVIDIA"}),
        reserved_pool("tagged", reservation=Reservation(4, tags={"team": "ml"})),
        reserved_pool("block", capacity=("capacity-block",)),
        pool("inference", "serving", provisioner="karpenter", nodes=Nodes(3, 3, 6)),
        spot_pool("open", changed={"capped": False}),
    )


def refused(lab: Lab, decided: Plan) -> list[str]:
    """Apply everything but what namespaces hold for a trial, strictly; a trial makes no namespace to hold it."""
    problems = []
    for manifest in manifests(decided):
        if "namespace" in manifest["metadata"]:
            manifest["metadata"] = {**manifest["metadata"], "namespace": "default"}
        try:
            lab.kube.apply(manifest, dry_run=True)
        except Exception as error:  # noqa: BLE001 - every refusal is reported
            problems.append(f"{manifest['kind']} {manifest['metadata']['name']}: {error}")
    return problems


@pytest.mark.parametrize("environment", ["dev", "staging", "prod", "broken"])
def test_the_api_server_accepts_every_manifest_of_a_shipped_fleet(lab: Lab, environment: str, repository: Path) -> None:
    assert refused(lab, plan(load_bytes((repository / f"stacks/{environment}.yaml").read_bytes()))) == []


def test_the_api_server_accepts_every_form_of_a_pool(lab: Lab) -> None:
    assert refused(lab, varied()) == []


@pytest.mark.parametrize("kind", CUSTOM)
def test_a_field_table_is_the_schema_that_the_api_server_has(lab: Lab, kind: str) -> None:
    kept = shipped(kind)
    group, _, version = str(kept["apiVersion"]).partition("/")
    plural = "ec2nodeclasses" if kind == "EC2NodeClass" else f"{kind.lower()}s"
    definition = lab.kube.get(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{plural}.{group}")
    assert {key: kept[key] for key in ("apiVersion", "kind", "schema")} == table(definition, version)


@pytest.mark.parametrize("kind", CUSTOM)
def test_a_field_table_names_the_version_that_the_lab_runs(kind: str) -> None:
    assert (TABLES / f"{kind}.json").exists()
    _, karpenter, _, kueue = load_table()["crds"].version.split("-")
    assert f" v{kueue if 'kueue' in shipped(kind)['source'] else karpenter} " in shipped(kind)["source"]
