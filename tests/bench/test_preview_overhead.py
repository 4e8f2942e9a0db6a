"""What a preview through gpulanes costs over the same resources registered directly.

The comparison registers the same tree in the same order of dependencies, with Pulumi's own classes and literal
values: no program written by hand does less. What is left is gpulanes' own work: reading the file, planning,
checking, rendering.
"""

import json
import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gpulanes.fleet import load_bytes
from gpulanes.plan import plan
from gpulanes_lab.environment import REGION
from gpulanes_lab.lab import Lab
from programs_resources import with_cluster
from recording import record

RESOURCES, PAIRS, LIMIT = 200, 10, 1.15
SERVED = 22
"""Served models beside the one of the production file: together they make a stack of 200 resources."""

pytestmark = [pytest.mark.bench, pytest.mark.lab, pytest.mark.long]

IDS = {"subnet": "subnet-0123456789abcdef0", "sg": "sg-0123456789abcdef0", "fs": "fs-0123456789abcdef0"}


def fleet_file(repository: Path) -> str:
    """Return the production file with more served models, and without budgets that no longer fit."""
    text = (repository / "stacks/prod.yaml").read_text(encoding="utf-8")
    head, _, rest = text.partition("workloads:\n")
    served = "  chat:\n" + rest.partition("  chat:\n")[2].partition("\n  pretrain:")[0]
    more = "".join(served.replace("  chat:\n", f"  chat{index}:\n", 1) + "\n" for index in range(SERVED))
    lines = f"{head}workloads:\n{more}{rest}".splitlines()
    return "\n".join(line for line in lines if not line.startswith("budget:")) + "\n"


def literal(value: Any, key: str = "") -> Any:  # noqa: ANN401 - JSON
    """Return a recorded value with ids that AWS could have given."""
    if isinstance(value, dict):
        return {name: literal(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [literal(item, key) for item in value]
    if not isinstance(value, str):
        return value
    if key == "fileSystemId":
        return IDS["fs"]
    if value.endswith(("-fabric-id", "-hot-id")) or value == "sg-nodes":
        return IDS["sg"]
    return IDS["subnet"] if value.endswith(("-private-id", "-public-id")) else value


@pytest.fixture
def programs(lab: Lab, repository: Path, tmp_path: Path) -> list[Path]:
    """Two programs of the same 200 resources: through gpulanes, and directly."""
    ours, direct = tmp_path / "ours", tmp_path / "direct"
    text = fleet_file(repository)
    recorded = record(with_cluster(plan(load_bytes(text.encode()))))
    assert RESOURCES <= len(recorded) <= 1.05 * RESOURCES
    items = [
        {
            "type": r.type,
            "name": r.name,
            "urn": r.urn,
            "parent": r.parent,
            "props": literal(dict(r.props)),
            "after": sorted(r.dependencies),
        }
        for r in recorded
        if not r.type.startswith("pulumi:")
    ]
    for folder in (ours, direct):
        folder.mkdir()
        (folder / "Pulumi.yaml").write_text(f"name: {folder.name}\nruntime: python\n", encoding="utf-8")
        (folder / "Pulumi.bench.yaml").write_text(f"config:\n  aws:region: {REGION}\n", encoding="utf-8")
    program = (repository / "stacks/__main__.py").read_text(encoding="utf-8")
    (ours / "__main__.py").write_text(program, encoding="utf-8")
    (ours / "bench.yaml").write_text(text, encoding="utf-8")
    (direct / "recorded.json").write_text(json.dumps(items), encoding="utf-8")
    call = f"from pathlib import Path\nfrom replay import replay\nreplay(Path({str(direct / 'recorded.json')!r}))\n"
    (direct / "__main__.py").write_text(call, encoding="utf-8")
    (direct / "replay.py").write_text((repository / "tests/replay.py").read_text(encoding="utf-8"), encoding="utf-8")
    for folder in (ours, direct):
        lab.run("pulumi", "stack", "init", "bench", "--non-interactive", cwd=folder)
    return [ours, direct]


@dataclass(frozen=True)
class Cost:
    """What a preview took: ``wall`` seconds, and ``cpu`` seconds of engine, program and providers together."""

    wall: float
    cpu: float


def preview(lab: Lab, folder: Path) -> Cost:
    start, before = time.perf_counter(), _cpu()
    done = lab.run("pulumi", "preview", "--stack", "bench", "--non-interactive", cwd=folder)
    assert "error" not in done.stdout
    return Cost(time.perf_counter() - start, _cpu() - before)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.timeout(1800)
def test_a_preview_costs_little_more_than_the_resources_themselves(
    lab: Lab, programs: list[Path], keep: Callable[[str, str], None]
) -> None:
    """Judged by processor time, which neighbours on the machine hardly change; wall time is recorded beside it."""
    for folder in programs:
        preview(lab, folder)  # the first run of a program compiles it
    ours, direct = programs
    pairs: list[tuple[Cost, Cost]] = []
    for turn in range(PAIRS):
        took = {folder: preview(lab, folder) for folder in (programs if turn % 2 else reversed(programs))}
        pairs.append((took[ours], took[direct]))
    wall = statistics.median(mine.wall / theirs.wall for mine, theirs in pairs)
    cpu = statistics.median(mine.cpu / theirs.cpu for mine, theirs in pairs)
    seconds = statistics.median(mine.wall for mine, _ in pairs)
    keep(
        f"preview of {RESOURCES} resources over the same registered directly, median of {PAIRS} interleaved pairs",
        f"{wall:.2f} of wall time ({seconds:.1f} s), {cpu:.2f} of processor time",
    )
    assert cpu <= LIMIT, pairs
