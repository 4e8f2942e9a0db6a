import inspect
import math
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders_sizing import value
from gpulanes import sizing
from gpulanes.catalog import gpu, instance, lustre_grids, model
from gpulanes.errors import PlanError
from gpulanes.sizing import (
    advice,
    checkpoint,
    cost,
    demand,
    failover,
    inference_memory,
    replica_rate,
    spot,
    storage,
    training_memory,
    training_time,
)
from gpulanes.sizing.formula import ceil, compute, evaluate, exp, expm1, floor, lambert_w0, poisson_spares
from gpulanes.sizing.inputs import require
from gpulanes.sizing.sized import Sized

LLAMA = model("llama-3.1-70b")
H100 = gpu("H100")
P5 = instance("p5.48xlarge")
GRID = lustre_grids()[1]
FIT = inference_memory.inference_fit(LLAMA, 81_920, 4, inference_memory.Serving())

EXAMPLES: dict[str, Callable[[], Sized | None]] = {
    "advice.lendable_gpus": lambda: advice.lendable_gpus(100, 52.9, 0.25, 0),
    "advice.minimum_split": lambda: advice.minimum_split(8),
    "advice.pool_utilisation": lambda: advice.pool_utilisation(1.53, 0.25, 1.5),
    "checkpoint.daly_interval": lambda: checkpoint.daly_interval(60, 86_400),
    "checkpoint.efficiency": lambda: checkpoint.efficiency(3180, 60, 86_400, 600),
    "checkpoint.flush_rate": lambda: checkpoint.flush_rate(1e12),
    "checkpoint.goodput": lambda: checkpoint.goodput(60, 86_400, 600),
    "checkpoint.job_mtbf": lambda: checkpoint.job_mtbf(16, reclaim_mtbf_seconds=28_800),
    "checkpoint.optimal_interval": lambda: checkpoint.optimal_interval(60, 86_400),
    "checkpoint.write_rate": lambda: checkpoint.write_rate(1e12, 60),
    "checkpoint.young_interval": lambda: checkpoint.young_interval(60, 86_400),
    "cost.daily_duty": lambda: cost.daily_duty(28_800),
    "cost.hourly": lambda: cost.hourly(P5, "us-east-1", "spot"),
    "cost.monthly": lambda: cost.monthly(3, 55.04, duty=0.5),
    "cost.total": lambda: cost.total({"chat": 1.0, "pretrain-spot": 2.0}),
    "cost.training_duty": lambda: cost.training_duty(14, 30),
    "demand.carried_mean": lambda: demand.carried_mean(7, 2, 1.0, peak_factor=1.5, headroom=0.25),
    "demand.nodes_for_replicas": lambda: demand.nodes_for_replicas(11, 2),
    "demand.peak_rate": lambda: demand.peak_rate(5.53, 1.53),
    "demand.replicas": lambda: demand.replicas(5.53, 1.0, peak_factor=1.53, headroom=0.25),
    "demand.replicas_per_node": lambda: demand.replicas_per_node(3, 8),
    "demand.warm_replicas": lambda: demand.warm_replicas(0.4 / 60, 300, 1.0),
    "failover.over_zones": lambda: failover.over_zones(10, 3, 1),
    "failover.over_zones_shared": lambda: failover.over_zones_shared(10, 8, 3, 1),
    "failover.per_zone": lambda: failover.per_zone(10, 3, 1),
    "failover.repair_spares": lambda: failover.repair_spares(64, 3),
    "failover.with_spares": lambda: failover.with_spares(10, 1),
    "inference_memory.kv_budget": lambda: FIT.kv_budget,
    "inference_memory.kv_per_token": lambda: FIT.kv_per_token,
    "inference_memory.kv_tokens": lambda: FIT.kv_tokens,
    "inference_memory.max_concurrency": lambda: FIT.max_concurrency,
    "inference_memory.weights": lambda: inference_memory.weights(LLAMA, "int8"),
    "replica_rate.estimated_replica_rate": lambda: replica_rate.estimated_replica_rate(LLAMA, FIT, H100),
    "spot.break_even_discount": lambda: spot.break_even_discount(0.856, 0.98),
    "spot.cost_ratio": lambda: spot.cost_ratio(0.43, 0.856, 0.98),
    "spot.reclaim_mtbf": lambda: spot.reclaim_mtbf(0.05, 16),
    "storage.addresses": lambda: storage.addresses(96_000, 48_000, GRID),
    "storage.checkpoint_content": lambda: storage.checkpoint_content(1e12),
    "storage.legal_capacity": lambda: storage.legal_capacity(3000, GRID),
    "storage.lustre_capacity": lambda: storage.lustre_capacity(3000, 900, GRID),
    "storage.lustre_write_rate": lambda: storage.lustre_write_rate(4800, GRID),
    "storage.metadata_iops": lambda: storage.metadata_iops(50_400),
    "training_memory.checkpoint_size": lambda: training_memory.checkpoint_size(70.6e9),
    "training_memory.gpus_for_states": lambda: training_memory.gpus_for_states(70.6e9, 81_920),
    "training_memory.model_states": lambda: training_memory.model_states(7.5e9, "zero2", 64),
    "training_time.training_flops": lambda: training_time.training_flops(70.6e9, 2e11),
    "training_time.training_gpus": lambda: training_time.training_gpus(8.5e22, 1.2e6, H100, goodput=0.9),
    "training_time.training_nodes": lambda: training_time.training_nodes(130, 8),
    "training_time.training_seconds": lambda: training_time.training_seconds(8.5e22, 128, H100),
}


