import math
from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders_sizing import value
from gpulanes.catalog import gpu
from gpulanes.errors import PlanError
from gpulanes.sizing.checkpoint import (
    daly_interval,
    efficiency,
    flush_rate,
    goodput,
    job_mtbf,
    optimal_interval,
    write_rate,
    young_interval,
)
from gpulanes.sizing.spot import break_even_discount, cost_ratio, reclaim_mtbf
from gpulanes.sizing.training_memory import Sharding, checkpoint_size, gpus_for_states, model_states
from gpulanes.sizing.training_time import peak_flops, training_flops, training_gpus, training_nodes, training_seconds

DAY = 86_400
GB_PER_GIB = 2**30 / 1e9


@pytest.mark.parametrize(
    ("parameters", "ranks", "zero1", "zero2", "zero3"),
    [
        pytest.param(7.5e9, 64, 31.4, 16.6, 1.88, id="zero-figure-1"),
        pytest.param(7.5e9, 4, 52.5, 41.25, 30, id="zero-table-1-7.5b-4"),
        pytest.param(7.5e9, 16, 35.6, 21.6, 7.5, id="zero-table-1-7.5b-16"),
        pytest.param(7.5e9, 1024, 30.1, 15.1, 0.12, id="zero-table-1-7.5b-1024"),
        pytest.param(128e9, 4, 896, 704, 512, id="zero-table-1-128b-4"),
        pytest.param(128e9, 64, 536, 284, 32, id="zero-table-1-128b-64"),
        pytest.param(128e9, 1024, 513.5, 257.8, 2, id="zero-table-1-128b-1024"),
        pytest.param(1e12, 64, 4187.5, 2218.8, 250, id="zero-table-1-1t-64"),
        pytest.param(1e12, 256, 4046.9, 2054.7, 62.5, id="zero-table-1-1t-256"),
        pytest.param(1e12, 1024, 4011.7, 2013.7, 15.6, id="zero-table-1-1t-1024"),
    ],
)
def test_model_states_per_gpu_match_the_zero_paper(
    parameters: float, ranks: int, zero1: float, zero2: float, zero3: float
) -> None:
    for sharding, expected in (("zero1", zero1), ("zero2", zero2), ("zero3", zero3)):
        found = value(model_states(parameters, sharding, ranks)) * GB_PER_GIB  # type: ignore[arg-type]
        assert found == pytest.approx(expected, rel=0.003, abs=0.05)


def test_unsharded_states_are_16_bytes_per_parameter_whatever_the_ranks() -> None:
    assert value(model_states(7.5e9, "none", 64)) * GB_PER_GIB == pytest.approx(120)


@given(st.floats(1e8, 1e13), st.integers(1, 10_000))
def test_more_sharding_never_takes_more_memory(parameters: float, ranks: int) -> None:
    sizes = [model_states(parameters, sharding, ranks).value for sharding in get_args(Sharding)]
    assert all(more >= less * (1 - 1e-12) for more, less in pairwise(sizes))


def test_states_of_a_70b_model_need_a_node_of_h100() -> None:
    needed = gpus_for_states(70.6e9, 81_920)
    assert value(needed) == 27
    assert value(model_states(70.6e9, "zero3", needed.count)) <= 40
    assert value(model_states(70.6e9, "zero3", needed.count - 1)) > 40


@pytest.mark.parametrize(
    ("parameters", "gib"),
    [
        pytest.param(8e9, 104.3, id="mlperf-storage-v2-8b"),
        pytest.param(70e9, 912.7, id="mlperf-storage-v2-70b"),
        pytest.param(405e9, 5280.6, id="mlperf-storage-v2-405b"),
    ],
)
def test_checkpoints_weigh_14_bytes_per_parameter(parameters: float, gib: float) -> None:
    assert value(checkpoint_size(parameters)) / 2**30 == pytest.approx(gib, rel=0.001)


