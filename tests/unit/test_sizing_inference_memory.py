"""Vectors carry the source of the measurement or table in their ids."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders_sizing import value
from gpulanes.catalog import ModelFacts, model, models
from gpulanes.errors import PlanError
from gpulanes.sizing.inference_memory import (
    ESTIMATE_OVERHEAD_GIB,
    GUARDRAIL_OVERHEAD_GIB,
    Serving,
    inference_fit,
    kv_budget,
    kv_per_token,
    kv_tokens,
    max_concurrency,
    smallest_tensor_parallel,
    weights,
)

GIB = 2**30
H100_MIB, H200_MIB, GB300_MIB = 81_920, 144_384, 298_013_687_808 / 2**20


@pytest.mark.parametrize(
    ("name", "dtype", "gib", "tolerance"),
    [
        pytest.param("llama-3.1-8b", "bf16", 14.9888, 0.003, id="vllm-log-8b"),
        pytest.param("llama-3.1-70b", "int8", 67.7229, 0.001, id="vllm-pr-12569-70b-w8a8"),
        pytest.param("llama-3.1-405b", "bf16", 756.0, 0.001, id="computed-405b-bf16"),
        pytest.param("llama-3.1-70b", "fp32", 2 * 131.4165, 1e-5, id="computed-70b-fp32-is-twice-bf16"),
    ],
)
def test_weights_match_what_engines_log(name: str, dtype: str, gib: float, tolerance: float) -> None:
    assert value(weights(model(name), dtype)) == pytest.approx(gib, rel=tolerance)


def test_405b_in_fp8_fits_a_gpu_each_at_tp8_and_in_bf16_does_not() -> None:
    quantised = replace(model("llama-3.1-405b"), vocabulary=0)
    assert value(weights(quantised, "fp8")) == pytest.approx(378.0, rel=0.001)
    assert value(weights(quantised, "fp8")) / 8 == pytest.approx(47.25, rel=0.001)
    assert value(weights(model("llama-3.1-405b"), "bf16")) > 8 * 80


def test_a_tied_embedding_stays_in_bf16_once() -> None:
    tied = replace(model("llama-3.1-8b"), tied_embeddings=True)
    assert tied.embedding_parameters * 2 == model("llama-3.1-8b").embedding_parameters
    assert value(weights(tied, "fp8")) < value(weights(model("llama-3.1-8b"), "fp8"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("llama-2-7b", 524_288, id="cake-table"),
        pytest.param("llama-2-13b", 819_200, id="pagedattention-paper"),
        pytest.param("llama-2-70b", 327_680, id="arxiv-2505.09343-table-1"),
        pytest.param("llama-3.1-70b", 327_680, id="arxiv-2505.09343-table-1-llama-3"),
        pytest.param("qwen2.5-72b", 327_680, id="arxiv-2505.09343-table-1-qwen"),
        pytest.param("llama-3.1-8b", 131_072, id="vllm"),
        pytest.param("llama-3.1-405b", 516_096, id="arxiv-2505.09343-table-1-405b"),
    ],
)
def test_kv_cache_per_token_matches_published_tables(name: str, expected: int) -> None:
    assert value(kv_per_token(model(name))) == expected


def _shape(layers: int, kv_heads: int, head_dim: int) -> ModelFacts:
    return replace(model("llama-3.1-8b"), layers=layers, heads=kv_heads, kv_heads=kv_heads, head_dim=head_dim)


def test_kv_cache_in_fp8_matches_hf_mem_0_5_6() -> None:
    assert value(kv_per_token(_shape(62, 8, 128), "fp8")) * 196_608 == 24_964_497_408


def test_kv_heads_split_over_ranks_down_to_one() -> None:
    llama = model("llama-3.1-70b")
    assert value(kv_per_token(llama, tensor_parallel=8)) == 327_680 / 8
    assert value(kv_per_token(llama, tensor_parallel=16)) == 327_680 / 8


@pytest.mark.parametrize(
    ("gpu_gib", "utilisation", "peak_gib", "other_gib", "context", "budget", "blocks", "concurrency"),
    [
        pytest.param(23.58, 0.9, 17.06, 0.35, 20_000, 3.81, 1952, 1.56, id="vllm-10517-fits"),
        pytest.param(23.58, 0.9, 17.98, 0.35, 29_000, 2.89, 1478, 0.82, id="vllm-10517-rejected"),
    ],
)
def test_kv_budget_matches_vllm_logs(
    gpu_gib: float,
    utilisation: float,
    peak_gib: float,
    other_gib: float,
    context: int,
    budget: float,
    blocks: int,
    concurrency: float,
) -> None:
    llama = model("llama-3.1-8b")
    held = value(weights(llama, "bf16"))
    room = kv_budget(gpu_gib * 1024, held, utilisation=utilisation, overhead_gib=peak_gib - held + other_gib)
    tokens = kv_tokens(value(room), value(kv_per_token(llama)))
    assert value(room) == pytest.approx(budget, abs=0.01)
    assert value(tokens) / 16 == pytest.approx(blocks, rel=0.003)
    assert value(max_concurrency(value(tokens), context)) == pytest.approx(concurrency, abs=0.01)


@pytest.mark.parametrize(
    ("budget_gib", "kv_bytes", "context", "tokens", "concurrency"),
    [
        pytest.param(6.7432, 327_680, 2048, 22_096, 10.79, id="vllm-pr-12569-70b-w8a8"),
        pytest.param(127_626 * 16 * 131_072 / GIB, 131_072, 2048, 2_042_016, 997.08, id="vllm-pr-13596"),
        pytest.param(10.04, 28_672, 8192, 375_968, 45.89, id="vllm-log-qwen2.5-vl-7b-tp2"),
    ],
)
def test_tokens_and_concurrency_match_vllm_logs(
    budget_gib: float, kv_bytes: int, context: int, tokens: int, concurrency: float
) -> None:
    held = kv_tokens(budget_gib, kv_bytes)
    assert value(held) == pytest.approx(tokens, rel=0.0005)
    assert value(max_concurrency(value(held), context)) == pytest.approx(concurrency, rel=0.0005)


# Measured maxima of TensorRT-LLM with bf16 KV cache, max_seq_len = input + output + 1000, max_num_tokens = 2 * input.
# (model, GPU memory, fraction of free memory, tensor parallel) ->
# input/output 2048/2048, 2048/4096, 4096/2048, 4096/4096
# Source: ai-dynamo/aiconfigurator tests/integration/test_trtllm_kv_cache_capacity.py, 72 rows.
MEASURED = {
    ("32b-fp8", H100_MIB, 0.8, 1): (27, 19, 19, 14),
    ("32b-fp8", H100_MIB, 0.8, 2): (75, 53, 53, 41),
    ("32b-fp8", H100_MIB, 0.8, 4): (169, 121, 120, 93),
    ("32b-fp8", GB300_MIB, 0.8, 1): (153, 109, 108, 84),
    ("32b-fp8", GB300_MIB, 0.8, 2): (326, 233, 232, 181),
    ("32b-fp8", GB300_MIB, 0.8, 4): (673, 480, 479, 373),
    ("32b-fp8", GB300_MIB, 0.9, 1): (172, 123, 122, 95),
    ("32b-fp8", GB300_MIB, 0.9, 2): (367, 262, 261, 203),
    ("32b-fp8", GB300_MIB, 0.9, 4): (757, 541, 539, 419),
    ("8b-bf16", H100_MIB, 0.8, 1): (78, 56, 55, 43),
    ("8b-bf16", H100_MIB, 0.8, 2): (173, 124, 123, 96),
    ("8b-bf16", H100_MIB, 0.8, 4): (363, 259, 258, 201),
    ("8b-bf16", GB300_MIB, 0.8, 1): (330, 236, 235, 183),
    ("8b-bf16", GB300_MIB, 0.8, 2): (677, 484, 483, 376),
    ("8b-bf16", GB300_MIB, 0.8, 4): (1371, 979, 978, 761),
    ("8b-bf16", GB300_MIB, 0.9, 1): (372, 265, 265, 206),
    ("8b-bf16", GB300_MIB, 0.9, 2): (762, 544, 544, 423),
    ("8b-bf16", GB300_MIB, 0.9, 4): (1542, 1101, 1100, 856),
}
LENGTHS = ((2048, 2048), (2048, 4096), (4096, 2048), (4096, 4096))


def _errors(overhead_gib: float) -> list[float]:
    """(predicted - measured) / measured for all 72 rows; whole requests, as they were measured."""
    served = {"32b-fp8": (model("qwen3-32b"), "fp8"), "8b-bf16": (model("llama-3.1-8b"), "bf16")}
    errors = []
    for (key, gpu_mib, fraction, ranks), maxima in MEASURED.items():
        shape, dtype = served[key]
        for (taken, given_back), measured in zip(LENGTHS, maxima, strict=True):
            serving = Serving(
                dtype=dtype,
                context_tokens=taken + given_back + 1000,
                utilisation=fraction,
                overhead_gib=overhead_gib,
                fraction_of="free",
            )
            predicted = int(value(inference_fit(shape, gpu_mib, ranks, serving).max_concurrency))
            errors.append((predicted - measured) / measured)
    return errors


def test_the_estimate_overhead_is_within_4_percent_of_72_trtllm_measurements() -> None:
    errors = _errors(ESTIMATE_OVERHEAD_GIB)
    assert len(errors) == 72
    assert max(map(abs, errors)) < 0.04
    assert abs(sum(errors) / len(errors)) < 0.005


def test_the_guardrail_overhead_never_over_predicts_72_trtllm_measurements() -> None:
    errors = _errors(GUARDRAIL_OVERHEAD_GIB)
    assert max(errors) <= 0
    assert min(errors) > -0.08


@pytest.mark.parametrize(
    ("name", "dtype", "gpu_mib", "context", "ranks", "tokens"),
    [
        pytest.param("llama-3.1-70b", "bf16", H100_MIB, 8192, 4, 434_472, id="computed-70b-h100"),
        pytest.param("llama-3.1-70b", "bf16", H200_MIB, 8192, 2, 361_727, id="computed-70b-h200"),
        pytest.param("llama-3.1-405b", "fp8", H100_MIB, 8192, 8, 312_026, id="computed-405b-fp8-h100"),
    ],
)
def test_the_smallest_tensor_parallel_degree_that_holds_the_context(
    name: str, dtype: str, gpu_mib: float, context: int, ranks: int, tokens: int
) -> None:
    shape = replace(model(name), vocabulary=0)  # the vectors count every parameter in the narrow type
    fit = smallest_tensor_parallel(
        shape, gpu_mib, 8, Serving(dtype=dtype, context_tokens=context, overhead_gib=ESTIMATE_OVERHEAD_GIB)
    )
    assert fit.tensor_parallel == ranks
    assert fit.kv_tokens.value == pytest.approx(tokens, rel=0.005)
    assert fit.fits


def test_70b_on_two_h100_leaves_less_than_a_quarter_of_an_8k_context() -> None:
    serving = Serving(overhead_gib=ESTIMATE_OVERHEAD_GIB)
    fit = inference_fit(replace(model("llama-3.1-70b"), parameters=70.55e9), H100_MIB, 2, serving)
    assert value(fit.kv_budget) == pytest.approx(0.30, abs=0.01)
    assert value(fit.kv_tokens) == pytest.approx(1934, abs=16)
    assert not fit.fits


def test_405b_in_bf16_fits_no_eight_h100() -> None:
    with pytest.raises(PlanError) as caught:
        smallest_tensor_parallel(model("llama-3.1-405b"), H100_MIB, 8, Serving(), path="workloads.chat.replica.gpus")
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == ("model-does-not-fit", "workloads.chat.replica.gpus")
    assert "8 GPUs hold 0.00" in problem.allowed


def test_ranks_that_do_not_divide_the_heads_do_not_fit() -> None:
    fit = inference_fit(model("llama-3.1-8b"), H100_MIB, 3, Serving())
    assert fit.max_concurrency.value > 1
    assert not fit.fits


def test_a_fit_lists_its_numbers_in_the_order_they_need_each_other() -> None:
    fit = inference_fit(model("llama-3.1-8b"), H100_MIB, 1, Serving())
    assert list(fit.numbers()) == ["weights", "kv_per_token", "kv_budget", "kv_tokens", "max_concurrency"]
    assert fit.numbers()["max_concurrency"] is fit.max_concurrency


def test_meaningless_memory_is_refused() -> None:
    with pytest.raises(PlanError):
        inference_fit(model("llama-3.1-8b"), 0, 0, Serving(context_tokens=0))


@given(
    name=st.sampled_from(sorted(models())),
    gpu_mib=st.floats(min_value=16_384, max_value=300_000),
    ranks=st.sampled_from([1, 2, 4, 8]),
    dtype=st.sampled_from(["bf16", "fp8", "int4"]),
    context=st.integers(min_value=128, max_value=200_000),
)
def test_more_memory_more_ranks_and_narrower_types_never_hold_less(
    name: str, gpu_mib: float, ranks: int, dtype: str, context: int
) -> None:
    shape, serving = model(name), Serving(dtype=dtype, context_tokens=context)
    held = inference_fit(shape, gpu_mib, ranks, serving).max_concurrency.value
    assert inference_fit(shape, gpu_mib * 1.5, ranks, serving).max_concurrency.value >= held
    assert inference_fit(shape, gpu_mib, ranks * 2, serving).max_concurrency.value >= held
    assert inference_fit(shape, gpu_mib, ranks, replace(serving, kv_dtype="fp8")).max_concurrency.value >= held
    assert inference_fit(shape, gpu_mib, ranks, replace(serving, context_tokens=context * 2)).max_concurrency.value <= (
        held
    )
