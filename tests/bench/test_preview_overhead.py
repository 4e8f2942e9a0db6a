"""A preview through gpulanes against a preview of the same 200 resources written by hand, without policies."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter

import pytest

import handwritten
import large_fleet
from gpulanes_lab.lab import Lab
from recording import Registrations, record

pytestmark = [pytest.mark.bench, pytest.mark.lab]

ROOT = Path(__file__).parents[2]
MODELS = 31
"""Enough served models for 200 resources that a provider makes."""
PAIRS = 10
MOST = 1.15


def as_items(registered: Registrations) -> list[handwritten.Item]:
    """What a provider makes, as the handwritten program takes it."""
    return [
        {
            "type": item.type,
            "name": item.name,
            "urn": item.urn,
            "props": item.props,
            "dependencies": sorted(item.dependencies),
            "provider": item.provider,
        }
        for item in registered
        if item.custom
    ]


def made(registered: Registrations) -> dict[tuple[str, str], object]:
    return {(item.type, item.name): item.props for item in registered if item.custom}


@pytest.fixture(scope="module")
def fleet() -> Registrations:
    return record(lambda: large_fleet.program(MODELS))


def test_both_programs_make_the_same_two_hundred_resources(fleet: Registrations) -> None:
    by_hand = record(lambda: handwritten.play(as_items(fleet)))
    assert made(by_hand) == made(fleet)
    assert len(made(fleet)) >= 200


@dataclass(frozen=True, slots=True)
class Cost:
    """What one preview took."""

    seconds: float
    processor: float


def written(folder: Path, name: str, variables: dict[str, str]) -> tuple[Path, dict[str, str]]:
    """Write one of the two programs as a project of its own."""
    project = folder / name
    project.mkdir()
    (project / "Pulumi.yaml").write_text(f"name: {name}\nruntime: python\n", encoding="utf-8")
    (project / "Pulumi.bench.yaml").write_text("config: {aws:region: us-east-1}\n", encoding="utf-8")
    (project / "__main__.py").write_bytes((ROOT / f"tests/{name}.py").read_bytes())
    return project, variables


def preview(lab: Lab, project: Path, variables: dict[str, str]) -> Cost:
    """Preview once."""
    before, start = getrusage(RUSAGE_CHILDREN), perf_counter()
    lab.run("pulumi", "preview", "--non-interactive", cwd=project, extra=variables)
    after = getrusage(RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(perf_counter() - start, processor)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_preview_costs_at_most_fifteen_percent_more_than_by_hand(
    fleet: Registrations, tmp_path: Path, keep: Callable[[str, str], None]
) -> None:
    items = tmp_path / "items.json"
    items.write_text(json.dumps(as_items(fleet)), encoding="utf-8")
    by_hand = written(tmp_path, "handwritten", {"HANDWRITTEN": str(items)})
    by_gpulanes = written(tmp_path, "large_fleet", {"MODELS": str(MODELS), "GPULANES_REPOSITORY": str(ROOT)})
    with Lab("overhead", tmp_path / "labs") as lab:
        for project, variables in (by_hand, by_gpulanes):
            lab.run("pulumi", "stack", "init", "bench", cwd=project)
            preview(lab, project, variables)
        pairs = [(preview(lab, *by_hand), preview(lab, *by_gpulanes)) for _ in range(PAIRS)]
    ratio = median(ours.seconds / theirs.seconds for theirs, ours in pairs)
    processor = median(ours.processor / theirs.processor for theirs, ours in pairs)
    seconds = median(ours.seconds for _, ours in pairs)
    keep("preview of 200 resources through gpulanes", f"{seconds:.1f} s, {ratio:.2f} times by hand")
    keep("the same, processor time", f"{processor:.2f} times by hand")
    assert ratio <= MOST
