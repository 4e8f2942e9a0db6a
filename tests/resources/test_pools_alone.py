from typing import Any

import pulumi
import pytest

from builders_resources import TAGS, ZONES, cluster_ref
from gpulanes.kinds.plain import to_plain
from gpulanes.resources import (
    ArgumentsError,
    BatchPool,
    InferencePool,
    InferencePoolArgs,
    LanePool,
    SystemPool,
    TrainingPool,
)
from programs_resources import kubernetes
from recording import Registrations, record


def inference_args(**changed: Any) -> InferencePoolArgs:  # noqa: ANN401
    args: dict[str, Any] = {
        "cluster": cluster_ref(),
        "instance_types": ["g6e.12xlarge"],
        "zones": list(ZONES),
        "nodes": 6,
        "tags": dict(TAGS),
    }
    return InferencePoolArgs(**{**args, **changed})  # type: ignore[typeddict-item]


def refused(**changed: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    with pytest.raises(ArgumentsError) as error:
        record(lambda: InferencePool("chat", inference_args(**changed)))
    return [(problem.code, problem.path.removeprefix("chat: ")) for problem in error.value.problems]


def test_an_inference_pool_is_one_call_with_explicit_counts() -> None:
    made: list[LanePool] = []
    found = record(
        lambda: made.append(
            InferencePool(
                "chat",
                cluster=cluster_ref(),
                instance_types=["g6e.12xlarge"],
                zones=list(ZONES),
                nodes=6,
                tags=dict(TAGS),
            )
        )
    )
    assert found[0].type == "gpulanes:index:InferencePool"
    assert found[0].props["pool"] == to_plain(made[0].pool, camel_case=True)
    group = found.one("aws:eks/nodeGroup:NodeGroup").props
    assert group["scalingConfig"] == {"minSize": 6, "desiredSize": 6, "maxSize": 6}
    assert made[0].node_selector["workload"] == "inference"
    assert {"key": "workload", "operator": "Equal", "value": "inference", "effect": "NoSchedule"} in made[0].tolerations


def test_a_training_pool_on_spot_takes_its_checkpoint_and_window() -> None:
    found = record(
        lambda: TrainingPool(
            "pretrain",
            cluster=cluster_ref(),
            instance_types=["p5.48xlarge"],
            zones=["us-east-1a"],
            nodes=0,
            max_nodes=8,
            capacity=["spot"],
            checkpoint={"store": "hot", "interval": "30m", "size": "1.1TB"},
            longest_job="3d",
            window="Wed 12:00 +4h UTC",
            multi_node=True,
            fleet="chat",
            tags=dict(TAGS),
            opts=kubernetes(),
        )
    )
    declared = found.one("gpulanes:index:TrainingPool").props["pool"]
    assert declared["checkpoint"] == {"store": "hot", "intervalSeconds": 1800, "sizeBytes": 1_100_000_000_000}
    assert declared["nodes"] == {"min": 0, "desired": 0, "max": 8}
    assert found.one("kubernetes:karpenter.sh/v1:NodePool").props["metadata"]["name"] == "chat-pretrain"


def test_batch_and_system_pools_stand_alone_too() -> None:
    def program() -> None:
        shared: Any = {"cluster": cluster_ref(), "zones": list(ZONES), "nodes": 2, "tags": dict(TAGS)}
        BatchPool("scoring", instance_types=["g6e.12xlarge"], opts=kubernetes(), **shared)
        SystemPool("system", instance_types=["m7i.xlarge"], **shared)

    found = record(program)
    assert {item.type for item in found if item.type.startswith("gpulanes")} == {
        "gpulanes:index:BatchPool",
        "gpulanes:index:SystemPool",
    }


def test_every_wrong_argument_is_named_at_once() -> None:
    assert refused(
        instance_types="g6e.12xlarge",
        nodes=2.5,
        min_nodes=True,
        capacity=["spott"],
        window="Sunday",
        tags={"environment": 1},
        zoness=["us-east-1a"],
        reservation={"id": "cr-1", "tags": {"a": "b"}, "node": 3},
        provisioner=3,
    ) == [
        ("argument-unknown", "zoness"),
        ("argument", "capacity"),
        ("argument", "instance_types"),
        ("argument", "nodes"),
        ("argument", "min_nodes"),
        ("argument", "tags"),
        ("argument", "provisioner"),
        ("argument", "window"),
        ("argument-unknown", "reservation.node"),
        ("argument-missing", "reservation.nodes"),
        ("argument", "reservation.id"),
    ]


def test_a_misspelt_argument_gets_the_right_name() -> None:
    with pytest.raises(ArgumentsError, match="use instance_types"):
        record(lambda: InferencePool("chat", inference_args(instance_typs=["g6e.12xlarge"])))


def test_whole_numbers_of_other_languages_are_taken() -> None:
    found = record(lambda: InferencePool("chat", inference_args(nodes=6.0)))
    assert found.one("aws:eks/nodeGroup:NodeGroup").props["scalingConfig"]["desiredSize"] == 6


@pytest.mark.parametrize("field", ["nodes", "capacity", "zones", "tags", "reservation"])
def test_a_guarded_field_is_no_output(field: str) -> None:
    def program() -> None:
        InferencePool("chat", inference_args(**{field: pulumi.Output.from_input("later")}))

    with pytest.raises(ArgumentsError) as error:
        record(program)
    [problem] = error.value.problems
    assert (problem.code, problem.path) == ("guarded-output", f"chat: {field}")


def test_an_output_inside_a_guarded_value_is_found() -> None:
    def program() -> None:
        InferencePool("chat", inference_args(tags={"owner": pulumi.Output.from_input("ml")}))

    with pytest.raises(ArgumentsError) as error:
        record(program)
    assert "chat: tags.owner" in [problem.path for problem in error.value.problems]


@pytest.mark.parametrize(
    ("changed", "problems"),
    [
        ({"cluster": "shared"}, [("cluster-ref", "cluster")]),
        ({"cluster": cluster_ref(name="")}, [("argument-missing", "cluster.name")]),
        ({"cluster": {**cluster_ref(), "subnet": {}}}, [("argument-unknown", "cluster.subnet")]),
        ({"cluster": cluster_ref(subnets=["subnet-a"])}, [("guarded-output", "cluster.subnets")]),
        ({"zones": ["us-east-1d"]}, [("zone-subnet", "pools.chat.zones")]),
        ({"instance_types": ["g6e.13xlarge"]}, [("unknown-instance-type", "instance_types[0]")]),
        ({"capacity": ["reserved"]}, [("reservation-missing", "reservation")]),
    ],
)
def test_a_pool_that_cannot_be_is_refused(changed: dict[str, Any], problems: list[tuple[str, str]]) -> None:
    assert refused(**changed) == problems


def test_ids_of_the_cluster_may_be_outputs() -> None:
    def program() -> None:
        later = pulumi.Output.from_input("subnet-later")
        InferencePool("chat", inference_args(cluster=cluster_ref(subnets=dict.fromkeys(ZONES, later))))

    found = record(program)
    assert found.one("aws:eks/nodeGroup:NodeGroup").props["subnetIds"] == ["subnet-later"] * 3


def test_the_version_of_the_cluster_is_plain() -> None:
    def program() -> None:
        InferencePool("chat", inference_args(cluster=cluster_ref(version=pulumi.Output.from_input("1.34"))))

    with pytest.raises(ArgumentsError, match=r"cluster\.version"):
        record(program)


def test_a_karpenter_pool_without_an_explicit_provider_is_refused() -> None:
    assert refused(provisioner="karpenter") == [("kubernetes-provider", "opts.providers")]


def test_the_provider_is_inherited_from_a_parent() -> None:
    def program() -> None:
        parent = pulumi.ComponentResource("test:index:Team", "team", None, kubernetes())
        InferencePool("chat", inference_args(provisioner="karpenter"), pulumi.ResourceOptions(parent=parent))

    found: Registrations = record(program)
    assert found.one("kubernetes:karpenter.sh/v1:NodePool").provider.startswith("urn:pulumi:test::gpulanes::")


def test_an_error_reaches_the_user_as_a_list_without_a_traceback() -> None:
    with pytest.raises(pulumi.RunError, match="chat: nodes"):
        record(lambda: InferencePool("chat", inference_args(nodes="six")))
