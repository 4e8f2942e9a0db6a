"""The wheel serves people who never saw this repository: a short program and a pack of two files, in the lab."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from documents import ROOT, blocks
from gpulanes_lab.lab import Lab

pytestmark = pytest.mark.lab

PROGRAM = """\
from gpulanes.resources import GpuCluster, InferencePool, TrainingPool
from pulumi import export

zones = ["us-east-1a", "us-east-1b", "us-east-1c"]
tags = {"environment": "prod", "owner": "search", "cost-center": "17"}
shared = {"tags": tags, "provisioner": "node-group"}
cluster = GpuCluster("shop", kubernetes="1.34", zones=zones, tags=tags, protect=False)
chat = InferencePool(
    "chat", cluster=cluster.ref, instance_types=["g6e.12xlarge"], zones=zones, nodes=4, **shared
)
TrainingPool(
    "tune", cluster=cluster.ref, instance_types=["g6e.12xlarge"], zones=zones[:1], nodes=1, **shared
)
export("selector", chat.node_selector)
"""
RUNTIME = "runtime: {name: python, options: {toolchain: pip, virtualenv: VENV}}\n"
PACK = blocks(ROOT / "docs/how-to/use-in-your-own-program.md", "py")[0]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("gpulanes-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with nothing but the wheel and what its extras bring."""
    venv = tmp_path_factory.mktemp("consumer") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    pip = [str(venv / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"gpulanes[aws,policy] @ {wheel.as_uri()}"], check=True)
    return venv


def project(folder: Path, venv: Path, *changes: tuple[str, str]) -> Path:
    """Write a consumer's project: the program with some texts replaced, and the pack of two files."""
    program = PROGRAM
    for old, new in changes:
        assert old in program
        program = program.replace(old, new)
    runtime = RUNTIME.replace("VENV", str(venv))
    (folder / "Pulumi.yaml").write_text(f"name: shop\n{runtime}", encoding="utf-8")
    (folder / "Pulumi.prod.yaml").write_text("config: {aws:region: us-east-1}\n", encoding="utf-8")
    (folder / "__main__.py").write_text(program, encoding="utf-8")
    (folder / "pack").mkdir()
    (folder / "pack/PulumiPolicy.yaml").write_text(runtime, encoding="utf-8")
    (folder / "pack/__main__.py").write_text(PACK, encoding="utf-8")
    return folder


def test_the_wheel_holds_the_library_and_the_rules_and_not_the_lab(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"gpulanes", "gpulanes_policies"}
    wanted = {"gpulanes/py.typed", "gpulanes_policies/py.typed", "gpulanes_policies/rules/cap_01.py"}
    assert wanted - set(names) == set()
    assert [name for name in names if name.startswith("gpulanes/catalog/data/")] != []


def test_the_installed_command_plans_without_the_repository(installed: Path, tmp_path: Path) -> None:
    file = tmp_path / "prod.yaml"
    file.write_bytes((ROOT / "stacks/prod.yaml").read_bytes())
    command = [str(installed / "bin/gpulanes"), "plan", "prod.yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "INFERENCE" in done.stdout


def test_a_short_program_with_a_pack_of_two_files_previews(lab: Lab, installed: Path, tmp_path: Path) -> None:
    folder = project(tmp_path, installed)
    assert len(PROGRAM.splitlines()) <= 15
    lab.run("pulumi", "stack", "init", "prod", cwd=folder)
    done = lab.run("pulumi", "preview", "--policy-pack", "pack", "--non-interactive", cwd=folder)
    assert "aws:eks:NodeGroup" in done.stdout
    assert "gpulanes" in done.stdout


def test_the_pack_refuses_what_a_rule_refuses(lab: Lab, installed: Path, tmp_path: Path) -> None:
    folder = project(tmp_path, installed, ("nodes=4", 'nodes=4, capacity=["spot"]'))
    (folder / "Pulumi.prod.yaml").rename(folder / "Pulumi.refused.yaml")
    lab.run("pulumi", "stack", "init", "refused", cwd=folder)
    done = lab.run("pulumi", "preview", "--policy-pack", "pack", "--non-interactive", cwd=folder, check=False)
    assert done.returncode != 0
    assert "CAP-02" in done.stdout
