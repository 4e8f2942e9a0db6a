"""What the policy SDK hands over, as the pack sees it, and that the pack never raises."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from pulumi_policy import (
    EnforcementLevel,
    Policy,
    PolicyCustomTimeouts,
    PolicyProviderResource,
    PolicyResource,
    PolicyResourceOptions,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    StackValidationArgs,
    StackValidationPolicy,
)
from pulumi_policy.proxy import unknown_checking_proxy

from gpulanes.facts import UNKNOWN
from gpulanes.facts.resource import _UNKNOWN_TEXTS
from gpulanes_policies import pack
from gpulanes_policies.proxies import default_tags, plain_props, resource_of, stack_resource

TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
GROUP = "aws:eks/nodeGroup:NodeGroup"


class Told:
    """Keeps what a policy reports."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def __call__(self, message: str, urn: str | None = None) -> None:
        del urn
        self.messages.append(message)


def options(**changed: Any) -> PolicyResourceOptions:  # noqa: ANN401 - fields of the options
    given = {"protect": True, "ignore_changes": ["a"], "parent": "urn:parent", **changed}
    return PolicyResourceOptions(
        given["protect"], given["ignore_changes"], None, [], PolicyCustomTimeouts(0, 0, 0), [], given["parent"]
    )


def provider(props: Mapping[str, Any]) -> PolicyProviderResource:
    return PolicyProviderResource("pulumi:providers:aws", unknown_checking_proxy(dict(props)), "urn:aws", "aws")


def args(props: dict[str, Any], token: str = GROUP) -> ResourceValidationArgs:
    return ResourceValidationArgs(token, unknown_checking_proxy(props), "urn:x", "x", options(), None, None, None)


def test_the_texts_of_unknown_values_are_those_of_the_sdk() -> None:
    from pulumi_policy import proxy  # noqa: PLC0415 - only its constants

    assert {value for name, value in vars(proxy).items() if name.startswith("UNKNOWN_")} == _UNKNOWN_TEXTS


def test_an_unknown_becomes_a_value_and_hides_no_other() -> None:
    props: dict[str, Any] = {"a": TEXT, "b": [1.0, TEXT, {"c": TEXT, "d": "x"}], "e": {}, "f": None, "g": 2.5}
    plain: Any = plain_props(unknown_checking_proxy(props))
    assert plain["a"] is plain["b"][1] is plain["b"][2]["c"] is UNKNOWN
    assert (plain["b"][0], plain["b"][2]["d"], plain["e"], plain["f"], plain["g"]) == (1, "x", {}, None, 2.5)


def test_a_resource_keeps_its_options() -> None:
    resource = resource_of(args({"capacityType": "SPOT"}))
    assert (resource.parent, resource.protect, resource.ignore_changes) == ("urn:parent", True, ("a",))


@pytest.mark.parametrize(
    ("given", "tags"),
    [
        ({"defaultTags": {"tags": {"owner": "x", "odd": 3.0}}}, {"owner": "x"}),
        ({"defaultTags": '{"tags": {"owner": "x"}}'}, {"owner": "x"}),
        ({"defaultTags": "not json"}, {}),
        ({"defaultTags": TEXT}, {}),
        ({"defaultTags": {"tags": TEXT}}, {}),
        ({"defaultTags": "[]"}, {}),
        ({}, {}),
    ],
)
def test_default_tags_are_read_in_every_form_a_provider_has_them(given: dict[str, Any], tags: dict[str, str]) -> None:
    assert default_tags(provider(given)) == tags


def test_a_provider_that_is_not_given_has_no_tags() -> None:
    assert default_tags(None) == {}


def stacked(name: str, **changed: Any) -> PolicyResource:  # noqa: ANN401 - fields of the resource
    fields = {"parent": None, "dependencies": [], "property_dependencies": {}, "props": {}, **changed}
    props = unknown_checking_proxy(fields["props"])
    return PolicyResource(
        GROUP,
        props,
        f"urn:{name}",
        name,
        options(),
        None,
        fields["parent"],
        fields["dependencies"],
        fields["property_dependencies"],
    )


