"""YAML text to a document: the part of YAML that says one thing to everybody.

Read event by event, so that limits hold while reading. Scalars follow the YAML 1.2 core schema:
only ``true`` and ``false`` are booleans, ``22:00`` and ``on`` are text. Anchors, aliases, merge keys
and tags are refused: a fleet file has no use for them, and they make bombs and surprises possible.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

import yaml

from gpulanes.fleet.document import Document, Mistake, Path

MAX_BYTES = 1 << 20
MAX_DEPTH = 16
"""The deepest field of the model is six levels down."""
MAX_NODES = 100_000
"""A thousand workloads of 50 fields each; reading that many takes a fifth of a second."""

FILE_CODES: dict[str, str] = {
    "too-large": "more bytes or more values than any fleet needs",
    "too-deep": "nested deeper than any fleet needs",
    "not-utf-8": "bytes that are no UTF-8 text",
    "not-text": "control characters, which no text has",
    "yaml-syntax": "not well-formed YAML",
    "yaml-key": "a list, a mapping or an alias as a key",
    "several-documents": "more than one document in the file",
    "empty-file": "nothing in the file",
    "not-a-mapping": "a list or a bare value where the fleet's fields should be",
    "duplicate-key": "the same key twice in one mapping",
    "empty-value": "a key or a list entry without a value, or null",
    "yaml-number": "a number that is infinite, undefined or longer than 40 digits",
    "yaml-anchor": "an anchor (&name)",
    "yaml-alias": "an alias (*name)",
    "yaml-merge": "a merge key (<<)",
    "yaml-tag": "a YAML tag (!name)",
    "more-problems": "there are more problems than are shown",
}
"""Codes of what is wrong with the text before any field is looked at; those that prevent reading come alone."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"  # the YAML specification, 5.1
)
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_LONGEST_NUMBER = 40


class UnreadableError(Exception):
    """Reading cannot go on; the mistake comes alone."""

    def __init__(self, mistake: Mistake) -> None:
        self.mistake = mistake
        super().__init__(mistake.code)


@dataclass(slots=True)
class _Frame:
    """An open collection: ``key`` waits for its value; ``kept`` is false for the value of a repeated key."""

    path: Path
    value: dict[str, object] | list[object]
    key: str | None = None
    kept: bool = True


