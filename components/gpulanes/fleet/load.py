"""Text, bytes or plain data to a FleetSpec; or every problem at once, in file order."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from pydantic import ValidationError

from gpulanes.errors import Problem, SpecError
from gpulanes.fleet.composition import UnreadableError, compose, decode
from gpulanes.fleet.document import Document, Mistake, Path
from gpulanes.fleet.model import FleetSpec
from gpulanes.fleet.semantic import semantic_mistakes
from gpulanes.fleet.shapes import ROOT, visit
from gpulanes.fleet.translate import field_mistakes
from gpulanes.spec.constraints import holds

MAX_PROBLEMS = 200
"""More than anybody reads at once."""

_MAX_COLLECTED = 5 * MAX_PROBLEMS
"""Where collecting stops: beyond it the order of what is shown is no longer that of the whole file."""


def load_bytes(data: bytes, file: str = "<bytes>") -> FleetSpec:
    """Read the content of a fleet file; raises SpecError with every problem."""
    try:
        text = decode(data)
    except UnreadableError as error:
        raise SpecError([Document(None, file).problem(error.mistake)]) from None
    return load_text(text, file)


def load_text(text: str, file: str = "<text>") -> FleetSpec:
    """Read the text of a fleet file; raises SpecError with every problem."""
    try:
        document, mistakes = compose(text, file)
    except UnreadableError as error:
        raise SpecError([Document(None, file).problem(error.mistake)]) from None
    return _validate(document, mistakes)


def load_data(data: Mapping[str, object], file: str = "") -> FleetSpec:
    """Take a fleet as plain data (as JSON has it) under the same rules; raises SpecError with every problem."""
    nulls = [path for path, value in _leaves(data) if value is None]
    empty = [Mistake("empty-value", path, "a value", "give the value, or leave the field out") for path in nulls]
    return _validate(Document(data, file, muted=frozenset(nulls)), empty)


def _leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield everything that is neither a mapping nor a list."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _leaves(item, (*path, position))
    else:
        yield path, value


def _validate(document: Document, mistakes: list[Mistake]) -> FleetSpec:
    spec, errors = _parse(document)
    found = chain(mistakes, errors, _constraint_mistakes(document), semantic_mistakes(document))
    problems = _problems(document, islice(found, _MAX_COLLECTED))
    if problems or spec is None:
        raise SpecError(problems)
    return spec


def _parse(document: Document) -> tuple[FleetSpec | None, list[Mistake]]:
    try:
        return FleetSpec.model_validate(document.data), []
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)[:_MAX_COLLECTED]
        return None, field_mistakes(errors, document)


def _constraint_mistakes(document: Document) -> Iterator[Mistake]:
    """Evaluate the models' constraints on what was written, whether or not the fields are right."""
    for path, model, raw in visit(ROOT, document.data):
        for constraint in model.CONSTRAINTS:
            steps = constraint.field.split(".") if constraint.field else []
            around = document.at(*path, *steps[:-1])
            if isinstance(around, Mapping) and not holds(constraint.fragment, raw):
                yield Mistake(constraint.code, (*path, *steps), constraint.allowed, constraint.fix)


def _problems(document: Document, mistakes: Iterable[Mistake]) -> list[Problem]:
    """Place, sort by line and cut to a readable number."""
    problems = sorted((document.problem(mistake) for mistake in mistakes), key=lambda p: (p.line, p.path, p.code))
    if len(problems) <= MAX_PROBLEMS:
        return problems
    more = Mistake(
        "more-problems", (), f"only the first {MAX_PROBLEMS} problems are shown", "fix these first", value=""
    )
    return [*problems[:MAX_PROBLEMS], document.problem(more)]
