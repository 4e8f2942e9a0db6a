import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders_sizing import value
from gpulanes.catalog import gpu, instance, model
from gpulanes.errors import PlanError
from gpulanes.sizing.demand import (
    ESTIMATED_UTILISATION,
    carried_mean,
    nodes_for_replicas,
    peak_rate,
    replicas,
    replicas_per_node,
    warm_replicas,
)
from gpulanes.sizing.failover import over_zones, over_zones_shared, per_zone, repair_spares, with_spares
from gpulanes.sizing.inference_memory import InferenceFit, Serving, inference_fit
from gpulanes.sizing.replica_rate import decode_batch, estimated_replica_rate

rates = st.floats(min_value=0.01, max_value=1e4)
margins = st.floats(min_value=0.0, max_value=2.0)


@pytest.mark.parametrize(
    ("mean", "peak_factor", "rate", "utilisation", "expected"),
    [
        pytest.param(50, 1.0, 5.797, 1.0, 11, id="aiconfigurator-50-rps"),
        pytest.param(5.53, 1.53, 1.0, 0.8, 14, id="azure-llm-2023-conversation"),
    ],
)
def test_replicas_carry_the_peak_with_headroom(
    mean: float, peak_factor: float, rate: float, utilisation: float, expected: int
) -> None:
    needed = replicas(mean, rate, peak_factor=peak_factor, headroom=0.25, utilisation=utilisation)
    assert value(needed) == expected


def test_the_peak_of_the_azure_conversation_trace() -> None:
    assert value(peak_rate(5.53, 1.53)) == pytest.approx(8.4609)


def test_growth_during_the_lead_time_must_run_already() -> None:
    assert value(warm_replicas(0.4 / 60, 300, 1.0)) == 2
    assert value(warm_replicas(0.0, 300, 1.0)) == 0


@pytest.mark.parametrize(("replica", "node", "expected"), [(4, 4, 1), (4, 8, 2), (3, 8, 2), (16, 8, 0.5), (1, 8, 8)])
def test_a_node_holds_whole_replicas_or_a_whole_share_of_one(replica: int, node: int, expected: float) -> None:
    assert value(replicas_per_node(replica, node)) == expected


def test_a_replica_that_splits_a_node_is_refused() -> None:
    with pytest.raises(PlanError) as caught:
        replicas_per_node(12, 8)
    (problem,) = caught.value.problems
    assert problem.code == "replica-splits-node"
    assert "use 8 GPUs" in problem.fix


def test_replicas_land_on_whole_nodes() -> None:
    assert value(nodes_for_replicas(11, 2)) == 6
    assert value(nodes_for_replicas(3, 0.5)) == 6


def test_a_given_count_of_nodes_says_what_load_it_carries() -> None:
    assert value(carried_mean(7, 2, 1.0, peak_factor=1.53, headroom=0.25, utilisation=0.8)) == pytest.approx(
        5.856, abs=1e-3
    )
    assert value(carried_mean(3, 0.5, 1.0)) == 1.0


@given(mean=rates, rate=rates, headroom=margins, peak=st.floats(min_value=1, max_value=20))
def test_what_the_replicas_carry_is_at_least_the_load_they_were_sized_for(
    mean: float, rate: float, headroom: float, peak: float
) -> None:
    needed = replicas(mean, rate, peak_factor=peak, headroom=headroom)
    nodes = nodes_for_replicas(needed.value, 2)
    carried = carried_mean(nodes.count, 2, rate, peak_factor=peak, headroom=headroom)
    assert carried.value >= mean * (1 - 1e-6)


@given(mean=rates, rate=rates, headroom=margins, more=st.floats(min_value=1, max_value=3))
def test_more_load_headroom_or_slower_replicas_never_need_fewer(
    mean: float, rate: float, headroom: float, more: float
) -> None:
    needed = value(replicas(mean, rate, headroom=headroom))
    assert needed >= 1
    assert value(replicas(mean * more, rate, headroom=headroom)) >= needed
    assert value(replicas(mean, rate / more, headroom=headroom)) >= needed
    assert value(replicas(mean, rate, headroom=headroom + more - 1)) >= needed
    assert value(replicas(mean, rate, headroom=headroom, utilisation=1 / more)) >= needed


def test_impossible_load_is_refused_all_at_once() -> None:
    with pytest.raises(PlanError) as caught:
        replicas(-1, 0, headroom=-0.5, utilisation=0)
    assert [p.path for p in caught.value.problems] == [
        "mean_per_second",
        "replica_per_second",
        "headroom",
        "utilisation",
    ]


@pytest.mark.parametrize(
    ("needed", "totals"),
    [(10, (20, 15, 16)), (12, (24, 18, 16)), (20, (40, 30, 28)), (7, (14, 12, 12))],
    ids="aws-builders-library-{}".format,
)
def test_totals_that_survive_a_zone(needed: int, totals: tuple[int, int, int]) -> None:
    for zones, total in zip((2, 3, 4), totals, strict=True):
        assert value(over_zones(needed, zones, 1)) == total
        assert value(per_zone(needed, zones, 1)) * zones == total


def test_shared_failover_spends_the_headroom_strict_keeps_it() -> None:
    assert value(over_zones_shared(10, 8, 3, 1)) == 12
    assert value(over_zones_shared(10, 6, 3, 1)) == 10
    assert value(over_zones(10, 3, 1)) == 15


