"""Programs and policy packs run as users start them, and fail as the real language host would show it."""

from collections.abc import Callable

import pytest

from gpulanes_lab.lab import Lab
from lab_projects import Project

pytestmark = pytest.mark.lab


def test_a_project_with_a_main_folder_and_a_pack_goes_all_the_way(lab: Lab, tiny: Callable[[str], Project]) -> None:
    project = tiny("road")
    name = f"tiny-{project.stack}"
    previewed = project.pulumi("preview", "--policy-pack", "policies")
    assert "+ 3 to create" in previewed.stdout
    assert "✅ tiny@v0.0.1" in previewed.stdout
    assert "warning" not in previewed.stdout + previewed.stderr
    project.up("--policy-pack", "policies")
    assert lab.kube.get(f"/apis/scheduling.k8s.io/v1/priorityclasses/{name}")["value"] == 1000
    assert "3 unchanged" in project.up("--expect-no-changes").stdout
    project.destroy()
    assert name not in [item["metadata"]["name"] for item in lab.kube.get(PRIORITIES)["items"]]


PRIORITIES = "/apis/scheduling.k8s.io/v1/priorityclasses"


def test_a_mandatory_violation_stops_the_preview_and_the_up(lab: Lab, tiny: Callable[[str], Project]) -> None:
    project = tiny("refused")
    for command in (("preview",), ("up", "--yes", "--skip-preview")):
        refused = project.pulumi(*command, "--policy-pack", "policies", check=False, TINY_VALUE="9000")
        assert refused.returncode == 1
        assert "value 9000 is above 5000" in refused.stdout
    assert f"tiny-{project.stack}" not in [item["metadata"]["name"] for item in lab.kube.get(PRIORITIES)["items"]]


def test_a_run_error_shows_its_message_and_no_traceback(tiny: Callable[[str], Project]) -> None:
    failed = tiny("fails").pulumi("preview", check=False, TINY_FAILS="1")
    assert failed.returncode == 1
    assert "error: this fleet cannot be planned" in failed.stdout
    assert "Traceback" not in failed.stdout + failed.stderr


def test_a_crash_shows_the_users_own_traceback_only(tiny: Callable[[str], Project]) -> None:
    failed = tiny("crashes").pulumi("preview", check=False, TINY_CRASHES="1")
    assert failed.returncode == 1
    assert "ValueError: a bug" in failed.stdout
    assert "runpy" not in failed.stdout


def test_a_virtual_environment_that_is_not_there_is_named(tiny: Callable[[str], Project]) -> None:
    project = tiny("virtualenv")
    file = project.folder / "Pulumi.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(
        text.replace("runtime: python", "runtime: {name: python, options: {virtualenv: venv}}"), encoding="utf-8"
    )
    failed = project.pulumi("preview", check=False)
    file.write_text(text, encoding="utf-8")
    assert failed.returncode != 0
    assert "make it with python -m venv" in failed.stdout + failed.stderr


def test_about_names_the_python_that_runs_programs(tiny: Callable[[str], Project]) -> None:
    assert "executable=" in tiny("about").pulumi("about").stdout
