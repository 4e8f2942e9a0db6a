"""What an import costs: the pure core and the command line never load a cloud."""

import subprocess
import sys
from pathlib import Path

import pytest

CLOUDS = ("pulumi", "boto", "moto", "grpc", "kubernetes")
LOADED = """
import sys
{statement}
print(*sorted({{name.split(".")[0] for name in sys.modules if name.startswith({clouds!r})}}))
"""


def loaded_clouds(statement: str) -> str:
    code = LOADED.format(statement=statement, clouds=CLOUDS)
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize(
    "statement",
    [
        "import gpulanes",
        "from gpulanes import *",
        "import gpulanes.fleet, gpulanes.plan, gpulanes.facts",
        "import gpulanes_policies.engine",
        "import gpulanes.cli.app; gpulanes.cli.app.build()",
    ],
)
def test_nothing_of_a_cloud_is_loaded_by(statement: str) -> None:
    assert loaded_clouds(statement) == ""


def test_planning_and_checking_load_nothing_of_a_cloud(repository: Path) -> None:
    calls = "; ".join(
        f"main({tokens!r})"
        for tokens in (
            ["plan", str(repository / "stacks/prod.yaml")],
            ["check", str(repository / "stacks/prod.yaml")],
            ["explain", "rule", "CAP-01"],
        )
    )
    quiet = "import os; sys.stdout = open(os.devnull, 'w')"
    output = loaded_clouds(f"from gpulanes.cli.__main__ import main; {quiet}; {calls}; sys.stdout = sys.__stdout__")
    assert output == ""
