"""The real pack in a process of its own, asked over gRPC as the engine asks it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from analyzer import Analyzer, Diagnostic, running_pack
from builders_facts import CASES, camelized, plan_document, pulumi_resources, read_yaml
from gpulanes.facts import UNKNOWN, PulumiResource
from gpulanes.fleet import load_text
from gpulanes.kinds.plain import to_plain
from gpulanes.plan import plan
from gpulanes_policies.engine import load_rules

ROOT = Path(__file__).parents[2]
FLEET = "gpulanes:index:GpuFleet"
URN = "urn:pulumi:test::gpulanes::gpulanes:index:GpuFleet::fleet"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_pack(ROOT / "policies") as address:
        yield address


@pytest.fixture
def pack(address: str) -> Iterator[Analyzer]:
    """The pack with its default configuration."""
    with grpc.insecure_channel(address) as channel:
        analyzer = Analyzer(channel)
        analyzer.configure({"environment": "prod"})
        yield analyzer


def fleet(**changed: Any) -> PulumiResource:  # noqa: ANN401 - a document
    return PulumiResource(FLEET, URN, "fleet", camelized(plan_document(changed)))


def shipped(name: str) -> PulumiResource:
    file = ROOT / "stacks" / f"{name}.yaml"
    planned = plan(load_text(file.read_text(encoding="utf-8"), file=file.name))
    props = to_plain(planned, camel_case=True)
    assert isinstance(props, dict)
    return PulumiResource(FLEET, URN, name, props)


def rules(diagnostics: list[Diagnostic]) -> list[tuple[str, str]]:
    return [(diagnostic.rule, diagnostic.level) for diagnostic in diagnostics]


def resources(text: str) -> list[PulumiResource]:
    return pulumi_resources(read_yaml(text))


def register(pack: Analyzer, registered: list[PulumiResource]) -> list[Diagnostic]:
    """Ask about each resource in turn, and then about the stack, as a preview does."""
    found = [diagnostic for resource in registered for diagnostic in pack.analyze(resource)]
    return found + pack.analyze_stack(registered)


def test_the_pack_has_four_policies_and_a_schema_for_every_rule(pack: Analyzer) -> None:
    policies = pack.info().policies
    names = [policy.name for policy in policies]
    assert names == ["gpulanes", "gpulanes-advisory", "gpulanes-stack", "gpulanes-stack-advisory"]
    for policy in policies:
        schema = policy.configSchema.properties
        assert set(schema["rules"]["properties"]) == {rule.id for rule in load_rules()}


@pytest.mark.parametrize("name", ["prod", "staging", "dev"])
def test_a_shipped_fleet_passes(pack: Analyzer, name: str) -> None:
    assert pack.analyze(shipped(name)) == []


def test_a_broken_fleet_is_refused_on_the_component_alone(pack: Analyzer) -> None:
    """Before any child exists, so that an update creates nothing."""
    named = {rule for rule, level in rules(pack.analyze(shipped("broken"))) if level == "mandatory"}
    assert named >= {
        *("CAP-01", "CAP-02", "ZON-01", "SIZ-01", "SIZ-04", "CLS-01", "ISO-01", "ISO-02"),
        *("DIS-01", "DIS-05", "PDB-01", "PRI-01", "STO-01", "GPU-01", "TAG-01"),
    }


def test_a_message_names_rule_pool_path_value_limit_and_fix(pack: Analyzer) -> None:
    (found,) = pack.analyze(fleet(pools={"chat": {"capacity": ["spot"]}}))
    assert found.level == "mandatory"
    assert found.lines[1:] == (
        "CAP-02 (critical): A node group for inference takes no interruptible capacity",
        "  pool chat: pool.capacity is spot",
        "  allowed: on-demand or reserved capacity",
        "  fix: set the capacity type to ON_DEMAND (in a fleet file: capacity [on-demand])",
    )


def test_an_unknown_in_a_guarded_field_is_mandatory_and_hides_nothing(pack: Analyzer) -> None:
    changed = {"chat": {"capacity": UNKNOWN, "nodes": {"min": 0}}, "assist": {"taints": UNKNOWN}}
    found = pack.analyze(fleet(pools=changed))
    assert ("SIZ-01", "mandatory") in rules(found)
    proofs = [diagnostic for diagnostic in found if diagnostic.rule == "CAP-02"]
    assert [proof.level for proof in proofs] == ["mandatory"]
    assert proofs[0].lines[3] == "  allowed: a plain value: this cannot be proven at preview"


def test_an_unknown_in_a_raw_resource_is_mandatory_too(pack: Analyzer) -> None:
    """The case in which the SDK alone would say: cannot run, and let the preview pass."""
    (group, *_) = resources(
        "[{like: inference node group, props: {capacityType: !unknown '', subnetIds: !unknown ''}}]"
    )
    assert rules(pack.analyze(group)) == [("CAP-02", "mandatory")]


def test_unknown_ids_are_no_violation(pack: Analyzer) -> None:
    assert register(pack, resources("[{like: inference node group}, {like: training node group}]")) == []


def test_what_the_component_said_is_not_said_again_by_its_children(pack: Analyzer) -> None:
    registered = resources("""
    - {like: InferencePool, plan: {pools: {chat: {capacity: [spot]}}}}
    - {like: inference node group, parent: InferencePool, props: {capacityType: SPOT}}
    """)
    assert rules(register(pack, registered)) == [("CAP-02", "mandatory")]


def test_a_nested_pool_repeats_nothing_either(pack: Analyzer) -> None:
    registered = resources("""
    - {like: GpuFleet, plan: {pools: {chat: {capacity: [spot]}}}}
    - {like: InferencePool, parent: GpuFleet, plan: {pools: {chat: {capacity: [spot]}}}}
    - {like: inference node group, parent: InferencePool, props: {capacityType: SPOT}}
    """)
    assert rules(register(pack, registered)) == [("CAP-02", "mandatory")]


def test_a_child_that_differs_from_its_component_is_refused(pack: Analyzer) -> None:
    registered = resources("""
    - {like: InferencePool}
    - {like: inference node group, parent: InferencePool, props: {capacityType: SPOT}}
    """)
    assert set(rules(register(pack, registered))) == {("CAP-02", "mandatory"), ("GEN-01", "mandatory")}


def test_a_second_run_in_the_same_process_says_everything_again(pack: Analyzer) -> None:
    """A preview and the update after it may share the process."""
    broken = fleet(pools={"chat": {"capacity": ["spot"]}})
    assert rules(pack.analyze(broken)) == rules(pack.analyze(broken)) == [("CAP-02", "mandatory")]
    assert pack.analyze(fleet()) == []
    assert rules(pack.analyze(broken)) == [("CAP-02", "mandatory")]


def test_stack_rules_join_raw_resources(pack: Analyzer) -> None:
    registered = resources("[{like: inference node group, subnets: [us-east-1a]}]")
    assert pack.analyze(registered[0]) == []
    (found,) = pack.analyze_stack(registered)
    assert (found.rule, found.level, found.urn) == ("ZON-01", "mandatory", registered[0].urn)


def test_levels_and_parameters_come_from_the_configuration(pack: Analyzer) -> None:
    broken = fleet(pools={"chat": {"capacity": ["spot"], "nodes": {"min": 2}}})
    pack.configure({"rules": {"CAP-02": "advisory", "SIZ-01": {"minimum_nodes": 3}}})
    assert sorted(rules(pack.analyze(broken))) == [("CAP-02", "advisory"), ("SIZ-01", "mandatory")]
    pack.configure({"environment": "dev", "rules": {"SIZ-01": "disabled"}})
    assert rules(pack.analyze(broken)) == [("CAP-02", "advisory")]


def test_the_other_policies_follow_the_first(pack: Analyzer) -> None:
    pack.configure({"rules": {"ZON-01": "advisory"}})
    registered = resources("[{like: inference node group, subnets: [us-east-1a]}]")
    assert rules(register(pack, registered)) == [("ZON-01", "advisory")]


def test_a_wrong_configuration_is_a_violation(pack: Analyzer) -> None:
    pack.configure({"rules": {"CAP-2": "advisory"}})
    stack = PulumiResource("pulumi:pulumi:Stack", "urn:stack", "gpulanes-test", {})
    (found,) = pack.analyze(stack)
    assert found.level == "mandatory"
    assert "did you mean CAP-02?" in found.lines[2]


def test_default_tags_of_the_provider_count(pack: Analyzer) -> None:
    (bucket,) = resources("[{like: bucket, default_tags: {owner: ml-platform}, props: {tags: {owner: null}}}]")
    assert pack.analyze(bucket) == []


def stack_cases() -> dict[str, dict[str, Any]]:
    """Return the cases that are whole stacks, by name."""
    read = {f"{f.parent.name}/{f.stem}": read_yaml(f.read_text(encoding="utf-8")) for f in CASES.glob("*/*.yaml")}
    return {name: case for name, case in sorted(read.items()) if "pulumi" in case and case.get("whole", True)}


@pytest.mark.parametrize("document", stack_cases().values(), ids=stack_cases().keys())
def test_the_pack_says_what_the_engine_finds(pack: Analyzer, document: dict[str, Any]) -> None:
    found = register(pack, pulumi_resources(document["pulumi"]))
    expected = [(finding["rule"], finding["level"]) for finding in document["expect"]]
    assert sorted(set(rules(found))) == sorted(set(expected))