def _functions_that_size() -> Iterator[str]:
    for found in pkgutil.iter_modules(sizing.__path__):
        module = import_module(f"gpulanes.sizing.{found.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            own = function.__module__ == module.__name__ and not name.startswith("_")
            if own and found.name != "formula" and "Sized" in str(inspect.signature(function).return_annotation):
                yield f"{found.name}.{name}"


def _numbers(result: Sized | None) -> Sized:
    assert isinstance(result, Sized)
    return result


def test_every_function_that_sizes_has_an_example_here() -> None:
    sizes = {name for name in _functions_that_size() if "LustreSize" not in name and name != "storage.lustre"}
    assert sizes == EXAMPLES.keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_formula_and_operands_of_a_result_reproduce_its_value(name: str) -> None:
    value(_numbers(EXAMPLES[name]()))


def test_the_dust_of_binary_fractions_makes_no_node() -> None:
    assert 0.1 * 3 / 0.1 > 3
    assert ceil(0.1 * 3 / 0.1) == 3
    assert floor(0.7 * 10) == 7
    assert floor(2.9999999999999996) == 3
    assert ceil(3.001) == 4
    assert floor(2.999) == 2


@given(st.floats(min_value=-1e12, max_value=1e12))
def test_ceil_and_floor_stay_within_one_of_the_number(x: float) -> None:
    dust = 1e-9 * max(1.0, abs(x))
    assert x - dust <= ceil(x) < x + 1 + dust
    assert x - 1 - dust < floor(x) <= x + dust


def test_exponentials_saturate_where_a_float_ends() -> None:
    assert exp(1000.0) == expm1(1000.0) == math.inf
    assert exp(1.0) == pytest.approx(math.e)


@pytest.mark.parametrize("z", [-1 / math.e, -0.367879, -0.2, -1e-9, 0.0, 0.5, 1.0, math.e, 100.0])
def test_lambert_w_inverts_w_times_e_to_the_w(z: float) -> None:
    w = lambert_w0(z)
    assert w >= -1
    assert w * math.exp(w) == pytest.approx(z, abs=1e-12)


@given(st.floats(min_value=-0.36, max_value=1e6))
def test_lambert_w_holds_over_its_range(z: float) -> None:
    w = lambert_w0(z)
    assert w * math.exp(w) == pytest.approx(z, rel=1e-9, abs=1e-12)


def test_poisson_spares_are_the_smallest_that_hold_the_tail() -> None:
    assert poisson_spares(0.0, 0.01) == 0
    assert poisson_spares(0.005, 0.01) == 0
    assert poisson_spares(1.0, 0.01) == 4
    assert poisson_spares(10.0, 0.01) == 18


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("1 + 2 * x", 9),
        ("-x ** 2", -16),
        ("1 if x > 3 else 2", 1),
        ("1 if x >= 5 else 2", 2),
        ("1 if x < 3 else 2", 2),
        ("max(x, sqrt(x), min(1, x))", 4),
    ],
)
def test_formulas_are_arithmetic_over_named_operands(formula: str, expected: float) -> None:
    assert evaluate(formula, {"x": 4}) == expected


@pytest.mark.parametrize("formula", ["y + 1", "x.real", "open('f')", "max(x, key=1)", "x and 1", "'text'", "1 < x < 3"])
def test_anything_else_is_no_formula(formula: str) -> None:
    with pytest.raises(ValueError, match="not part of a formula"):
        evaluate(formula, {"x": 4})


def test_an_operand_that_is_text_explains_and_does_not_compute() -> None:
    with pytest.raises(ValueError, match="not part of a formula"):
        evaluate("x", {"x": "four"})


@pytest.mark.parametrize("formula", ["1 / x", "exp(1e9 + x)", "(1e300 + x) * 1e300"])
def test_a_result_that_is_no_number_is_refused(formula: str) -> None:
    with pytest.raises(PlanError) as caught:
        compute(formula, "nodes", source="a test", x=0)
    (problem,) = caught.value.problems
    assert problem.code == "impossible-number"
    assert problem.value == "x 0"


def test_impossible_inputs_are_named_all_at_once() -> None:
    with pytest.raises(PlanError) as caught:
        require(
            positive={"nodes": 0, "memory": math.nan, "fine": 1},
            non_negative={"headroom": -0.1, "none": 0},
            share={"mfu": 1.5, "goodput": 0, "all": 1},
        )
    assert [(p.code, p.path, p.value) for p in caught.value.problems] == [
        ("impossible-input", "nodes", "0"),
        ("impossible-input", "memory", "nan"),
        ("impossible-input", "headroom", "-0.1"),
        ("impossible-input", "mfu", "1.5"),
        ("impossible-input", "goodput", "0"),
    ]


def test_a_count_is_whole() -> None:
    assert Sized(3.0, "nodes", "3").count == 3
    with pytest.raises(ValueError, match="not a whole number"):
        _ = Sized(3.5, "nodes", "3.5").count