@pytest.mark.parametrize(
    ("parameters", "gb_per_s"),
    [
        pytest.param(8e9, 1.24, id="computed-8b"),
        pytest.param(70e9, 10.9, id="computed-70b"),
        pytest.param(405e9, 63, id="computed-405b"),
    ],
)
def test_an_emergency_save_has_the_notice_less_the_margin(parameters: float, gb_per_s: float) -> None:
    assert value(flush_rate(14 * parameters)) / 1000 == pytest.approx(gb_per_s, rel=0.005)


def test_a_notice_that_the_margin_eats_is_refused() -> None:
    with pytest.raises(PlanError, match="notice-too-short"):
        flush_rate(1e12, notice_seconds=30, margin_seconds=30)


def test_bloom_176b_saved_2_3_tb_in_40_seconds() -> None:
    assert value(write_rate(2.3e12, 40)) / 1000 == pytest.approx(57.5)


@pytest.mark.parametrize(
    ("parameters", "tokens", "expected", "tolerance"),
    [
        pytest.param(175e9, 300e9, 3.15e23, 0.001, id="gpt-3"),
        pytest.param(405e9, 15.6e12, 3.79e25, 0.001, id="llama-3.1-405b"),
    ],
)
def test_training_flops(parameters: float, tokens: float, expected: float, tolerance: float) -> None:
    assert value(training_flops(parameters, tokens)) == pytest.approx(expected, rel=tolerance)


def test_llama_405b_at_400_teraflops_on_16384_gpus_takes_66_9_days() -> None:
    flops = value(training_flops(405e9, 15.6e12))
    assert value(training_seconds(flops, 16_384, gpu("H100"), mfu=400 / 989)) / DAY == pytest.approx(66.9, abs=0.1)


@pytest.mark.parametrize(
    ("flops", "gpus", "tflops", "days"),
    [
        pytest.param(8 * 175e9 * 300e9, 1024, 140, 33.9, id="narayanan-2021-175b"),
        pytest.param(8 * 1e12 * 450e9, 3072, 163, 83.2, id="narayanan-2021-1t"),
    ],
)
def test_training_days_match_narayanan_2021(flops: float, gpus: int, tflops: float, days: float) -> None:
    found = training_seconds(flops, gpus, gpu("A100 80GB"), mfu=tflops / 312)
    assert value(found) / DAY == pytest.approx(days, abs=0.1)


@pytest.mark.parametrize(
    ("flops", "hours", "peak", "mfu"),
    [
        pytest.param(6 * 70e9 * 2e12, 1_720_320, "A100 80GB", 0.435, id="llama-2-70b"),
        pytest.param(6 * 7e9 * 2e12, 184_320, "A100 80GB", 0.406, id="llama-2-7b"),
        pytest.param(6 * 13e9 * 2e12, 368_640, "A100 80GB", 0.377, id="llama-2-13b"),
        pytest.param(6 * 176e9 * 366e9, 1_082_990, "A100 80GB", 0.318, id="bloom-176b"),
        pytest.param(6 * 37e9 * 14.8e12, 2_664_000, "H100", 0.346, id="deepseek-v3"),
    ],
)
def test_published_gpu_hours_give_the_published_mfu(flops: float, hours: float, peak: str, mfu: float) -> None:
    assert value(training_seconds(flops, 1, gpu(peak), mfu=mfu)) / 3600 == pytest.approx(hours, rel=0.003)


@given(
    st.floats(1e20, 1e26),
    st.floats(DAY, 100 * DAY),
    st.floats(0.1, 0.6),
    st.floats(0.3, 1.0),
)
def test_gpus_for_a_deadline_meet_it_and_one_less_does_not(
    flops: float, deadline: float, mfu: float, progress: float
) -> None:
    needed = training_gpus(flops, deadline, gpu("H100"), mfu=mfu, goodput=progress)
    assert training_seconds(flops, needed.count, gpu("H100"), mfu=mfu, goodput=progress).value <= deadline * (1 + 1e-6)
    if needed.count > 1:
        fewer = training_seconds(flops, needed.count - 1, gpu("H100"), mfu=mfu, goodput=progress)
        assert fewer.value > deadline * (1 - 1e-6)


