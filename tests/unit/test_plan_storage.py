import pytest

from builders import Data, fleet_plan, programme, served
from gpulanes.errors import PlanError
from gpulanes.plan import Plan
from gpulanes.plan.model import LustrePlan


def plan_of(storage: Data, **changes: object) -> Plan:
    return fleet_plan({"pretrain": programme(**changes)}, storage={"archive": {}, **storage})


def hot(plan: Plan) -> LustrePlan:
    assert plan.storage.hot is not None
    return plan.storage.hot


def test_the_file_system_holds_the_checkpoints_and_writes_one_in_time_over_the_fabric() -> None:
    tier = hot(plan_of({"hot": {}}))
    assert (tier.deployment_type, tier.efa, tier.zone) == ("PERSISTENT_2", True, "us-east-1a")
    assert tier.capacity_gib % 4800 == 0
    assert tier.capacity_gib / 1000 * tier.throughput_per_tib >= 14 * 70.6e9 / 60 / 1e6
    assert tier.capacity_gib * 0.8 >= 3 * 14 * 70.6e9 / 2**30


def test_it_is_linked_to_the_archive_and_exports_what_changes() -> None:
    tier = hot(plan_of({"hot": {}}))
    assert (tier.linked_prefix, tier.export_events) == ("checkpoints/", ("NEW", "CHANGED", "DELETED"))
    assert hot(plan_of({"hot": {"export": False}})).export_events == ()


def test_without_an_archive_there_is_nothing_to_link() -> None:
    tier = hot(fleet_plan({"pretrain": programme()}, storage={"archive": None}))
    assert (tier.linked_prefix, tier.export_events) == ("", ())


def test_it_is_maintained_in_the_training_window_else_in_a_quiet_hour() -> None:
    assert hot(plan_of({"hot": {}})).weekly_maintenance == "7:03:00"
    plan = fleet_plan({"pretrain": programme()}, maintenance={"training": "Wed 12:30 +4h UTC"})
    assert hot(plan).weekly_maintenance == "3:12:30"


def test_a_stated_capacity_is_rounded_up_to_what_is_sold_and_said_so() -> None:
    plan = plan_of({"hot": {"capacity": "20000GiB", "efa": False, "throughput_per_tib": 1000}})
    assert hot(plan).capacity_gib == 21600
    assert "capacity-rounded" in [note.code for note in plan.notes]


def test_a_stated_capacity_gets_the_slowest_tier_that_writes_in_time() -> None:
    tier = hot(plan_of({"hot": {"capacity": "38400GiB"}}))
    assert (tier.capacity_gib, tier.throughput_per_tib) == (38400, 500)


def test_a_stated_capacity_that_no_tier_makes_fast_enough_is_kept_and_warned_about() -> None:
    plan = plan_of({"hot": {"capacity": "4800GiB"}})
    assert (hot(plan).capacity_gib, hot(plan).throughput_per_tib) == (4800, 1000)
    assert "hot-too-slow" in [note.code for note in plan.notes]


def test_scratch_has_neither_tier_nor_metadata_setting() -> None:
    tier = hot(plan_of({"hot": {"deployment": "scratch", "capacity": "2400GiB"}}))
    assert (tier.deployment_type, tier.throughput_per_tib, tier.metadata_iops, tier.efa) == ("SCRATCH_2", 0, 0, False)


def test_what_is_not_sold_is_refused_at_its_place() -> None:
    with pytest.raises(PlanError) as caught:
        plan_of({"hot": {"deployment": "scratch", "efa": True}})
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == ("lustre-not-offered", "storage.hot")


def test_checkpoints_on_the_archive_need_no_room_on_the_hot_tier() -> None:
    tier = hot(plan_of({"hot": {}}, checkpoint={"store": "archive"}))
    assert tier.capacity_gib == 4800


def test_a_fleet_without_training_keeps_its_file_system_in_the_first_zone() -> None:
    tier = hot(fleet_plan({"chat": served()}))
    assert (tier.zone, tier.efa, tier.capacity_gib) == ("us-east-1a", False, 1200)


def test_the_zone_of_the_file_system_can_be_stated() -> None:
    plan = fleet_plan({"chat": served()}, storage={"hot": {"zone": "us-east-1c"}})
    assert hot(plan).zone == "us-east-1c"


def test_tiers_carry_the_cost_tags_of_the_lane_they_serve() -> None:
    plan = fleet_plan({"pretrain": programme()}, storage={"serving": {}, "archive": {"after": "7d"}})
    tiers = plan.storage
    assert tiers.serving is not None
    assert tiers.archive is not None
    assert (tiers.serving.tags["workload"], tiers.archive.tags["workload"]) == ("inference", "training")
    assert hot(plan).tags == {
        "cost-center": "4711",
        "environment": "test",
        "owner": "ml-platform",
        "workload": "training",
    }
    assert (tiers.serving.archive_after_days, tiers.archive.archive_after_days) == (0, 7)
    assert (tiers.serving.name, tiers.archive.name) == ("chat-test-serving", "chat-test-archive")


def test_a_tier_that_the_file_leaves_out_is_not_created() -> None:
    plan = fleet_plan({"chat": served()}, storage=None)
    assert (plan.storage.hot, plan.storage.serving, plan.storage.archive) == (None, None, None)
