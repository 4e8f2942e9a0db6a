"""What gpulanes declares: plans, components, and their children."""

from dataclasses import replace
from typing import Any

from builders_facts import camelized, plan_document, pulumi_resources, read_yaml
from gpulanes.facts import UNKNOWN, Declarations, PulumiResource, from_component, from_plan, from_pulumi
from gpulanes.facts.declarations import FLEET


def resources(text: str) -> list[PulumiResource]:
    return pulumi_resources(read_yaml(text))


def pool_fact(changed: dict[str, Any], name: str) -> Any:  # noqa: ANN401 - a fact
    return getattr(from_plan(plan_document({"pools": {"assist": changed}})).pools[1], name)


def test_a_plan_and_the_props_of_its_component_give_the_same_facts() -> None:
    plan = plan_document({})
    planned = from_plan(plan)
    declared = from_component(PulumiResource(FLEET, "urn", "fleet", camelized(plan)))
    assert [pool.labels.value for pool in planned.pools] == [pool.labels.value for pool in declared.pools]
    assert planned.pools[1].expire_after.path == "pool.disruption.expire_after"
    assert declared.pools[1].expire_after.path == "pool.disruption.expireAfter"


def test_facts_of_a_file_know_where_they_were_written() -> None:
    facts = from_plan(plan_document({}), file="prod.yaml", lines={"workloads.chat": 12, "storage.hot": 40, "tags": 5})
    assert (facts.pools[0].place.file, facts.pools[0].place.line) == ("prod.yaml", 12)
    assert facts.workloads[0].place.line == 12
    assert facts.stores[0].place.line == 40
    assert facts.pools[3].place.line == 0


def test_without_a_gpu_count_the_types_tell() -> None:
    assert pool_fact({"gpus_per_node": None}, "accelerated").value is True
    assert not pool_fact({"gpus_per_node": None, "instance_types": UNKNOWN}, "accelerated").known
    assert not pool_fact({"gpus_per_node": UNKNOWN}, "accelerated").known


def test_a_budget_that_cannot_be_read_leaves_all_open() -> None:
    assert not pool_fact({"disruption": {"budgets": [{"nodes": "1"}, {"nodes": UNKNOWN}]}}, "budgets").known
    assert not pool_fact({"disruption": {"budgets": UNKNOWN}}, "budgets").known
    absent = pool_fact({"disruption": {"budgets": None}}, "budgets")
    assert (absent.value[0].nodes, absent.given) == ("10%", False)


def test_tolerations_that_cannot_be_read_leave_all_open() -> None:
    document = plan_document({"workloads": {"chat": {"tolerations": [{"key": UNKNOWN}]}}})
    assert not from_plan(document).workloads[0].tolerations.known


def test_tiers_that_are_not_planned_do_not_exist() -> None:
    facts = from_plan(plan_document({"storage": {"hot": None, "serving": None, "archive": None}}))
    assert facts.stores == []


def test_a_name_that_is_not_known_is_said_to_be() -> None:
    facts = from_plan(plan_document({"pools": {"chat": {"name": UNKNOWN}}}))
    assert facts.pools[0].target == "pool (unknown)"
    assert [unread.fact.path for unread in facts.unread] == ["pool.name"]


def test_the_outputs_of_a_component_do_not_replace_what_it_declared() -> None:
    (fleet,) = resources("[{like: GpuFleet}]")
    declarations = Declarations()
    declarations.remember(fleet)
    outputs = replace(fleet, props={"workloads": {"chat": {}}})
    assert declarations.remember(outputs) is None
    assert len(from_pulumi([outputs], declarations=declarations, whole=True).pools) == 4


def test_a_component_that_registers_again_is_read_again() -> None:
    before, after = (
        resources(f"[{{like: InferencePool, plan: {{pools: {{chat: {{capacity: [{c}]}}}}}}}}]") for c in "ab"
    )
    declarations = Declarations()
    for registered in (*before, *after):
        declarations.remember(registered)
    assert declarations.facts[after[0].urn].pools[0].capacity.value == ("b",)


def test_other_packages_declare_nothing() -> None:
    assert Declarations().remember(PulumiResource("pkg:index:GpuFleet", "urn", "x", {"pools": []})) is None