@dataclass(slots=True)
class _Composer:
    """Builds plain data from events and notes where everything stands."""

    root: object = None
    frames: list[_Frame] = field(default_factory=list)
    lines: dict[Path, int] = field(default_factory=lambda: {(): 1})
    texts: dict[Path, str] = field(default_factory=dict)
    muted: set[Path] = field(default_factory=set)
    mistakes: list[Mistake] = field(default_factory=list)
    documents: int = 0
    nodes: int = 0

    def take(self, event: yaml.Event) -> None:
        """Take the next event; raises UnreadableError."""
        if isinstance(event, yaml.DocumentStartEvent):
            self._start_document(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self.frames.pop()
        elif isinstance(event, yaml.NodeEvent):
            self._node(event)

    def _start_document(self, event: yaml.Event) -> None:
        self.documents += 1
        if self.documents > 1:
            raise UnreadableError(
                Mistake(
                    "several-documents",
                    (),
                    "one document per file",
                    "put the second fleet into a file of its own, and remove the --- line",
                    line=_line(event),
                )
            )

    def _node(self, event: yaml.NodeEvent) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES or len(self.frames) >= MAX_DEPTH:
            raise UnreadableError(self._too_much(event))
        frame = self.frames[-1] if self.frames else None
        if frame is not None and isinstance(frame.value, dict) and frame.key is None:
            self._key(frame, event)
            return
        path = self._path(frame)
        self.lines.setdefault(path, _line(event))
        self._refuse_extras(event, path)
        self._attach(frame, self._value(event, path))

    def _too_much(self, event: yaml.Event) -> Mistake:
        if self.nodes > MAX_NODES:
            return Mistake("too-large", (), f"at most {MAX_NODES} values", "split the file", line=_line(event))
        return Mistake("too-deep", (), f"at most {MAX_DEPTH} levels", "remove the nesting", line=_line(event))

    def _key(self, frame: _Frame, event: yaml.NodeEvent) -> None:
        if not isinstance(event, yaml.ScalarEvent):
            raise UnreadableError(
                Mistake(
                    "yaml-key", frame.path, "text as a key", "write a plain name before the colon", line=_line(event)
                )
            )
        path = (*frame.path, event.value)
        self._refuse_extras(event, path)
        frame.kept = path not in self.lines
        frame.key = event.value if frame.kept else f"{event.value} (again)"
        if frame.kept:
            self.lines[path] = _line(event)
        else:
            self.mistakes.append(_repeated(path, self.lines[path], _line(event)))
        if event.value == "<<" and not event.style:
            self._mute(path, "yaml-merge", "no merge keys", "write the fields out", _line(event))

    def _path(self, frame: _Frame | None) -> Path:
        if frame is None:
            return ()
        step = len(frame.value) if isinstance(frame.value, list) else frame.key
        return frame.path if step is None else (*frame.path, step)

    def _refuse_extras(self, event: yaml.NodeEvent, path: Path) -> None:
        if isinstance(event, yaml.AliasEvent):
            self._mute(path, "yaml-alias", "no aliases", "write the value out", _line(event))
        elif event.anchor is not None:
            self._note(path, "yaml-anchor", "no anchors", f"remove &{event.anchor}", _line(event))
        if getattr(event, "tag", None) is not None:
            self._note(
                path, "yaml-tag", "no YAML tags", "remove the tag; quote the value to make it text", _line(event)
            )

    def _value(self, event: yaml.NodeEvent, path: Path) -> object:
        if isinstance(event, yaml.CollectionStartEvent):
            value: dict[str, object] | list[object] = {} if isinstance(event, yaml.MappingStartEvent) else []
            self.frames.append(_Frame(path, value))
            return value
        if isinstance(event, yaml.ScalarEvent):
            self.texts[path] = event.value
            return event.value if event.style else self._plain(event.value, path, _line(event))
        return None

    def _plain(self, text: str, path: Path, line: int) -> object:
        """Resolve an unquoted scalar; a missing value and an impossible number are mistakes."""
        if text in _NULLS:
            self._mute(path, "empty-value", "a value", "write the value, or remove the line", line)
            return None
        if text in _BOOLEANS:
            return _BOOLEANS[text]
        number = _number(text)
        if number is not None and not math.isfinite(number):
            self._mute(path, "yaml-number", "a finite number of at most 40 digits", "write a number that can be", line)
        return text if number is None else number

    def _attach(self, frame: _Frame | None, value: object) -> None:
        if frame is None:
            self.root = value
        elif isinstance(frame.value, list):
            frame.value.append(value)
        else:
            if frame.kept and frame.key is not None:
                frame.value[frame.key] = value
            frame.key = None

    def _mute(self, path: Path, code: str, allowed: str, fix: str, line: int) -> None:
        self.muted.add(path)
        self._note(path, code, allowed, fix, line)

    def _note(self, path: Path, code: str, allowed: str, fix: str, line: int) -> None:
        self.mistakes.append(Mistake(code, path, allowed, fix, line=line))


def _line(event: yaml.Event) -> int:
    return cast("yaml.Mark", event.start_mark).line + 1


def _repeated(path: Path, first: int, line: int) -> Mistake:
    return Mistake(
        "duplicate-key",
        path,
        f"each key once; it is on line {first} and again on line {line}",
        "keep one of the two",
        value="",
        line=line,
    )


def _number(text: str) -> int | float | None:
    """Return the number that the text is in the YAML 1.2 core schema; infinity stands for one that cannot be."""
    if _NOT_FINITE.fullmatch(text):
        return math.inf
    whole = _INTEGER.fullmatch(text)
    if not whole and not _FLOAT.fullmatch(text):
        return None
    if len(text) > _LONGEST_NUMBER:
        return math.inf
    return int(text) if whole else float(text)


def compose(text: str, file: str) -> tuple[Document, list[Mistake]]:
    """Read YAML text; raises UnreadableError with the one mistake that prevents reading."""
    _check_text(text)
    composer = _Composer()
    for event in _events(text):
        composer.take(event)
    if not isinstance(composer.root, dict):
        raise UnreadableError(_no_mapping(composer.root))
    document = Document(composer.root, file, composer.lines, composer.texts, frozenset(composer.muted))
    return document, composer.mistakes


def decode(data: bytes) -> str:
    """Return the text of a file; raises UnreadableError when it is too large or not UTF-8."""
    if len(data) > MAX_BYTES:
        raise UnreadableError(_too_large(len(data)))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableError(
            Mistake("not-utf-8", (), "text in UTF-8", "save the file as UTF-8 text", value="", line=line)
        ) from error


def _check_text(text: str) -> None:
    if len(text) > MAX_BYTES:
        raise UnreadableError(_too_large(len(text)))
    found = _UNPRINTABLE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise UnreadableError(
            Mistake("not-text", (), "printable text", "save the file as plain text", repr(found.group()), line)
        )


def _events(text: str) -> Iterator[yaml.Event]:
    try:
        yield from yaml.parse(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        reason = ", ".join(str(part) for part in (error.context, error.problem) if part)
        raise UnreadableError(
            Mistake(
                "yaml-syntax",
                (),
                f"well-formed YAML: {reason}",
                "check indentation (spaces only), colons and quotes on this line and the one above",
                value="",
                line=mark.line + 1 if mark else 1,
            )
        ) from error


def _too_large(size: int) -> Mistake:
    return Mistake(
        "too-large", (), f"a file of at most {MAX_BYTES} bytes", "split it into one file per fleet", f"{size} bytes", 1
    )


def _no_mapping(root: object) -> Mistake:
    fix = "start with fleet: NAME; `gpulanes schema` describes the file"
    if root is None:
        return Mistake("empty-file", (), "a fleet", fix, value="", line=1)
    shown = f"a list of {len(root)}" if isinstance(root, list) else str(root)
    return Mistake("not-a-mapping", (), "fields with values: a mapping", fix, shown, 1)
