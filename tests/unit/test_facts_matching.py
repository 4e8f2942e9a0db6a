import pytest

from gpulanes.facts import UNKNOWN, Unknown
from gpulanes.facts.matching import Requirement, blocks, resolve, selects, tolerates
from gpulanes.facts.model import Expression, Labels, Selector, Taint, Toleration

LANE = Taint("workload", "inference", "NoSchedule")


@pytest.mark.parametrize(
    ("toleration", "covered"),
    [
        (Toleration("workload", "Equal", "inference", "NoSchedule"), True),
        (Toleration("workload", "Equal", "inference"), True),
        (Toleration("workload", "Exists"), True),
        (Toleration(operator="Exists"), True),
        (Toleration("workload", "Equal", "training"), False),
        (Toleration("workload"), False),
        (Toleration("workload", "Exists", effect="NoExecute"), False),
        (Toleration("other", "Exists"), False),
    ],
)
def test_a_toleration_covers_a_taint_as_kubernetes_says(toleration: Toleration, covered: bool) -> None:  # noqa: FBT001
    assert tolerates(toleration, LANE) is covered


@pytest.mark.parametrize("taint", [Taint(UNKNOWN, "x", "NoSchedule"), Taint("x", UNKNOWN, ""), Taint("x", "", UNKNOWN)])
def test_whether_an_unknown_taint_is_tolerated_is_unknown(taint: Taint) -> None:
    assert isinstance(tolerates(Toleration(operator="Exists"), taint), Unknown)


def test_only_no_schedule_and_no_execute_block() -> None:
    assert [blocks(Taint("k", "v", e)) for e in ("NoSchedule", "NoExecute", "PreferNoSchedule")] == [True, True, False]
    assert isinstance(blocks(Taint("k", "v", UNKNOWN)), Unknown)


@pytest.mark.parametrize(
    ("selector", "matched"),
    [
        (Selector(), True),
        (Selector(none=True), False),
        (Selector({"app": "chat"}), True),
        (Selector({"app": "other"}), False),
        (Selector({"absent": "x"}), False),
        (Selector(expressions=(Expression("app", "In", ("chat", "x")),)), True),
        (Selector(expressions=(Expression("app", "NotIn", ("chat",)),)), False),
        (Selector(expressions=(Expression("absent", "NotIn", ("chat",)),)), True),
        (Selector(expressions=(Expression("app", "Exists"),)), True),
        (Selector(expressions=(Expression("app", "DoesNotExist"),)), False),
        (Selector({"app": "chat"}, (Expression("app", "Exists"), Expression("app", "In", ("x",)))), False),
    ],
)
def test_selectors_match_as_kubernetes_says(selector: Selector, matched: bool) -> None:  # noqa: FBT001
    assert selects(selector, {"app": "chat"}) is matched


def test_a_selector_is_undecided_only_while_no_term_has_failed() -> None:
    labels: Labels = {"app": UNKNOWN, "team": "ml"}
    assert isinstance(selects(Selector({"app": "chat"}), labels), Unknown)
    assert isinstance(selects(Selector({"team": UNKNOWN}), labels), Unknown)
    assert isinstance(selects(Selector(expressions=(Expression("app", "In", ("chat",)),)), labels), Unknown)
    assert isinstance(selects(Selector(expressions=(Expression("team", "Like", ("m*",)),)), labels), Unknown)
    assert selects(Selector({"app": "chat", "team": "other"}), labels) is False


TYPES = ("reserved", "spot", "on-demand")


@pytest.mark.parametrize(
    ("terms", "labels", "left"),
    [
        ([], {}, TYPES),
        ([("k", "Exists", ())], {}, TYPES),
        ([("k", "DoesNotExist", ())], {}, ()),
        ([("k", "In", ("spot",))], {}, ("spot",)),
        ([("k", "NotIn", ("spot",))], {}, ("reserved", "on-demand")),
        ([("k", "In", ("spot", "on-demand")), ("k", "NotIn", ("spot",))], {}, ("on-demand",)),
        ([("k", "In", ("spot",)), ("k", "In", ("on-demand",))], {}, ()),
        ([("other", "In", ("spot",))], {}, TYPES),
        ([("k", "Exists", ())], {"k": "on-demand"}, ("on-demand",)),
        ([("k", "Exists", UNKNOWN)], {}, TYPES),
    ],
)
def test_requirements_and_labels_intersect(
    terms: list[Requirement], labels: dict[str, str], left: tuple[str, ...]
) -> None:
    assert resolve(terms, labels, "k", TYPES) == left


def test_an_open_set_is_restricted_by_in_alone() -> None:
    assert resolve([], {}, "k", None) is None
    assert resolve([("k", "NotIn", ("a",))], {}, "k", None) is None
    assert resolve([("k", "In", ("a", "b"))], {}, "k", None) == ("a", "b")


def test_values_that_are_not_known_leave_it_open() -> None:
    assert isinstance(resolve([("k", "In", UNKNOWN)], {}, "k", TYPES), Unknown)
