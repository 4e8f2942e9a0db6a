import pytest

from builders_resources import pool
from gpulanes.clouds.kube.labels import label_problems
from gpulanes.kinds.pool import Provisioner


def refused(key: str, provisioner: Provisioner = "node-group") -> list[str]:
    one = pool("inference", provisioner=provisioner, changed={"labels": {"workload": "inference", key: "true"}})
    return [problem.value for problem in label_problems(one)]


@pytest.mark.parametrize(
    "key",
    [
        "node-role.kubernetes.io/gpu-training",
        "kubernetes.io/lane",
        "k8s.io/lane",
        "team.k8s.io/lane",
        "eks.amazonaws.com/lane",
    ],
)
def test_a_label_that_kubelet_or_eks_keeps_for_itself_is_refused(key: str) -> None:
    assert refused(key) == [key]


@pytest.mark.parametrize(
    "key",
    [
        "node.kubernetes.io/pool",
        "kubelet.kubernetes.io/pool",
        "topology.kubernetes.io/zone",
        "example.com/role",
        "nvidia.com/gpu.deploy",
        "role",
        "notkubernetes.io/role",
    ],
)
def test_a_label_of_ones_own_passes(key: str) -> None:
    assert refused(key) == []


@pytest.mark.parametrize("key", ["karpenter.sh/team", "x.karpenter.sh/team", "karpenter.sh/nodepool"])
def test_a_label_that_karpenter_keeps_for_itself_is_refused_where_karpenter_runs(key: str) -> None:
    assert refused(key, "karpenter") == [key]
    assert refused(key) == []


def test_karpenters_capacity_type_may_be_a_label() -> None:
    assert refused("karpenter.sh/capacity-type", "karpenter") == []


def test_the_fix_names_a_key_that_passes() -> None:
    one = pool("inference", changed={"labels": {"node-role.kubernetes.io/gpu": "true"}})
    [problem] = label_problems(one)
    assert "node.kubernetes.io/gpu" in problem.fix