def test_the_nearest_component_owns_a_child_and_the_outermost_is_its_root() -> None:
    fleet, pool, storage, group, bucket = resources("""
    - {like: GpuFleet}
    - {like: InferencePool, parent: GpuFleet}
    - {like: StorageTiers, parent: GpuFleet}
    - {like: inference node group, parent: InferencePool, companions: []}
    - {like: bucket, name: chat-storage, parent: StorageTiers}
    """)[:5]
    declarations = Declarations()
    for registered in (fleet, pool, storage):
        declarations.remember(registered)
    assert list(declarations.declaring(group)) == [pool.urn, fleet.urn]
    assert declarations.root(group) == fleet.urn
    owned = declarations.pool_of(group)
    assert owned is not None
    assert owned.name == "chat"
    assert declarations.pool_of(bucket) is None, "a tier belongs to no pool, whatever its name"


def test_a_fleet_without_pool_components_tells_children_by_their_names() -> None:
    fleet, spot, other = resources("""
    - {like: GpuFleet}
    - {like: training node group, name: fleet-pretrain-nodes, parent: GpuFleet, companions: []}
    - {like: training node group, name: fleet-other, parent: GpuFleet, companions: []}
    """)[:3]
    declarations = Declarations()
    declarations.remember(fleet)
    owned = declarations.pool_of(spot)
    assert owned is not None
    assert owned.name == "pretrain"
    assert declarations.pool_of(other) is None


def test_parents_in_a_circle_end() -> None:
    declarations = Declarations()
    declarations.remember(PulumiResource("gpulanes:index:GpuCluster", "a", "a", {}, parent="b"))
    declarations.remember(PulumiResource("gpulanes:index:GpuCluster", "b", "b", {}, parent="a"))
    assert declarations.root(PulumiResource("x", "c", "c", {}, parent="a")) == ""


def test_storage_tiers_alone_declare_their_stores() -> None:
    facts = from_pulumi(resources("[{like: StorageTiers}]"))
    assert [store.name for store in facts.stores] == ["chat-test-hot"]


def test_what_is_rendered_stands_for_what_is_declared() -> None:
    facts = from_pulumi(
        resources("""
        - {like: GpuFleet}
        - token: kubernetes:policy/v1:PodDisruptionBudget
          name: fleet-chat
          parent: GpuFleet
          props: {like: inference PodDisruptionBudget}
        - token: kubernetes:scheduling.k8s.io/v1:PriorityClass
          name: fleet-training
          parent: GpuFleet
          props: {metadata: {name: chat-test-training}, value: 7}
        """),
        whole=True,
    )
    assert [(pdb.name, pdb.origin) for pdb in facts.pdbs] == [("chat", "native")]
    assert [(p.name, p.kind.value, p.value.value) for p in facts.priorities] == [("chat-test-training", "training", 7)]


def test_labels_that_cannot_be_compared_are_said_to_be() -> None:
    pool, group = resources("""
    - {like: InferencePool}
    - {like: inference node group, parent: InferencePool, companions: [], props: {labels: !unknown ''}}
    """)[:2]
    facts = from_pulumi([pool, group])
    assert [m.rendered.path for m in facts.mismatches if not m.rendered.known] == ["labels"]


def test_a_cluster_declares_the_tags_of_all_that_it_creates() -> None:
    cluster = PulumiResource("gpulanes:index:GpuCluster", "urn:cluster", "main", {"tags": {"owner": "ml"}})
    vpc = PulumiResource("aws:ec2/vpc:Vpc", "urn:vpc", "network", {"tags": {"owner": "ml"}}, parent="urn:cluster")
    facts = from_pulumi([cluster, vpc], whole=True)
    assert [(tagged.target, tagged.lane) for tagged in facts.tagged] == [
        ("cluster main", False),
        ("Vpc network", False),
    ]
    above = facts.tagged[1].whole
    assert above is not None
    assert above.value == {"owner": "ml"}


def test_a_file_system_below_its_component_is_the_tier_that_was_declared() -> None:
    facts = from_pulumi(
        resources("[{like: StorageTiers}, {like: training file system, name: x, parent: StorageTiers}]"), whole=True
    )
    assert [(store.target, store.origin) for store in facts.stores] == [("file system chat-test-hot", "declared")]
