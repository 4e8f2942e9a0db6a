from typing import Any

import pulumi
import pytest

from builders_resources import ZONES, cluster_ref
from gpulanes.resources import ArgumentsError, InferencePool
from gpulanes.resources.options import checked_options
from recording import record


def pool(opts: pulumi.ResourceOptions) -> InferencePool:
    return InferencePool(
        "chat",
        cluster=cluster_ref(),
        instance_types=["g6e.12xlarge"],
        zones=list(ZONES),
        nodes=6,
        tags={},
        opts=opts,
    )


@pytest.mark.parametrize(
    "lost",
    [
        {"ignore_changes": ["scalingConfig.desiredSize"]},
        {"replace_on_changes": ["tags"]},
        {"delete_before_replace": True},
        {"custom_timeouts": pulumi.CustomTimeouts(create="1h")},
        {"additional_secret_outputs": ["id"]},
        {"import_": "chat"},
    ],
)
def test_an_option_that_would_not_reach_the_children_is_refused(lost: dict[str, Any]) -> None:
    with pytest.raises(ArgumentsError, match=next(iter(lost))) as refused:
        record(lambda: pool(pulumi.ResourceOptions(**lost)))
    assert [problem.code for problem in refused.value.problems] == ["option-lost"]


def test_the_callers_options_are_kept() -> None:
    found = record(lambda: pool(pulumi.ResourceOptions(protect=True)))
    assert all(item.protect for item in found)


def test_an_old_transformation_that_mistypes_a_field_stops_the_program() -> None:
    def mistype(args: pulumi.ResourceTransformationArgs) -> pulumi.ResourceTransformationResult | None:
        if args.type_ != "kubernetes:karpenter.sh/v1:NodePool":
            return None
        given: Any = args.props["spec"]
        spec = {**given, "disruptions": {}}
        return pulumi.ResourceTransformationResult({**args.props, "spec": spec}, args.opts)

    def program() -> None:
        provider = pulumi.ProviderResource("kubernetes", "kubernetes")
        options = pulumi.ResourceOptions(transformations=[mistype], providers=[provider])
        InferencePool(
            "chat",
            cluster=cluster_ref(),
            instance_types=["g6e.12xlarge"],
            zones=list(ZONES),
            nodes=6,
            tags={},
            provisioner="karpenter",
            opts=options,
        )

    with pytest.raises(ArgumentsError, match="use disruption "):
        record(program)


def test_a_check_runs_after_the_callers_transforms() -> None:
    def mine(_: pulumi.ResourceTransformArgs) -> None:
        return None

    first, check = checks(mine)
    assert first is mine
    check(transformed({"spec": {"template": {"spec": node_spec()}}}))
    with pytest.raises(ArgumentsError, match=r"NodePool\.spec\.template\.spec\.expiresAfter"):
        check(transformed({"spec": {"template": {"spec": {**node_spec(), "expiresAfter": "1h"}}}}))


def test_the_check_leaves_other_resources_alone() -> None:
    _, check = checks(lambda _: None)
    check(transformed({"buckett": "x"}, "aws:s3/bucket:Bucket"))


def test_without_transforms_nothing_is_called_back() -> None:
    found = record(lambda: pool(pulumi.ResourceOptions()))
    assert {item.transforms for item in found} == {0}


def checks(mine: pulumi.ResourceTransform) -> list[pulumi.ResourceTransform]:
    return checked_options(pulumi.ResourceOptions(transforms=[mine]), "chat").transforms or []


def node_spec() -> dict[str, Any]:
    ref = {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "chat"}
    return {"nodeClassRef": ref, "requirements": []}


def transformed(
    props: dict[str, Any], type_: str = "kubernetes:karpenter.sh/v1:NodePool"
) -> pulumi.ResourceTransformArgs:
    full = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "chat"}, **props}
    return pulumi.ResourceTransformArgs(
        custom=True, type_=type_, name="chat", props=full, opts=pulumi.ResourceOptions()
    )
