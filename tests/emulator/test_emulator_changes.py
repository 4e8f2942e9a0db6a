"""What a change does: how it is shown, what it replaces, in which order, and what a preview knows of it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from emulated_aws import Driver, RefusedInputs
from emulated_estate import TAGS, Estate, policy
from emulated_examples import EXAMPLES
from gpulanes_lab.aws.diffing import deletes_first, differences
from gpulanes_lab.aws.registry import resource_for
from gpulanes_lab.aws.values import UNKNOWN, Document

NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
CASES = Path(__file__).with_name("differences.yaml")


@pytest.mark.parametrize("case", yaml.safe_load(CASES.read_text(encoding="utf-8")), ids=lambda case: case["case"])
def test_a_difference_has_its_path_its_kind_and_whether_it_replaces(case: Document) -> None:
    resource = resource_for(case["type"])
    defaults = {one.name: one.default for one in resource.fields if one.default is not None}
    old, new = (defaults | _known(case.get(side, {})) for side in ("old", "new"))

    found = [f"{one.kind} {one.path}{' (replaces)' if one.replaces else ''}" for one in differences(resource, old, new)]

    assert found == case["expected"]


def _known(value: Any) -> Any:  # noqa: ANN401 - plain data
    """Return plain data of a case, in which the word unknown stands for an unknown."""
    if isinstance(value, dict):
        return {name: _known(item) for name, item in value.items()}
    return UNKNOWN if value == "unknown" else value


@pytest.mark.parametrize(
    ("old", "new", "first"),
    [
        ({"nodeGroupName": "fixed"}, {"nodeGroupName": "fixed"}, True),
        ({"nodeGroupName": "one"}, {"nodeGroupName": "two"}, False),
        ({"nodeGroupName": "made", "__defaults": ["nodeGroupName"]}, {"nodeGroupName": "made"}, False),
        ({"nodeGroupName": "made"}, {}, False),
        ({"nodeGroupName": "fixed"}, {"nodeGroupName": UNKNOWN}, False),
    ],
)
def test_only_a_name_that_would_clash_is_deleted_first(old: Document, new: Document, *, first: bool) -> None:
    cluster = {"clusterName": "fleet"}

    assert deletes_first(resource_for(NODE_GROUP), cluster | old, cluster | new) is first


def test_what_has_no_name_of_its_own_is_never_deleted_first() -> None:
    assert not deletes_first(resource_for("aws:ec2/subnet:Subnet"), {}, {})


def test_a_generated_name_stays_while_the_resource_does_and_is_new_for_another(aws: Driver) -> None:
    bucket = "aws:s3/bucket:Bucket"
    first = aws.check(bucket, "Models", {})
    again = aws.check(bucket, "Models", {"tags": TAGS}, first)

    assert first["bucket"].startswith("models-")
    assert len(first["bucket"]) == len("models-") + 7
    assert again["bucket"] == first["bucket"]
    assert "bucket" in first["__defaults"]
    assert aws.check(bucket, "models", {"bucket": "chosen"})["__defaults"] == ["forceDestroy"]


def test_a_name_too_long_to_generate_is_refused_and_never_cut(aws: Driver) -> None:
    with pytest.raises(RefusedInputs, match="use at most 56 characters"):
        aws.check("aws:iam/role:Role", "r" * 57, {"assumeRolePolicy": policy({"Effect": "Allow"})})


def test_a_prefix_makes_a_unique_name(aws: Driver) -> None:
    inputs = {"assumeRolePolicy": policy({"Effect": "Allow"}), "namePrefix": "nodes-"}
    one, other = (aws.create("aws:iam/role:Role", name, inputs) for name in ("one", "other"))

    assert "name" not in one.inputs
    assert one.id.startswith("nodes-")
    assert one.id != other.id
    assert aws.preview("aws:iam/role:Role", "third", inputs)["name"] is UNKNOWN
    assert aws.refresh(one)[1] == []


def test_a_planned_template_version_is_unknown_and_so_reaches_its_node_groups(aws: Driver) -> None:
    made = aws.create(TEMPLATE, "template", {"metadataOptions": {"httpTokens": "required"}})

    promised = aws.update(made, {"metadataOptions": {"httpTokens": "optional"}}, preview=True)
    changed = aws.update(made, {"metadataOptions": {"httpTokens": "optional"}})

    assert promised.outputs["latestVersion"] is UNKNOWN
    assert changed.outputs["latestVersion"] == 2


def test_tags_of_a_template_make_no_new_version(aws: Driver) -> None:
    made = aws.create(TEMPLATE, "template", {"metadataOptions": {"httpTokens": "required"}})
    wanted = {"metadataOptions": {"httpTokens": "required"}, "tags": TAGS}

    promised = aws.update(made, wanted, preview=True)
    changed = aws.update(made, wanted)

    assert promised.outputs["latestVersion"] == 1
    assert changed.outputs["latestVersion"] == 1
    assert changed.outputs["tagsAll"] == TAGS


def test_the_default_version_follows_only_when_asked(aws: Driver) -> None:
    kept = aws.create(TEMPLATE, "kept", {"imageId": "ami-1"})
    moved = aws.create(TEMPLATE, "moved", {"imageId": "ami-1", "updateDefaultVersion": True})

    assert aws.update(kept, {"imageId": "ami-2"}).outputs["defaultVersion"] == 1
    assert aws.update(moved, {"imageId": "ami-2", "updateDefaultVersion": True}).outputs["defaultVersion"] == 2


def test_a_new_template_version_moves_the_node_group_in_place(aws: Driver) -> None:
    estate = Estate(aws)
    made = aws.create(NODE_GROUP, "group", estate.node_group_inputs())
    aws.update(estate.template(), {"metadataOptions": {"httpTokens": "optional"}})
    wanted = estate.node_group_inputs(launchTemplate={"id": estate.template().id, "version": "2"})

    diff = aws.diff(made, wanted)
    moved = aws.update(made, wanted)

    assert (diff.diffs, diff.replaces) == (["launchTemplate.version"], [])
    assert moved.outputs["launchTemplate"]["version"] == "2"
    assert aws.refresh(moved)[1] == []


def test_an_update_preview_keeps_what_does_not_change(aws: Driver) -> None:
    kind = "aws:ec2/vpc:Vpc"
    made = aws.create(kind, "vpc", EXAMPLES[kind].inputs(Estate(aws)))

    promised = aws.update(made, {**made.inputs, "tags": {"owner": "x"}}, preview=True)

    assert promised.outputs["arn"] == made.outputs["arn"]
    assert promised.outputs["tagsAll"] == {"owner": "x"}


def test_a_changed_table_gives_the_association_a_new_id_and_it_is_still_found(aws: Driver) -> None:
    kind = "aws:ec2/routeTableAssociation:RouteTableAssociation"
    estate, example = Estate(aws), EXAMPLES[kind]
    made = aws.create(kind, "association", example.inputs(estate))
    assert example.change is not None
    moved = aws.update(made, example.change(estate))

    now, drift = aws.refresh(moved)
    aws.delete(moved)

    assert drift == []
    assert now is not None
    assert now.id != made.id
    assert aws.refresh(moved)[0] is None
