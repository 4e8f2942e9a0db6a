import json
from dataclasses import replace
from typing import Any

import pytest

from builders_resources import TAGS, cluster_ref, storage
from gpulanes.plan.model import LustrePlan, StoragePlan
from gpulanes.resources import ArgumentsError, StorageTiers
from recording import Registrations, record

LUSTRE = "aws:fsx/lustreFileSystem:LustreFileSystem"
LINK = "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"
INGRESS = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
EGRESS = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"


def hot(**changed: Any) -> LustrePlan:  # noqa: ANN401
    planned = storage().hot
    assert planned is not None
    return replace(planned, **changed)


def tiers(
    plan: StoragePlan, *, protect: bool = True, lanes: tuple[str, ...] = ("inference", "training")
) -> Registrations:
    return record(
        lambda: StorageTiers(
            "data", plan=plan, cluster=cluster_ref(), lanes=list(lanes), tags=dict(TAGS), protect=protect
        )
    )


def test_stores_are_protected_when_asked_and_free_when_not() -> None:
    for type_ in (LUSTRE, "aws:s3/bucket:Bucket"):
        assert all(item.protect for item in tiers(storage()).of(type_))
        assert not any(item.protect for item in tiers(storage(), protect=False).of(type_))


def test_a_linked_file_system_exports_to_the_archive_and_keeps_no_backups() -> None:
    found = tiers(storage())
    link = found.one(LINK).props
    assert link["dataRepositoryPath"] == "s3://chat-test-archive-1/checkpoints"
    assert link["fileSystemPath"] == "/checkpoints"
    assert link["s3"]["autoExportPolicy"] == {"events": ["NEW", "CHANGED", "DELETED"]}
    system = found.one(LUSTRE).props
    assert (system["automaticBackupRetentionDays"], system["skipFinalBackup"]) == (0, True)


def test_a_link_without_export_only_imports() -> None:
    link = tiers(storage(hot=hot(export_events=()))).one(LINK).props
    assert set(link["s3"]) == {"autoImportPolicy"}


def test_a_file_system_of_its_own_is_backed_up_in_the_end() -> None:
    found = tiers(storage(hot=hot(linked_prefix="")))
    assert found.of(LINK) == []
    system = found.one(LUSTRE).props
    assert (system["automaticBackupRetentionDays"], system["skipFinalBackup"]) == (7, False)


def test_scratch_has_neither_throughput_nor_backups() -> None:
    scratch = hot(deployment_type="SCRATCH_2", throughput_per_tib=0, metadata_iops=0, linked_prefix="")
    system = tiers(StoragePlan(hot=scratch)).one(LUSTRE).props
    assert not {"perUnitStorageThroughput", "metadataConfiguration"} & set(system)
    assert system["automaticBackupRetentionDays"] == 0


def test_the_file_system_stands_in_its_zone() -> None:
    assert tiers(storage(hot=hot(zone="us-east-1b"))).one(LUSTRE).props["subnetIds"] == "subnet-us-east-1b"
    with pytest.raises(ArgumentsError, match="zone-subnet"):
        tiers(storage(hot=hot(zone="us-east-1f")))


def test_lustre_ports_are_open_between_the_file_system_and_the_nodes_both_ways() -> None:
    found = tiers(storage())
    ports = {
        (rule.props["securityGroupId"], rule.props["referencedSecurityGroupId"], rule.props["fromPort"])
        for rule in found.of(INGRESS)
    }
    own, nodes = "data-hot-id", "sg-nodes"
    assert ports == {(a, b, port) for a, b in ((own, own), (own, nodes), (nodes, own)) for port in (988, 1018)}
    assert {rule.props["referencedSecurityGroupId"] for rule in found.of(EGRESS)} == {own, nodes}


def test_efa_opens_everything_to_the_fabric_and_to_itself() -> None:
    found = tiers(storage(hot=hot(efa=True)))
    everything = {r.props["referencedSecurityGroupId"] for r in found.of(INGRESS) if r.props["ipProtocol"] == "-1"}
    assert everything == {"data-hot-id", "sg-fabric"}
    assert found.one(LUSTRE).props["efaEnabled"] is True


def test_buckets_are_private_encrypted_versioned_and_refuse_plain_http() -> None:
    found = tiers(storage())
    for item in found.of("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock"):
        assert [value for key, value in item.props.items() if key != "bucket"] == [True] * 4
    for item in found.of("aws:s3/bucketPolicy:BucketPolicy"):
        [statement] = json.loads(item.props["policy"])["Statement"]
        assert (statement["Effect"], statement["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})
    for item in found.of("aws:s3/bucketVersioning:BucketVersioning"):
        assert item.props["versioningConfiguration"] == {"status": "Enabled"}
    assert len(found.of("aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration")) == 2
    assert not any(item.props["forceDestroy"] for item in found.of("aws:s3/bucket:Bucket"))


def test_the_archive_gets_colder_and_the_model_store_never_does() -> None:
    rules = {
        item.name: item.props["rules"][0]
        for item in tiers(storage()).of("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration")
    }
    assert rules["data-archive"]["transitions"] == [{"days": 30, "storageClass": "GLACIER_IR"}]
    assert "transitions" not in rules["data-serving"]
    assert all(rule["abortIncompleteMultipartUpload"] == {"daysAfterInitiation": 7} for rule in rules.values())


def test_serving_only_reads_models_and_training_publishes_under_one_prefix() -> None:
    policies = {
        item.name: json.loads(item.props["policy"])["Statement"]
        for item in tiers(storage()).of("aws:iam/rolePolicy:RolePolicy")
    }
    actions = {action for statement in policies["data-inference"] for action in _list(statement["Action"])}
    assert actions == {"s3:ListBucket", "s3:GetObject"}
    writes = [s["Resource"] for s in policies["data-training"] if "s3:PutObject" in s["Action"]]
    assert writes == ["arn:aws:test:::data-serving/published/*", "arn:aws:test:::data-archive/*"]


def _list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def test_a_lane_without_stores_and_the_system_lane_get_no_role() -> None:
    found = tiers(StoragePlan(serving=storage().serving), lanes=("inference", "system"))
    assert [item.name for item in found.of("aws:iam/role:Role")] == ["data-inference"]


def test_a_plan_of_another_kind_is_refused() -> None:
    wrong: Any = {"plan": {}, "cluster": None, "lanes": [], "tags": {}}
    with pytest.raises(ArgumentsError) as refused:
        record(lambda: StorageTiers("data", wrong))
    assert [problem.path for problem in refused.value.problems] == ["data: cluster", "data: plan"]