def test_nodes_are_whole() -> None:
    assert value(training_nodes(129, 8)) == 17


def test_a_deadline_on_an_accelerator_of_unknown_speed_is_refused() -> None:
    assert peak_flops(gpu("B200")) == 2250e12
    with pytest.raises(PlanError) as caught:
        training_gpus(1e22, DAY, gpu("A10G"), path="workloads.pretrain.nodes.types[0]")
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == ("gpu-speed-unknown", "workloads.pretrain.nodes.types[0]")


INTERVALS = [
    pytest.param(40, 11_134.8, 600, 943.8, 917.3, 917.3, 0.8695, id="llama-3-mtbf"),
    pytest.param(60, 86_400, 600, 3219.9, 3180.1, 3180.1, 0.9565, id="computed-daily"),
    pytest.param(300, 86_400, 600, 7200.0, 7001.4, 7001.4, 0.9126, id="computed-slow-save"),
    pytest.param(600, 21_600, 900, 5091.2, 4699.0, 4699.3, 0.7505, id="computed-frequent"),
    pytest.param(20, 6490.8, 300, 509.5, 496.3, 496.3, 0.8818, id="meta-rsc-1-16k"),
]


@pytest.mark.parametrize(("save", "mtbf", "restart", "young", "daly", "exact", "best"), INTERVALS)
def test_checkpoint_intervals(
    save: float, mtbf: float, restart: float, young: float, daly: float, exact: float, best: float
) -> None:
    assert value(young_interval(save, mtbf)) == pytest.approx(young, abs=0.05)
    assert value(daly_interval(save, mtbf)) == pytest.approx(daly, abs=0.05)
    assert value(optimal_interval(save, mtbf)) == pytest.approx(exact, abs=0.05)
    assert value(goodput(save, mtbf, restart)) == pytest.approx(best, abs=0.00005)
    assert value(daly_interval(save, mtbf)) == pytest.approx(value(optimal_interval(save, mtbf)), rel=1e-4)
    assert value(efficiency(young, save, mtbf, restart)) >= 0.999 * best


def test_daly_gives_the_mtbf_when_a_save_takes_twice_as_long() -> None:
    assert value(daly_interval(200, 100)) == 100
    assert value(daly_interval(199, 100)) != 100


@given(
    save=st.floats(1, 600),
    mtbf=st.floats(3600, 1e7),
    restart=st.floats(0, 1800),
    other=st.floats(0.05, 20),
)
def test_no_interval_beats_the_exact_one(save: float, mtbf: float, restart: float, other: float) -> None:
    best = value(goodput(save, mtbf, restart))
    assert 0 < best < 1
    assert best >= value(efficiency(value(optimal_interval(save, mtbf)) * other, save, mtbf, restart)) * (1 - 1e-9)
    assert best >= value(efficiency(value(young_interval(save, mtbf)), save, mtbf, restart)) * (1 - 1e-9)


@given(save=st.floats(1, 600), mtbf=st.floats(3600, 1e7))
def test_rarer_failures_and_slower_saves_lengthen_the_interval(save: float, mtbf: float) -> None:
    interval = value(optimal_interval(save, mtbf))
    assert value(optimal_interval(save, mtbf * 2)) > interval
    assert value(optimal_interval(save * 2, mtbf)) > interval


def test_training_without_checkpoints_for_four_hours_on_spot() -> None:
    assert value(efficiency(4 * 3600, 0, 4 * 3600, 900)) == pytest.approx(0.547, abs=0.0005)


def test_a_job_far_longer_than_its_mtbf_makes_no_progress() -> None:
    assert value(efficiency(1e9, 0, 3600, 0)) == 0


