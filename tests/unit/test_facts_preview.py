from typing import Any

from gpulanes.facts import from_preview, resources_of
from gpulanes_policies.engine import judge

UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
GROUP = "aws:eks/nodeGroup:NodeGroup"


def state(name: str, **changed: Any) -> dict[str, Any]:  # noqa: ANN401 - fields of a resource
    labels = {"workload": "inference"}
    tags = {"workload": "inference", "environment": "prod", "owner": "x", "cost-center": "y"}
    inputs: dict[str, Any] = {"capacityType": "SPOT", "instanceTypes": ["g6e.12xlarge"], "labels": labels, "tags": tags}
    inputs["amiType"] = "AL2023_x86_64_NVIDIA"
    inputs["taints"] = [{"key": "workload", "value": "inference", "effect": "NO_SCHEDULE"}]
    inputs["scalingConfig"] = {"minSize": 2.0, "maxSize": 4.0}
    urn = f"urn:pulumi:prod::p::{GROUP}::{name}"
    return {"urn": urn, "type": GROUP, "inputs": inputs, "outputs": {}, "parent": "urn:stack", **changed}


def found(document: dict[str, Any]) -> set[tuple[str, str]]:
    return {(f.rule, f.target) for f in judge(from_preview(document)).findings if f.rule.startswith("CAP")}


def test_a_preview_is_judged_by_its_new_states() -> None:
    steps = [
        {"op": "create", "newState": state("serving")},
        {"op": "delete", "oldState": state("old"), "newState": state("old")},
        {"op": "same"},
    ]
    assert found({"steps": steps, "duration": 1}) == {("CAP-02", "pool serving")}


def test_a_state_export_is_judged_by_what_is_not_being_deleted() -> None:
    resources = [state("serving"), state("gone", delete=True), "not a resource"]
    assert found({"version": 3, "deployment": {"resources": resources}}) == {("CAP-02", "pool serving")}


def test_what_the_engine_writes_beside_the_inputs_is_read_too() -> None:
    written = state(
        "serving",
        id="group-1",
        protect=True,
        ignoreChanges=["scalingConfig.desiredSize"],
        dependencies=["urn:a"],
        propertyDependencies={"subnetIds": ["urn:b"], "nodeRoleArn": None},
    )
    (resource,) = resources_of({"deployment": {"resources": [written]}})
    assert (resource.name, resource.parent, resource.protect) == ("serving", "urn:stack", True)
    assert resource.ignore_changes == ("scalingConfig.desiredSize",)
    assert resource.dependencies == ("urn:a",)
    assert resource.property_dependencies == {"subnetIds": ("urn:b",), "nodeRoleArn": ()}
    assert resource.props["id"] == "group-1"


def test_an_unknown_input_is_an_unknown() -> None:
    hidden = state("serving", id=UNKNOWN_TEXT)
    hidden["inputs"]["capacityType"] = UNKNOWN_TEXT
    report = judge(from_preview({"steps": [{"op": "create", "newState": hidden}]}))
    assert [(f.rule, f.outcome) for f in report.findings if f.rule == "CAP-02"] == [("CAP-02", "unknown")]


def test_a_document_of_another_kind_holds_nothing() -> None:
    assert list(resources_of({})) == []
    assert list(resources_of({"steps": "none", "deployment": {"resources": [{"type": 3, "inputs": "x"}]}})) != []
