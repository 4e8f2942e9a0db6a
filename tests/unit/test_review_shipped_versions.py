"""AWS upgrades a cluster by itself when standard support of its version ends; no shipped fleet is close to that."""

import json
from datetime import date, timedelta
from importlib import resources
from pathlib import Path

import pytest

from gpulanes.fleet import load_bytes

# Source: EKS user guide, Kubernetes release calendar (end of standard support).
SUPPORT_ENDS = {"1.32": date(2026, 3, 23), "1.33": date(2026, 7, 29), "1.34": date(2026, 12, 2)}
HALF_A_YEAR = timedelta(days=182)


@pytest.mark.parametrize("environment", ["dev", "staging", "prod", "broken"])
def test_a_shipped_fleet_keeps_its_version_for_half_a_year_after_its_images(environment: str, repository: Path) -> None:
    images = json.loads((resources.files("gpulanes.clouds.aws") / "data/images.json").read_text(encoding="utf-8"))
    version = load_bytes((repository / f"stacks/{environment}.yaml").read_bytes()).cluster.kubernetes
    assert version is not None
    released = date.fromisoformat(images["as_of"])
    assert SUPPORT_ENDS.get(version, date.max) > released + HALF_A_YEAR
    assert version >= min(SUPPORT_ENDS)
