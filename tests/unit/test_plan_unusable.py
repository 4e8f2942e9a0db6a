"""Files that load and say something that no cluster can do, or that decides nothing."""

from typing import Any

import pytest

from builders import Data, fleet_plan, merged, programme, scoring, served
from gpulanes.errors import PlanError, Problem
from gpulanes.plan import Plan
from gpulanes.plan.draft import located

BLOCK: Data = {"nodes": 2, "id": "cr-0a1b"}
ADDONS: Data = {"kind": "system", "nodes": {"types": ["m7i.xlarge"]}}


def refused(workloads: dict[str, Data], **changes: Any) -> list[tuple[str, str, str]]:  # noqa: ANN401 - fields of the file
    with pytest.raises(PlanError) as caught:
        fleet_plan(workloads, **changes)
    assert all(problem.allowed and problem.fix for problem in caught.value.problems)
    return [(problem.code, problem.path, problem.value) for problem in caught.value.problems]


def advice(plan: Plan) -> list[tuple[str, str]]:
    return [(note.subject, note.text) for note in plan.notes if note.code.endswith("-unused")]


def test_a_node_group_does_not_find_a_reservation_by_tags_and_karpenter_does() -> None:
    chat = served(capacity=["reserved"], nodes={"reservation": {"nodes": 6, "tags": {"for": "chat", "team": "ml"}}})
    assert refused({"chat": chat}) == [("reservation-id", "workloads.chat.nodes.reservation", "for=chat, team=ml")]
    assert fleet_plan({"chat": merged(chat, {"nodes": {"provisioner": "karpenter"}})}).pools


def test_a_node_group_in_a_capacity_block_has_the_type_and_the_zone_of_the_block() -> None:
    block: Data = {"nodes": {"reservation": BLOCK, "provisioner": "node-group", "types": ["g6e.xlarge", "g6e.2xlarge"]}}
    score = scoring(borrow=None, capacity=["capacity-block"], **block)
    assert refused({"score": score}) == [
        ("capacity-block", "workloads.score.nodes.types", "g6e.xlarge, g6e.2xlarge"),
        ("capacity-block", "workloads.score.nodes.zones", "us-east-1a, us-east-1b, us-east-1c"),
    ]
    fitting = merged(score, {"nodes": {"types": ["g6e.xlarge"], "zones": ["us-east-1b"]}})
    assert fleet_plan({"score": fitting}).pools


@pytest.mark.parametrize(
    ("nodes", "problem"),
    [
        ({"provisioner": "karpenter"}, ("nodes.provisioner", "karpenter")),
        ({"min": 0, "max": 3}, ("nodes.min", "0")),
    ],
)
def test_in_a_new_cluster_something_must_run_the_autoscalers(nodes: Data, problem: tuple[str, str]) -> None:
    addons = merged(ADDONS, {"nodes": nodes})
    path, value = problem
    assert refused({"chat": served(), "addons": addons}) == [("system-cannot-start", f"workloads.addons.{path}", value)]
    assert fleet_plan({"chat": served(), "addons": addons, "base": ADDONS}).pools
    assert fleet_plan({"addons": addons}, cluster={"kubernetes": None, "existing": "shared"}).pools


def test_a_system_pool_that_is_wrong_itself_is_the_only_problem() -> None:
    wrong = merged(ADDONS, {"nodes": {"types": ["g6e.2xlarge"]}})
    assert [code for code, _, _ in refused({"addons": wrong})] == ["system-accelerator"]


def test_a_reserve_is_judged_against_the_whole_lane_only() -> None:
    lends = {"mode": "borrow-and-return", "reserve": "9 gpus"}
    assert refused({"chat": served()}, partition=lends) == [("reserve-exceeds-lane", "partition.reserve", "9 gpus")]
    wrong = served(replica={"gpus": 8})
    assert [code for code, _, _ in refused({"chat": wrong}, partition=lends)] == ["replica-exceeds-node"]


def test_a_replica_of_a_model_whose_heads_are_not_known_is_judged_by_its_memory() -> None:
    shape = {"parameters": "30B", "layers": 80, "kv_heads": 8, "head_dim": 128}
    chat = served(model=shape, nodes={"types": ["g6e.12xlarge"]})
    with pytest.raises(PlanError) as caught:
        fleet_plan({"chat": chat})
    (problem,) = caught.value.problems
    assert (problem.code, problem.value) == ("replica-does-not-fit", "1")
    assert problem.allowed == "GPUs with memory for 1 requests at once; this holds 0.00"


def test_a_load_beyond_all_proportion_is_shown_as_a_number_that_can_be_read() -> None:
    demand, replica = {"requests_per_second": 1e6, "peak_factor": 100}, {"requests_per_second": 0.001}
    assert refused({"chat": served(demand=demand, replica=replica)}) == [
        ("too-many-nodes", "workloads.chat.demand.requests_per_second", "149,999,999,550 nodes")
    ]


def test_an_operand_without_a_place_in_the_file_is_named_beside_its_value() -> None:
    placed = located(Problem("impossible-input", "gpus_per_node", "0", "a number above 0", ""), "chat")
    assert (placed.path, placed.value) == ("workloads.chat", "gpus_per_node 0")


def test_fields_that_decide_nothing_are_said_to_be_superfluous() -> None:
    plan = fleet_plan(
        {
            "chat": served(nodes={"survive": "1 node", "spares": 2}),
            "pretrain": programme(nodes={"survive": "1 node", "spares": 2}),
            "stated": programme(nodes={"count": 16, "spares": 2}),
        },
        partition={"mode": "physical", "reserve": "2 nodes"},
    )
    assert advice(plan) == [
        ("partition", "remove partition.reserve: mode physical lends nothing anyway"),
        ("chat", "remove nodes.spares: it sizes the nodes of training that are not stated"),
        ("pretrain", "remove nodes.survive: it sizes what is served; other work starts again"),
        ("stated", "remove nodes.spares: it sizes the nodes of training that are not stated"),
    ]


def test_a_capacity_that_is_rounded_up_says_for_which_file_system() -> None:
    plan = fleet_plan({"pretrain": programme()}, storage={"hot": {"capacity": "1200GiB"}})
    assert [note.text for note in plan.notes if note.code == "capacity-rounded"] == [
        "1200 GiB cannot be bought as PERSISTENT_2 over EFA: rounded up to 4800 GiB"
    ]
