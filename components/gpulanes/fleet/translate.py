"""Every pydantic error as one mistake per place, in the words of the file."""

import difflib
from collections.abc import Callable, Iterable, Mapping

from pydantic_core import ErrorDetails

from gpulanes.fleet.document import Document, Mistake, Path
from gpulanes.fleet.places import Place, locate
from gpulanes.fleet.shapes import describe, example, model_at
from gpulanes.spec.constraints import ConstraintError
from gpulanes.spec.text import DuplicateEntryError
from gpulanes.units import UnitRangeError

FIELD_CODES: dict[str, str] = {
    "missing": "a required field is not there",
    "unknown-field": "a field that the models do not know",
    "wrong-type": "text where a number is needed, a list where a mapping is needed, and so on",
    "not-allowed": "a value outside a fixed choice",
    "malformed": "text that does not have the needed form",
    "out-of-range": "a number outside its limits",
    "wrong-length": "a list or mapping with too few or too many entries",
    "duplicate-entry": "a list that names the same thing twice",
}
"""Codes of what the JSON Schema refuses in one field."""

_CODES = {
    "missing": "missing",
    "union_tag_not_found": "missing",
    "extra_forbidden": "unknown-field",
    "literal_error": "not-allowed",
    "union_tag_invalid": "not-allowed",
    "too_short": "wrong-length",
    "too_long": "wrong-length",
    "greater_than_equal": "out-of-range",
    "less_than_equal": "out-of-range",
}
"""Codes by pydantic's error type; every type not named is a wrong type of value."""

_RANK = ("unit-range", "whole-number", "out-of-range", "malformed", "not-allowed", "wrong-type")
"""Of several errors at one place (a union tries each alternative) the first of these tells most."""


def field_mistakes(errors: Iterable[ErrorDetails], document: Document) -> list[Mistake]:
    """Translate pydantic's errors: one mistake per place, none where the file itself is unreadable."""
    found: dict[Path, Mistake] = {}
    for error in errors:
        place = locate(error, document.data)
        code = _code(error, place)
        if not code or any(place.path[: len(path)] == path for path in document.muted):
            continue
        mistake = _mistake(code, place, error, document.texts.get(place.path, str(place.value)))
        known = found.get(place.path)
        if known is None or _rank(mistake) < _rank(known):
            found[place.path] = mistake
    return list(found.values())


def _rank(mistake: Mistake) -> int:
    return _RANK.index(mistake.code) if mistake.code in _RANK else -1


def _cause(error: ErrorDetails) -> object:
    return error.get("ctx", {}).get("error")


def _code(error: ErrorDetails, place: Place) -> str:
    """Return the code; empty for what is said elsewhere or belongs to an alternative that was not meant."""
    if error["type"] == "value_error":
        return _value_code(_cause(error), place)
    code = _CODES.get(error["type"], "wrong-type")
    if code == "wrong-type" and isinstance(place.value, Mapping) and model_at(place.options, place.value):
        return ""
    return "whole-number" if code == "wrong-type" and _is_whole(place) else code


def _value_code(cause: object, place: Place) -> str:
    if isinstance(cause, ConstraintError):
        return ""
    if isinstance(cause, UnitRangeError):
        return "unit-range"
    if isinstance(cause, DuplicateEntryError):
        return "duplicate-entry"
    written = isinstance(place.value, str | int | float) and not isinstance(place.value, bool)
    return "malformed" if written else "wrong-type"


def _is_whole(place: Place) -> bool:
    """Say whether a whole number is written with a decimal point where the field takes whole numbers."""
    value = place.value
    return any(shape.base is int for shape in place.options) and isinstance(value, float) and value.is_integer()


def _mistake(code: str, place: Place, error: ErrorDetails, written: str) -> Mistake:
    cause = _cause(error)
    allowed = describe(place.options)
    value = str(place.value) if place.is_key else None
    if code == "unknown-field":
        allowed = f"known fields: {', '.join(_known(place))}"
    elif isinstance(cause, UnitRangeError):
        allowed = str(cause).removeprefix("expected ")
    elif isinstance(cause, DuplicateEntryError):
        allowed, value = "each entry once", cause.entry
    elif code == "missing":
        allowed = f"required: {allowed}"
    return Mistake(code, place.path, allowed, _FIXES[code](place, written), value)


def _known(place: Place) -> list[str]:
    return list(place.around.model_fields) if place.around else []


def _fix_missing(place: Place, _: str) -> str:
    shown = example(place.options)
    return f"add {place.path[-1]}: {shown}" if shown else f"add {place.path[-1]}"


def _closest(word: object, words: list[str]) -> str:
    return next(iter(difflib.get_close_matches(str(word).lower().replace("-", "_"), words, 1)), "")


def _fix_unknown(place: Place, _: str) -> str:
    meant = _closest(place.path[-1], _known(place))
    return f"did you mean {meant}?" if meant else "remove it, or move it to where it belongs"


def _fix_choice(place: Place, written: str) -> str:
    values = {str(value).replace("-", "_"): str(value) for shape in place.options for value in shape.literals}
    meant = _closest(written, list(values))
    return f"did you mean {values[meant]}?" if meant else "choose one of them"


def _fix_type(place: Place, written: str) -> str:
    takes_text = any(shape.base is str for shape in place.options)
    if takes_text and isinstance(place.value, int | float):
        return f'write it in quotes, which makes it text: "{written}"'
    if isinstance(place.value, str) and written.replace(".", "", 1).isdecimal():
        return "remove the quotes, which make it text"
    return _like(place, f"write {describe(place.options)}")


def _fix_form(place: Place, written: str) -> str:
    if not written.isascii():
        return "use ASCII letters: it becomes part of cloud names, DNS names and tags, which allow nothing else"
    if not isinstance(place.value, str):
        return _like(place, "write it with its unit")
    return _like(place, "rewrite it in that form")


def _like(place: Place, otherwise: str) -> str:
    shown = example(place.options)
    return f"{otherwise}, such as {shown}" if shown else otherwise


_FIXES: dict[str, Callable[[Place, str], str]] = {
    "missing": _fix_missing,
    "unknown-field": _fix_unknown,
    "wrong-type": _fix_type,
    "not-allowed": _fix_choice,
    "malformed": _fix_form,
    "out-of-range": lambda *_: "use a value inside the limits",
    "wrong-length": lambda *_: "add or remove entries until their number is inside the limits",
    "duplicate-entry": lambda *_: "remove the repetition",
    "unit-range": lambda *_: "use a value inside the limits",
    "whole-number": lambda place, _: f"write it without a decimal point: {place.value:.0f}",
}
