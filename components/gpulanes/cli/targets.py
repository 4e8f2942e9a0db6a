"""What ``gpulanes check`` is pointed at: fleet files, plans, previews, states, manifests, told apart by content."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gpulanes.cli.reading import files_under, read_bytes, shown
from gpulanes.errors import GpulanesError, Problem
from gpulanes.facts import Facts, Manifest, from_manifests, from_plan, from_preview

JSON_BYTES = 256 << 20
"""A state of some ten thousand resources; more is not read."""

YAML_BYTES = 4 << 20
"""A few thousand manifests, about two seconds of parsing; more is not read."""

SUFFIXES = frozenset({".yaml", ".yml", ".json"})
OBJECT = re.compile(rb"""^(?:apiVersion|kind|"apiVersion"|"kind"|'apiVersion'|'kind')\s*:""", re.MULTILINE)
FLEET = re.compile(rb"""^(?:fleet|workloads|"fleet"|"workloads"|'fleet'|'workloads')\s*:""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to judge, under the name that findings show."""

    name: str
    facts: Facts


@dataclass(slots=True)
class Read:
    """Everything that was read: targets that stand alone, manifests that belong together, files that say nothing."""

    targets: list[Target] = field(default_factory=list)
    manifests: list[Manifest] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def pass_over(self, name: str, reason: str, *, in_folder: bool) -> None:
        """Leave out a file of a folder that is for something else; raises GpulanesError for a file that was named."""
        if not in_folder:
            raise _no_target(name, reason)
        self.passed_over.append(name)


def _no_target(name: str, allowed: str) -> GpulanesError:
    fix = "give a fleet file, a plan, a preview, a state export, or manifests"
    return GpulanesError([Problem("target-unknown", "", "", allowed, fix, name)])


def _fleet(data: bytes, name: str) -> Target:
    from gpulanes.fleet import line_numbers
    from gpulanes.kinds.plain import to_plain
    from gpulanes.plan import plan_bytes

    plain = to_plain(plan_bytes(data, name))
    assert isinstance(plain, dict)  # noqa: S101 - a plan is a dataclass
    return Target(name, from_plan(plain, file=name, lines=line_numbers(data)))


def _json(document: Mapping[str, object], data: bytes, name: str, read: Read) -> bool:
    """Sort a JSON document by the keys that only its kind has; false when it has none of them."""
    if {"pools", "fleet"} <= document.keys():
        read.targets.append(Target(name, from_plan(document, file=name)))
    elif {"deployment", "steps", "changeSummary"} & document.keys():
        read.targets.append(Target(name, from_preview(document)))
    elif {"apiVersion", "kind"} <= document.keys():
        read.manifests.append(Manifest(document, name, 1))
    elif "workloads" in document:
        read.targets.append(_fleet(data, name))
    else:
        return False
    return True


def _as_json(data: bytes, name: str) -> Mapping[str, object] | None:
    """The document if ``data`` is JSON, ``None`` if it is not meant to be; raises GpulanesError for broken JSON."""
    if not data.lstrip().startswith(b"{"):
        return None
    try:
        document = json.loads(data)
    except RecursionError as error:
        raise _no_target(name, "the JSON is nested too deeply") from error
    except ValueError as error:
        if name.endswith(".json"):
            raise _no_target(name, f"the JSON cannot be read: {error}") from error
        return None  # YAML may begin with a brace too
    return document if isinstance(document, dict) else None


def _file(path: str, read: Read, *, in_folder: bool) -> None:
    """Sort one file; in a folder, files that are for something else are passed over."""
    from gpulanes.cli.manifests import read_manifests

    data, name = read_bytes(path, limit=JSON_BYTES), shown(path)
    document = _as_json(data, name)
    if document is not None:
        if not _json(document, data, name, read):
            read.pass_over(name, "the JSON is none of what the rules read", in_folder=in_folder)
    elif len(data) > YAML_BYTES:
        raise _no_target(name, f"longer than {YAML_BYTES >> 20} MiB")
    elif OBJECT.search(data) and not FLEET.search(data):
        read.manifests += read_manifests(data, name)
    elif in_folder and not FLEET.search(data):
        read.pass_over(name, "", in_folder=True)
    else:
        read.targets.append(_fleet(data, name))


def read_targets(paths: Sequence[str]) -> Read:
    """Read every target; raises GpulanesError with the problems of all of them."""
    read = Read()
    for path in paths:
        folder = Path(path).is_dir()
        for file in files_under(path, SUFFIXES) if folder else [path]:
            try:
                _file(file, read, in_folder=folder)
            except GpulanesError as error:
                read.problems += error.problems
    if not (read.problems or read.targets or read.manifests):
        raise _no_target(", ".join(map(shown, paths)), "nothing in it is read by the rules")
    if read.problems:
        raise GpulanesError(read.problems)
    if read.manifests:
        read.targets.append(Target("manifests", from_manifests(read.manifests)))
    return read
