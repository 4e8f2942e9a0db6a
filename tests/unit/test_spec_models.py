import pickle
from typing import Any

import pytest
from pydantic import ValidationError

from gpulanes.fleet.model import ClusterSpec
from gpulanes.spec.nodes import NodesSpec, ReservationSpec
from gpulanes.spec.sla import Demand, Replica, Slo
from gpulanes.spec.storage import Storage
from gpulanes.spec.workload import BatchWorkload, CheckpointSpec, InferenceWorkload, ModelShape, TrainingWorkload
from gpulanes.units import Amount, Duration, Fraction, PerTime


def test_models_are_frozen() -> None:
    slo = Slo.model_validate({"ttft_p99": "2s"})
    with pytest.raises(ValidationError, match="frozen"):
        slo.ttft_p99 = Duration(3.0)  # type: ignore[misc]


def test_models_read_units_and_keep_defaults() -> None:
    demand = Demand.model_validate({"requests_per_second": 5.5, "headroom": "30%"})
    assert demand.headroom == Fraction(0.3)
    assert demand.peak_factor == 1.5
    assert Replica(gpus=4).startup == Duration(300.0)
    assert ModelShape.model_validate({"parameters": "70.6B"}).parameters == Amount(70.6e9)
    assert CheckpointSpec().interval == "auto"
    assert CheckpointSpec(interval=Duration.parse("20m")).interval == Duration(1200.0)


@pytest.mark.parametrize(
    "fields",
    [
        {"gpus": "4"},
        {"gpus": True},
        {"gpus": 4.0},
        {"gpus": 4, "context": "8k"},
        {"gpus": 4, "requests_per_second": "1"},
    ],
)
def test_models_do_not_convert_types(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Replica(**fields)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 0.0, -1.0, 1e300])
def test_models_refuse_numbers_that_no_load_can_be(value: float) -> None:
    with pytest.raises(ValidationError):
        Demand(requests_per_second=value)


def test_a_list_that_repeats_an_entry_names_it() -> None:
    with pytest.raises(ValidationError, match=r"each entry once, p5\.48xlarge comes twice"):
        NodesSpec(types=["p5.48xlarge", "p5.48xlarge"])


def test_a_model_refuses_what_its_constraints_forbid_and_says_the_fix() -> None:
    with pytest.raises(ValidationError, match="exactly one of kubernetes and existing; fix: give kubernetes"):
        ClusterSpec(kubernetes="1.34", existing="shared")
    with pytest.raises(ValidationError, match="min and max together"):
        NodesSpec(types=["p5.48xlarge"], min=1)


def test_constraints_see_through_nested_models() -> None:
    nodes = NodesSpec(types=["p5.48xlarge"], reservation=ReservationSpec(nodes=8, id="cr-0a1b"), count=8)
    pretrain = TrainingWorkload(kind="training", model="llama-3.1-70b", nodes=nodes, capacity=["reserved"])
    assert pretrain.nodes.reservation == ReservationSpec(nodes=8, id="cr-0a1b")
    with pytest.raises(ValidationError, match="a reservation is paid for"):
        TrainingWorkload(kind="training", model="llama-3.1-70b", nodes=nodes)


def test_training_on_spot_without_a_checkpoint_is_refused() -> None:
    nodes = NodesSpec(types=["p5.48xlarge"], count=8)
    with pytest.raises(ValidationError, match="needs a checkpoint"):
        TrainingWorkload(kind="training", model="llama-3.1-70b", nodes=nodes, capacity=["spot"])


def test_a_batch_job_that_only_borrows_needs_no_nodes() -> None:
    assert BatchWorkload(kind="batch", borrow="inference").nodes is None


def test_serving_on_spot_in_one_zone_without_a_disruption_budget_is_for_the_rules_to_judge() -> None:
    served = InferenceWorkload.model_validate(
        {
            "kind": "inference",
            "model": "llama-3.1-70b",
            "demand": {"requests_per_second": 1.0},
            "replica": {"gpus": 4},
            "nodes": {"types": ["g6e.12xlarge"], "zones": ["us-east-1a"], "min": 0, "max": 2},
            "capacity": ["spot"],
            "overrides": {"pod_disruption_budget": False, "taints": []},
        }
    )
    assert served.capacity == ["spot"]
    assert Storage.model_validate({"hot": {"deployment": "scratch", "export": False}}).hot is not None


def test_a_model_survives_a_process_boundary() -> None:
    demand = Demand(requests_per_second=5.5, growth=PerTime.parse("0.4/min"))
    assert pickle.loads(pickle.dumps(demand)) == demand  # noqa: S301 - its own pickle
