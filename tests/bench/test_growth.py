"""Many pools through the engine: twice as many cost twice as much, in time and in memory."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from gpulanes_lab.lab import Lab

pytestmark = [pytest.mark.bench, pytest.mark.lab, pytest.mark.long]

ROOT = Path(__file__).parents[2]
SIZES = (100, 250, 500)
TOLERANCE = 1.5
"""How much dearer a pool may get between the smaller and the larger half: room for noise, none for a second power."""

Measured = Mapping[str, float]


def dearer(runs: Sequence[Measured], what: str) -> float:
    """The cost of one more pool in the upper range over that in the lower range; 1 when growth is linear."""
    small, middle, large = runs
    first = (middle[what] - small[what]) / (SIZES[1] - SIZES[0])
    second = (large[what] - middle[what]) / (SIZES[2] - SIZES[1])
    return second / first


@pytest.mark.timeout(1800)
def test_pools_register_in_linear_time_and_memory_through_the_engine(
    lab: Lab, tmp_path: Path, keep: Callable[[str, str], None]
) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: pools\nruntime: python\n", encoding="utf-8")
    (tmp_path / "Pulumi.many.yaml").write_text("config: {aws:region: us-east-1}\n", encoding="utf-8")
    (tmp_path / "__main__.py").write_bytes((ROOT / "tests/many_pools.py").read_bytes())
    runs = []
    lab.run("pulumi", "stack", "init", "many", cwd=tmp_path)
    kubeconfig = Path(lab.env["KUBECONFIG"]).read_text(encoding="utf-8")
    for size in SIZES:
        target = tmp_path / f"{size}.json"
        variables = {"POOLS": str(size), "MEASURED": str(target), "POOLS_KUBECONFIG": kubeconfig}
        lab.run("pulumi", "preview", "--non-interactive", cwd=tmp_path, extra=variables, timeout=900)
        runs.append(json.loads(target.read_text(encoding="utf-8")))
    keep("500 pools through the engine, the program's share", f"{runs[2]['seconds']:.1f} s, {runs[2]['mib']:.0f} MiB")
    assert dearer(runs, "seconds") <= TOLERANCE
    assert dearer(runs, "mib") <= TOLERANCE