def test_nothing_to_survive_is_the_need_itself_spread_evenly() -> None:
    assert value(over_zones(10, 3, 0)) == 12
    assert value(per_zone(10, 1, 0)) == 10


@pytest.mark.parametrize("lost", [3, 4])
def test_surviving_every_zone_is_refused(lost: int) -> None:
    for sized in (over_zones, per_zone):
        with pytest.raises(PlanError, match="survives-nothing"):
            sized(10, 3, lost)
    with pytest.raises(PlanError, match="survives-nothing"):
        over_zones_shared(10, 8, 3, lost)


@given(needed=st.integers(0, 10_000), zones=st.integers(1, 6), lost=st.integers(0, 5))
def test_what_is_left_after_the_loss_is_enough(needed: int, zones: int, lost: int) -> None:
    if lost >= zones:
        return
    total = over_zones(needed, zones, lost).count
    each = per_zone(needed, zones, lost).count
    assert total == zones * each
    assert total - lost * each >= needed
    shared = over_zones_shared(needed, needed // 2, zones, lost).count
    assert needed <= shared <= max(total, needed)


def test_n_plus_k() -> None:
    assert value(with_spares(10, 1)) == 11
    assert value(with_spares(0, 0)) == 0


def test_spares_for_repairs_follow_the_failure_rate() -> None:
    assert value(repair_spares(64, 3)) == 4
    assert value(repair_spares(64, 3, failures_per_node_day=0.0)) == 0
    assert "RSC-1" in repair_spares(64, 3).note
    assert not repair_spares(64, 3, failures_per_node_day=0.001).note


@given(nodes=st.integers(1, 2000), days=st.floats(0, 10))
def test_more_nodes_or_longer_repairs_never_need_fewer_spares(nodes: int, days: float) -> None:
    spares = value(repair_spares(nodes, days))
    assert value(repair_spares(nodes * 2, days)) >= spares
    assert value(repair_spares(nodes, days * 2)) >= spares


def _fit(name: str, type_name: str, gpus: int, serving: Serving) -> InferenceFit:
    memory = instance(type_name).gpu_memory_mib
    assert memory is not None
    return inference_fit(model(name), memory, gpus, serving)


def test_an_estimated_rate_lies_below_what_aiconfigurator_finds() -> None:
    """Qwen3-32B-FP8 on H200, 4000 in, 1000 out, TPOT 30 ms: 19 replicas of 2 GPUs carry 50 requests/s."""
    fit = _fit("qwen3-32b", "p5en.48xlarge", 2, Serving(dtype="fp8", context_tokens=5000))
    rate = estimated_replica_rate(
        model("qwen3-32b"), fit, gpu("H200"), input_tokens=4000, output_tokens=1000, tpot_seconds=0.03
    )
    assert 0.6 * 50 / 19 < value(rate) < 50 / 19
    assert "estimate" in rate.note


def test_a_tighter_token_time_decodes_fewer_requests_together() -> None:
    fit = _fit("qwen3-32b", "p5en.48xlarge", 2, Serving(dtype="fp8"))
    batches = [decode_batch(fit, gpu("H200"), 5000, seconds) for seconds in (None, 1.0, 0.03, 0.01)]
    assert batches == sorted(batches, reverse=True)
    assert batches[0] == batches[1] == 168
    assert batches[-1] < batches[-2] < 168


def test_a_token_time_below_reading_the_weights_is_unreachable() -> None:
    fit = _fit("llama-3.1-70b", "g6e.12xlarge", 4, Serving(dtype="fp8"))
    with pytest.raises(PlanError) as caught:
        estimated_replica_rate(model("llama-3.1-70b"), fit, gpu("L40S"), tpot_seconds=0.02, path="workloads.chat.slo")
    (problem,) = caught.value.problems
    assert (problem.code, problem.path, problem.value) == (
        "tpot-unreachable",
        "workloads.chat.slo",
        "20 ms per output token",
    )
    assert "26.3 ms" in problem.allowed


def test_a_replica_without_room_for_one_request_has_no_rate() -> None:
    fit = _fit("llama-3.1-70b", "g6e.12xlarge", 4, Serving(dtype="bf16"))
    with pytest.raises(PlanError, match="no-room-to-serve"):
        estimated_replica_rate(model("llama-3.1-70b"), fit, gpu("L40S"))


def test_an_accelerator_of_unknown_speed_gets_no_estimate() -> None:
    fit = _fit("llama-3.1-8b", "g5.12xlarge", 4, Serving())
    with pytest.raises(PlanError, match="gpu-speed-unknown"):
        estimated_replica_rate(model("llama-3.1-8b"), fit, gpu("A10G"))
    fit = _fit("llama-3.1-8b", "g7.12xlarge", 1, Serving())
    with pytest.raises(PlanError, match="memory bandwidth is established"):
        decode_batch(fit, gpu("RTX PRO 4500"), 1000, 0.1)


def test_an_estimate_is_planned_with_a_margin_that_a_measurement_is_not() -> None:
    assert ESTIMATED_UTILISATION < 1
    assert value(replicas(5, 1.0, utilisation=ESTIMATED_UTILISATION)) > value(replicas(5, 1.0))
