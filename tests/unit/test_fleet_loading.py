import subprocess
import sys

import pytest
import yaml

from builders_fleet import FLEET, changed, summary
from gpulanes.errors import SpecError
from gpulanes.fleet import FleetSpec, load_bytes, load_data, load_text
from gpulanes.spec.workload import BatchWorkload, InferenceWorkload, ModelShape, TrainingWorkload
from gpulanes.units import Amount, DailyWindow, Duration, Fraction, MonthlyCost, PerTime, WeeklyWindow


def test_the_example_loads_with_everything_in_its_unit() -> None:
    fleet = load_text(FLEET)
    chat, pretrain, nightly = fleet.workloads.values()
    assert isinstance(chat, InferenceWorkload)
    assert chat.model == ModelShape(name="llama-3.1-70b", dtype="fp8")
    assert chat.demand.growth == PerTime(0.4 / 60)
    assert chat.slo.availability == Fraction(0.999)
    assert isinstance(pretrain, TrainingWorkload)
    assert pretrain.capacity == ["spot", "reserved"]
    assert pretrain.cycle is not None
    assert pretrain.cycle.tokens == Amount(200e9)
    assert isinstance(nightly, BatchWorkload)
    assert nightly.window == DailyWindow(22 * 60, 6 * 60)
    assert fleet.maintenance.inference == WeeklyWindow.parse("Sun 03:00 +4h UTC")
    assert fleet.budget.inference == MonthlyCost(150000.0)
    assert fleet.storage.archive is not None
    assert fleet.storage.archive.after == Duration.parse("30d")


def test_bytes_text_and_plain_data_load_to_the_same_fleet() -> None:
    fleet = load_text(FLEET)
    assert load_bytes(FLEET.encode()) == fleet
    assert load_bytes(b"\xef\xbb\xbf" + FLEET.encode()) == fleet
    assert load_data(yaml.safe_load(FLEET)) == fleet


def test_a_fleet_without_its_optional_parts_has_defaults() -> None:
    fleet = load_text(
        """
        fleet: small
        cloud: aws
        region: us-east-1
        zones: [us-east-1a]
        cluster: {existing: shared}
        tags: {environment: dev}
        workloads:
          addons: {kind: system, nodes: {types: [m7i.xlarge]}}
        """
    )
    assert fleet.partition.mode == "physical"
    assert fleet.storage.hot is None
    assert isinstance(fleet, FleetSpec)


def test_scalars_mean_what_they_look_like() -> None:
    text = changed(
        ('cost-center: "4711"', "cost-center: 0471, shift: on, clock: yes"), ('"22:00-06:00 UTC"', "22:00-06:00 UTC")
    )
    fleet = load_text(text)
    assert fleet.tags["cost-center"] == "0471"
    assert fleet.tags["shift"] == "on"
    assert fleet.tags["clock"] == "yes"


def test_booleans_and_numbers_have_the_spellings_of_the_core_schema() -> None:
    tiers = "{hot: {kind: lustre, efa: True, export: FALSE}"
    fleet = load_text(changed(("{hot: {kind: lustre}", tiers), ("peak_factor: 1.53", "peak_factor: +1.5e0")))
    assert fleet.storage.hot is not None
    assert (fleet.storage.hot.efa, fleet.storage.hot.export) == (True, False)
    chat = fleet.workloads["chat"]
    assert isinstance(chat, InferenceWorkload)
    assert chat.demand.peak_factor == 1.5


def test_plain_data_is_held_to_the_same_rules() -> None:
    data = yaml.safe_load(FLEET)
    data["zones"].append("eu-west-1a")
    data["partition"]["reserve"] = None
    data["storage"]["hot"]["zone"] = "us-east-1z"
    data["zones"].append(None)
    data["workloads"][3] = {}
    with pytest.raises(SpecError) as caught:
        load_data(data)
    assert [(problem.code, problem.path) for problem in caught.value.problems] == [
        ("empty-value", "partition.reserve"),
        ("zone-not-in-fleet", "storage.hot.zone"),
        ("wrong-type", "workloads[3]"),
        ("missing", "workloads[3].kind"),
        ("zone-outside-region", "zones[3]"),
        ("empty-value", "zones[4]"),
    ]


def test_problems_come_in_file_order_with_their_lines() -> None:
    text = changed(
        ("region: us-east-1", "region: us_east"),
        ("gpus: 4", "gpus: 0"),
        ("after: 30d", "after: 30x"),
        ("cloud: aws", "cloud: azure"),
    )
    assert [line for line, _, _ in summary(text)] == [2, 3, 15, 25]


def test_loading_needs_no_file_clock_or_pulumi() -> None:
    program = (
        "import sys, gpulanes.fleet; print([m for m in sys.modules if m.split('.')[0] in ('pulumi', 'boto3', 'grpc')])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"