def test_a_stack_resource_names_what_it_depends_on() -> None:
    subnet = stacked("subnet")
    made = stacked("group", parent=subnet, dependencies=[subnet], property_dependencies={"subnetIds": [subnet]})
    resource = stack_resource(made)
    assert resource.parent == "urn:subnet"
    assert resource.dependencies == ("urn:subnet",)
    assert resource.property_dependencies == {"subnetIds": ("urn:subnet",)}
    assert stack_resource(subnet).parent == ""


def test_the_levels_of_the_policies() -> None:
    levels = {policy.name: policy.enforcement_level for policy in pack.policies()}
    assert levels["gpulanes"] == levels["gpulanes-stack"] == EnforcementLevel.MANDATORY
    assert levels["gpulanes-advisory"] == levels["gpulanes-stack-advisory"] == EnforcementLevel.ADVISORY


def test_what_goes_wrong_in_the_pack_is_a_violation_and_never_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception would end the preview; silence would pass for a pass."""

    def broken(_: object) -> None:
        message = "out of order"
        raise RuntimeError(message)

    monkeypatch.setattr(pack, "resource_of", broken)
    monkeypatch.setattr(pack, "stack_resource", broken)
    told = Told()
    for policy in pack.policies():
        if isinstance(policy, ResourceValidationPolicy):
            policy.validate(args({}), told)
        elif isinstance(policy, StackValidationPolicy):
            policy.validate(StackValidationArgs([stacked("x")]), told)
    assert told.messages == ["the pack could not judge this: RuntimeError: out of order"] * 4


def test_the_advisory_policy_judges_for_itself_when_the_mandatory_one_is_disabled() -> None:
    told = Told()
    advisory = pack.policies()[1]
    assert isinstance(advisory, ResourceValidationPolicy)
    config = {"environment": "dev"}
    asked = args({"capacityType": "SPOT", "labels": {"workload": "inference"}})
    dev = ResourceValidationArgs(
        asked.resource_type, asked.props, asked.urn, asked.name, asked.opts, None, config, None
    )
    advisory.validate(dev, told)
    assert any(message.startswith("CAP-02") for message in told.messages)


def tell_all(policies: Sequence[Policy], asked: ResourceValidationArgs, config: Mapping[str, Any] | None) -> Told:
    """Ask every policy about a resource, then about a stack of it, as the engine does."""
    told = Told()
    resource = stacked("x", props=dict(asked.props))
    for policy in policies:
        if isinstance(policy, ResourceValidationPolicy):
            parts = (asked.resource_type, asked.props, asked.urn, asked.name, asked.opts, None, config, None)
            policy.validate(ResourceValidationArgs(*parts), told)
        elif isinstance(policy, StackValidationPolicy):
            policy.validate(StackValidationArgs([resource], config), told)
    return told


def test_the_four_policies_say_each_finding_once_at_its_level() -> None:
    props = {"capacityType": "SPOT", "labels": {"workload": "inference"}, "scalingConfig": {"minSize": 2}}
    told = tell_all(pack.policies(), args(props), None)
    named = [message.partition(" ")[0] for message in told.messages]
    assert named.count("CAP-02") == 1
    assert named.count("ZON-01") == 1, "the stack's advice, which the resource could not give"
    assert named.count("TAG-01") == 1


def test_resources_that_no_rule_reads_cost_nothing() -> None:
    assert tell_all(pack.policies()[:2], args({}, "aws:ec2/route:Route"), None).messages == []


def test_a_configuration_that_is_wrong_is_said_once_on_the_stack_resource() -> None:
    wrong = {"environment": "production"}
    told = tell_all(pack.policies(), args({}, "pulumi:pulumi:Stack"), wrong)
    said = [message.splitlines()[0] for message in told.messages]
    assert said.count("the configuration of the pack is not understood:") == 1


def test_props_that_are_no_mapping_are_empty() -> None:
    assert resource_of(args([])).props == {}  # type: ignore[arg-type] # nothing else than a mapping is sent
