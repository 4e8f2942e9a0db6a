from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders_sizing import value
from gpulanes.catalog import Instance, default, instance
from gpulanes.errors import PlanError
from gpulanes.sizing.advice import lendable_gpus, minimum_split, pool_utilisation, split_advice
from gpulanes.sizing.cost import Capacity, daily_duty, hourly, monthly, total, training_duty
from gpulanes.sizing.sized import Sized

P5 = instance("p5.48xlarge")


def _hourly(one: Instance, region: str, capacity: Capacity, ratio: float | None = None) -> Sized:
    found = hourly(one, region, capacity, spot_price_ratio=ratio)
    assert found is not None
    value(found)
    return found


def test_on_demand_and_reserved_bill_the_list_price() -> None:
    assert _hourly(P5, "us-east-1", "on-demand").value == 55.04
    assert not _hourly(P5, "us-east-1", "on-demand").note
    assert _hourly(P5, "us-east-1", "on-demand").source == "list price of us-east-1, read 2026-07-20"
    reserved = _hourly(P5, "us-west-2", "reserved")
    assert (reserved.value, reserved.note) == (55.04, "billed whether used or not")


def test_spot_is_priced_by_a_pessimistic_share_of_the_list_price() -> None:
    spot = _hourly(P5, "us-east-1", "spot")
    assert spot.value == pytest.approx(55.04 * default("spot_price_ratio").value)
    assert "seen 17.6289 to 55.04 USD/h on 2026-01-18" in spot.note
    assert _hourly(P5, "us-east-1", "spot", 0.4).value == pytest.approx(22.016)
    assert "ratio" not in _hourly(P5, "us-east-1", "spot", 0.4).source


def test_a_price_of_another_region_says_so() -> None:
    abroad = _hourly(P5, "eu-west-1", "spot")
    assert abroad.note == "no list price for eu-west-1 in the catalogue"
    assert "us-east-1" in abroad.source


def test_a_capacity_block_bills_per_accelerator_at_the_upper_end() -> None:
    assert _hourly(instance("p5en.48xlarge"), "us-east-1", "capacity-block").value == pytest.approx(8 * 6.865)


def test_a_price_that_is_not_established_is_none_and_never_zero() -> None:
    unlisted = instance("p5e.48xlarge")
    assert hourly(unlisted, "us-east-1", "on-demand") is None
    assert hourly(unlisted, "us-east-1", "spot") is None
    assert hourly(instance("m7i.xlarge"), "us-east-1", "capacity-block") is None
    assert hourly(replace(P5, on_demand={}), "us-east-1", "reserved") is None


def test_a_spot_ratio_above_the_list_price_is_refused() -> None:
    with pytest.raises(PlanError, match="spot_price_ratio"):
        hourly(P5, "us-east-1", "spot", spot_price_ratio=1.2)


def test_a_month_has_730_hours() -> None:
    assert value(monthly(2, 0.2016)) == pytest.approx(294.336)
    assert value(monthly(16, 41.28, duty=14 / 30, note="Spot")) == pytest.approx(16 * 41.28 * 730 * 14 / 30)


def test_duties_are_shares_of_the_month() -> None:
    assert value(training_duty(14 * 86_400, 30 * 86_400)) == pytest.approx(14 / 30)
    assert value(training_duty(40, 30)) == 1
    assert value(daily_duty(8 * 3600)) == pytest.approx(1 / 3)


def test_a_total_names_its_parts() -> None:
    found = total({"pretrain-spot": 10.0, "pretrain-reserved": 5.0})
    assert (value(found), found.formula) == (15.0, "sum(pretrain_spot, pretrain_reserved)")
    assert value(total({})) == 0


@pytest.mark.parametrize("name", ["lambda", "None", "sum", "unit", "source", "formula", "7b", "", "é", "ﬁ", "a b"])
def test_a_part_may_have_any_name(name: str) -> None:
    found = total({name: 10.0, "chat": 5.0})
    assert value(found) == 15.0
    assert len(found.operands) == 2


def test_parts_whose_names_differ_only_in_what_an_operand_cannot_show_all_count() -> None:
    assert value(total({"a-b": 1.0, "a_b": 2.0, "a.b": 4.0})) == 7.0


def test_a_total_has_as_many_parts_as_there_are() -> None:
    assert value(total({f"chat-{number}": 0.1 for number in range(20_000)})) == 2000.0


@given(st.floats(0, 1e4), st.floats(0, 1e3), st.floats(0, 1))
def test_cost_is_proportional_to_nodes(nodes: float, price: float, duty: float) -> None:
    assert monthly(nodes * 2, price, duty=duty).value == pytest.approx(2 * monthly(nodes, price, duty=duty).value)


@pytest.mark.parametrize(
    ("peak_factor", "zone_factor", "percent"),
    [(1.53, 1.0, 52.3), (1.53, 1.5, 34.9), (2, 1.0, 40), (2, 1.5, 26.7), (4.1, 1.0, 19.5), (4.1, 1.5, 13.0)],
    ids="computed-{}".format,
)
def test_a_pool_sized_for_its_peak_idles_most_of_the_day(
    peak_factor: float, zone_factor: float, percent: float
) -> None:
    assert value(pool_utilisation(peak_factor, 0.25, zone_factor)) * 100 == pytest.approx(percent, abs=0.05)


def test_inference_lends_what_load_headroom_and_reserve_leave() -> None:
    assert value(lendable_gpus(100, 52.9, 0.25, 0)) == pytest.approx(33.9, abs=0.05)
    assert value(lendable_gpus(100, 52.9, 0.25, 16)) == pytest.approx(17.9, abs=0.05)
    assert value(lendable_gpus(100, 95, 0.25, 0)) == 0


@pytest.mark.parametrize(
    ("gpus", "expected"),
    [
        (0, "do-not-split"),
        (2, "do-not-split"),
        (3, "split-logical"),
        (16, "split-logical"),
        (17, "split-physical"),
        (64, "split-physical"),
        (65, "split-borrow"),
    ],
)
def test_the_more_gpus_the_more_of_a_split(gpus: float, expected: str) -> None:
    advice = split_advice(gpus)
    assert advice.code == expected
    assert advice.split == (expected != "do-not-split")
    assert f"{gpus:g} GPUs" in advice.text


def test_an_objective_or_multi_node_training_wants_nodes_of_its_own() -> None:
    assert split_advice(8, latency_objective=True).code == "split-physical"
    assert split_advice(8, multi_node_training=True).code == "split-physical"
    assert split_advice(2, latency_objective=True).code == "do-not-split"


def test_a_little_training_does_not_pay_for_a_lane() -> None:
    advice = split_advice(40, latency_objective=True, training_share=0.05)
    assert (advice.code, advice.text[:16]) == ("do-not-split", "training takes 5")
    assert split_advice(40, training_share=0.1).split


def test_two_minimal_pools_of_whole_nodes_may_be_too_much() -> None:
    assert value(minimum_split(8)) == 32
    assert split_advice(15, gpus_per_node=8, latency_objective=True).code == "do-not-split"
    assert split_advice(16, gpus_per_node=8, latency_objective=True).code == "split-physical"


def test_prices_carry_the_day_they_were_read() -> None:
    assert P5.on_demand["us-east-1"].as_of == date(2026, 7, 20)
