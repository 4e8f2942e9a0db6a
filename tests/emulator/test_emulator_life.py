"""Every covered type lives its whole life over moto: created, read, changed, replaced, imported, deleted."""

import pytest

from emulated_aws import Driver
from emulated_estate import Estate
from emulated_examples import EXAMPLES
from gpulanes_lab.aws.registry import resources
from gpulanes_lab.aws.values import UNKNOWN

TYPES = sorted(EXAMPLES)
CHANGED = [kind for kind in TYPES if EXAMPLES[kind].change]
REPLACED = [kind for kind in TYPES if EXAMPLES[kind].replacing]


def test_every_covered_type_has_an_example() -> None:
    assert set(EXAMPLES) == set(resources())


@pytest.mark.parametrize("kind", TYPES)
def test_a_new_resource_has_every_output_and_no_drift(kind: str, aws: Driver) -> None:
    made = aws.create(kind, "example", EXAMPLES[kind].inputs(Estate(aws)))

    now, drift = aws.refresh(made)

    assert drift == []
    assert now is not None
    assert now.id == made.id
    assert now.inputs == made.inputs
    assert now.outputs == made.outputs
    absent = [one.name for one in resources()[kind].fields if one.change == "computed" and one.name not in made.outputs]
    assert [name for name in absent if (kind, name) not in ABSENT] == []


# Outputs that exist only once something else uses the resource.
ABSENT = {("aws:ec2/eip:Eip", "associationId"), ("aws:ec2/eip:Eip", "privateIp")}


@pytest.mark.parametrize("kind", TYPES)
def test_the_same_inputs_again_are_no_change(kind: str, aws: Driver) -> None:
    estate = Estate(aws)
    made = aws.create(kind, "example", EXAMPLES[kind].inputs(estate))

    assert aws.diff(made, EXAMPLES[kind].inputs(estate)).diffs == []


@pytest.mark.parametrize("kind", CHANGED)
def test_a_change_in_place_reaches_the_cloud(kind: str, aws: Driver) -> None:
    estate, example = Estate(aws), EXAMPLES[kind]
    made = aws.create(kind, "example", example.inputs(estate))
    assert example.change is not None
    wanted = example.change(estate)

    diff = aws.diff(made, wanted)
    changed = aws.update(made, wanted)
    now, drift = aws.refresh(changed)

    assert diff.diffs
    assert not diff.replaces
    assert drift == []
    assert now is not None
    assert now.outputs == changed.outputs
    assert aws.diff(changed, wanted).diffs == []


@pytest.mark.parametrize("kind", REPLACED)
def test_a_change_of_what_is_fixed_replaces_the_resource(kind: str, aws: Driver) -> None:
    estate, example = Estate(aws), EXAMPLES[kind]
    made = aws.create(kind, "example", example.inputs(estate))
    assert example.replacing is not None

    diff = aws.diff(made, example.replacing(estate))

    assert diff.replaces
    assert set(diff.replaces) <= set(diff.diffs)


@pytest.mark.parametrize("kind", TYPES)
def test_a_resource_is_imported_by_its_id_alone(kind: str, aws: Driver) -> None:
    example = EXAMPLES[kind]
    inputs = example.inputs(Estate(aws))
    made = aws.create(kind, "example", inputs)
    resource_id = example.imported_as(made.outputs) if example.imported_as else made.id

    found = aws.imported(kind, resource_id)

    assert found is not None
    # What was written stands in the imported state, so importing it under the same program changes nothing.
    switches = [one.name for one in resources()[kind].fields if one.api == "" and one.name not in found.outputs]
    program = {name: value for name, value in inputs.items() if name not in switches}
    assert aws.diff(found, {**program, **_name(kind, found.inputs)}).diffs == []
    aws.check(kind, "imported", found.inputs)


def _name(kind: str, inputs: dict[str, object]) -> dict[str, object]:
    rule = resources()[kind].autoname
    return {rule.field: inputs[rule.field]} if rule else {}


@pytest.mark.parametrize("kind", TYPES)
def test_a_deleted_resource_is_gone_and_deleting_it_again_is_no_error(kind: str, aws: Driver) -> None:
    made = aws.create(kind, "example", EXAMPLES[kind].inputs(Estate(aws)))

    aws.delete(made)

    gone, _ = aws.refresh(made)
    if not kind.endswith(("BucketVersioning",)):  # a bucket always has a versioning state
        assert gone is None
    aws.delete(made)


@pytest.mark.parametrize("kind", TYPES)
def test_a_preview_promises_inputs_and_leaves_outputs_unknown(kind: str, aws: Driver) -> None:
    inputs = EXAMPLES[kind].inputs(Estate(aws))

    promised = aws.preview(kind, "example", inputs)

    for one in resources()[kind].fields:
        if one.change == "computed" and one.name != "tagsAll":
            assert promised[one.name] is UNKNOWN, one.name
    for name in inputs:
        assert name in promised


@pytest.mark.parametrize("kind", TYPES)
def test_a_preview_carries_unknown_inputs_through(kind: str, aws: Driver) -> None:
    inputs = EXAMPLES[kind].inputs(Estate(aws))
    fields = {one.name: one for one in resources()[kind].fields}
    unknown = {name: UNKNOWN if fields[name].kind in ("string", "strings", "json") else inputs[name] for name in inputs}

    promised = aws.preview(kind, "example", unknown)

    assert {name for name in unknown if unknown[name] is UNKNOWN} == {
        name for name in unknown if promised[name] is UNKNOWN
    }
