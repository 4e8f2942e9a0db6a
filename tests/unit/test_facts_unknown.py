import pytest

from gpulanes.facts import UNKNOWN, Fact, Undecided, Unknown
from gpulanes.facts.model import Facts
from gpulanes.facts.view import View, label


def test_two_unknowns_are_never_equal() -> None:
    assert (UNKNOWN == UNKNOWN) is False  # noqa: PLR0124 - the point
    assert Unknown() != UNKNOWN
    assert UNKNOWN != "unknown"
    assert len({UNKNOWN: 1}) == 1


def test_an_unknown_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(UNKNOWN)


def test_reading_an_unknown_fact_is_undecided_and_says_which() -> None:
    fact: Fact[str] = Fact("spec.limits", UNKNOWN)
    with pytest.raises(Undecided, match=r"spec\.limits is not known") as caught:
        fact.get()
    assert caught.value.fact is fact
    assert fact.get_or("none") == "none"


def test_facts_and_unknowns_print_for_people() -> None:
    assert repr(UNKNOWN) == "unknown"
    assert repr(Fact("a.b", 1)) == "Fact('a.b', 1)"
    assert repr(Fact("a.b", "x", given=False)) == "Fact('a.b', 'x', given=False)"


def test_absent_takes_the_default_and_says_so() -> None:
    view = View({})
    for fact in (view.at("a").text("x"), view.at("a").scalar("x"), view.at("a", "b").text("x")):
        assert (fact.value, fact.given) == ("x", False)
    assert view.at("a").integer(3).value == 3
    assert view.at("a").boolean(default=True).value is True
    assert view.at("a").texts(("x",)).value == ("x",)
    assert view.at("a").labels().value == {}
    assert view.at("a").items() == ()
    assert view.at("a").absent


def test_null_is_absent_but_empty_is_given() -> None:
    view = View({"null": None, "text": "", "list": [], "mapping": {}})
    assert not view.at("null").text().given
    assert view.at("text").text("default").value == ""
    assert view.at("list").texts(("default",)).value == ()
    assert view.at("mapping").labels().given


@pytest.mark.parametrize("wrong", [[1], {"a": 1}, 1.5, True, "x", 7])
def test_the_wrong_type_is_unknown_and_never_a_guess(wrong: object) -> None:
    view = View({"field": wrong}).at("field")
    readings = {
        str: view.text().known,
        int: view.integer().known,
        bool: view.boolean(default=False).known,
        list: view.texts().known,
        dict: view.labels().known,
    }
    right = {str: isinstance(wrong, str), int: wrong == 7, bool: wrong is True, list: False, dict: wrong == {"a": 1}}
    assert readings == right


def test_whole_numbers_are_read_however_they_are_written() -> None:
    for number in (3, 3.0, "3", " 3"):
        assert View(number).integer().value == 3
    assert View("-3").integer().value == -3
    assert View(2.0).scalar().value == "2"
    assert not View(2.5).scalar().known


def test_below_what_is_unknown_everything_is_unknown() -> None:
    view = View({"a": UNKNOWN, "b": "text"})
    assert not view.at("a", "c").text().known
    assert not view.at("b", "c").text().known
    assert view.at("a", "c").unknown
    assert list(view.at("a").known_items()) == []
    assert isinstance(view.at("b").items(), Unknown)


def test_labels_keep_what_is_known_beside_what_is_not() -> None:
    labels = View({"a": "x", "b": UNKNOWN, "c": None, "d": 3}).labels()
    assert labels.value.keys() == {"a", "b", "d"}  # type: ignore[union-attr] # known, by construction
    assert label(labels, "a").value == "x"
    assert not label(labels, "b").known
    assert (label(labels, "c").value, label(labels, "c").given) == ("", False)
    assert label(labels, "d").value == "3"
    assert not label(Fact("labels", UNKNOWN), "a").known


def test_paths_are_those_of_the_source() -> None:
    view = View({"spec": {"items": [{"name": "x"}]}})
    (item,) = view.at("spec", "items").known_items()
    assert item.at("name").text().path == "spec.items[0].name"


def test_facts_of_nothing_hold_nothing() -> None:
    assert Facts().pools == ()