@pytest.mark.parametrize(
    ("gpus", "hours"),
    [
        pytest.param(16_384, 1.803, id="arxiv-2410.21680-16k"),
        pytest.param(131_072, 0.2254, id="arxiv-2410.21680-131k"),
        pytest.param(1024, 28.8, id="arxiv-2410.21680-1k"),
    ],
)
def test_mtbf_of_a_job_falls_with_its_nodes(gpus: int, hours: float) -> None:
    assert value(job_mtbf(gpus // 8)) / 3600 == pytest.approx(hours, rel=0.002)
    assert "RSC-1" in job_mtbf(gpus // 8).note


def test_llama_3_failed_every_50677_gpu_hours() -> None:
    per_node_day = 419 / (16_384 / 8 * 54)
    found = job_mtbf(16_384 // 8, failures_per_node_day=per_node_day)
    assert value(found) / 3600 == pytest.approx(3.093, abs=0.001)
    assert per_node_day * 1000 == pytest.approx(3.79, abs=0.01)
    assert not found.note


@given(nodes=st.integers(1, 10_000), reclaim=st.floats(600, 1e8))
def test_reclaims_only_shorten_the_mtbf(nodes: int, reclaim: float) -> None:
    both = value(job_mtbf(nodes, reclaim_mtbf_seconds=reclaim))
    assert both < min(reclaim, value(job_mtbf(nodes)))
    assert 1 / both == pytest.approx(1 / reclaim + 1 / value(job_mtbf(nodes)))


@pytest.mark.parametrize(
    ("share", "nodes", "hours"),
    [
        (0.05, 1, 14_037),
        (0.05, 16, 877),
        (0.05, 64, 219),
        (0.2, 1, 3227),
        (0.2, 16, 201.7),
        (0.2, 64, 50.4),
    ],
    ids="spot-advisor-{}".format,
)
def test_interruption_bands_become_a_time_between_reclaims(share: float, nodes: int, hours: float) -> None:
    assert value(reclaim_mtbf(share, nodes, correlation=1)) / 3600 == pytest.approx(hours, rel=0.002)
    assert value(reclaim_mtbf(share, nodes)) * 4 == pytest.approx(value(reclaim_mtbf(share, nodes, correlation=1)))


def test_an_instance_that_is_always_interrupted_has_no_mtbf() -> None:
    with pytest.raises(PlanError):
        reclaim_mtbf(1.0, 1)


@pytest.mark.parametrize(
    ("hours", "useful", "discount", "ratio"),
    [
        (0.5, 0.463, 0.527, 0.91),
        (1, 0.645, 0.342, 0.65),
        (2, 0.773, 0.211, 0.55),
        (4, 0.856, 0.126, 0.49),
        (8, 0.908, 0.073, 0.46),
        (24, 0.953, 0.027, 0.44),
    ],
)
def test_spot_breaks_even_when_the_discount_pays_for_lost_work(
    hours: float, useful: float, discount: float, ratio: float
) -> None:
    found = value(goodput(60, hours * 3600, 900))
    assert found == pytest.approx(useful, abs=0.0006)
    assert value(break_even_discount(found, 0.98)) == pytest.approx(discount, abs=0.0006)
    assert value(cost_ratio(1 - 0.57, found, 0.98)) == pytest.approx(ratio, abs=0.006)


@given(st.floats(0.05, 1), st.floats(0.05, 1), st.floats(0.05, 1))
def test_spot_is_cheaper_exactly_when_the_discount_exceeds_break_even(ratio: float, spot: float, firm: float) -> None:
    cheaper = cost_ratio(ratio, spot, firm).value < 1
    margin = (1 - ratio) - break_even_discount(spot, firm).value
    assert cheaper == (margin > 0) or math.isclose(margin, 0, abs_tol=1e-9)


def test_impossible_intervals_are_refused() -> None:
    for call in (young_interval, daly_interval, optimal_interval):
        with pytest.raises(PlanError, match="impossible-input"):
            call(0, 3600)
