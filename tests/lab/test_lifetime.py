"""Nothing outlives a lab, however it ends, and two labs do not meet."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from gpulanes_lab.lab import Lab
from gpulanes_lab.lifetime import family
from gpulanes_lab.strays import strays
from lab_projects import stretch

pytestmark = pytest.mark.lab

OWNER = """
import sys, time
from pathlib import Path
from gpulanes_lab.lab import Lab
Lab("owned", Path(sys.argv[1])).start()
print("up", flush=True)
time.sleep(600)
"""


def eventually(condition: Callable[[], bool], seconds: float = 15) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def gone(processes: list[psutil.Process]) -> bool:
    return not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes)


def test_a_lab_whose_owner_is_killed_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"up\n"
        servers = family(Lab("owned", tmp_path).record.keeper_pid)
        assert len(servers) == 5
        owner.send_signal(signal.SIGKILL)
    assert eventually(lambda: gone(servers))
    assert eventually(lambda: not (tmp_path / "owned").exists())
    assert eventually(lambda: not (tmp_path / ".owned.lock").exists())


def test_a_lab_whose_keeper_is_killed_leaves_no_process_and_can_start_again(tmp_path: Path) -> None:
    lab = Lab("kept", tmp_path)
    lab.start()
    keeper, *servers = family(lab.record.keeper_pid)
    keeper.kill()
    assert eventually(lambda: gone(servers))
    assert not lab.up
    lab.start()
    assert lab.kube.get("/readyz")
    lab.stop()
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_dies_ends_the_lab_and_is_named(tmp_path: Path) -> None:
    lab = Lab("broken", tmp_path)
    lab.start()
    keeper, *servers = family(lab.record.keeper_pid)
    next(server for server in servers if server.name() == "etcd").kill()
    assert eventually(lambda: gone([keeper, *servers]))
    assert "etcd ended unexpectedly" in lab.home.failure.read_text(encoding="utf-8")
    lab.stop()


def test_ending_a_lab_ends_the_plugins_that_a_killed_engine_left(tmp_path: Path) -> None:
    lab = Lab("engine", tmp_path)
    lab.start()
    plugin = lab.home.pulumi_home.glob("plugins/resource-kubernetes-*/pulumi-resource-kubernetes")
    with subprocess.Popen([next(plugin), "127.0.0.1:1"], env=lab.env, stdout=subprocess.PIPE) as left:
        assert [process.pid for process in strays(lab.home.directory) if process.pid == left.pid]
        lab.stop()
        assert left.wait(timeout=10) < 0


def test_what_a_user_starts_in_the_labs_environment_is_left_alone(tmp_path: Path) -> None:
    lab = Lab("shell", tmp_path)
    lab.start()
    with subprocess.Popen(["sleep", "600"], env=lab.env) as editor:
        lab.stop()
        assert editor.poll() is None
        editor.kill()


def test_two_labs_run_side_by_side_and_share_nothing(lab: Lab, tmp_path: Path) -> None:
    priority = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "only-here"},
        "value": 1,
    }
    with Lab("other", tmp_path) as other:
        ours, theirs = lab.record.ports, other.record.ports
        assert {ours.kube, ours.etcd, ours.aws}.isdisjoint({theirs.kube, theirs.etcd, theirs.aws})
        other.kube.apply(priority)
        here = lab.kube.get("/apis/scheduling.k8s.io/v1/priorityclasses")["items"]
        assert "only-here" not in [item["metadata"]["name"] for item in here]
        differing = {name for name in lab.env if lab.env[name] != other.env.get(name)}
        assert differing >= {"PATH", "PULUMI_HOME", "PULUMI_BACKEND_URL", "AWS_ENDPOINT_URL", "KUBECONFIG"}


def test_starting_a_lab_that_is_up_changes_nothing(lab: Lab) -> None:
    before = lab.record
    Lab("session", lab.home.directory.parent).start()
    assert lab.record == before


def test_a_warm_lab_is_up_within_ten_seconds(tmp_path: Path, lab: Lab) -> None:  # noqa: ARG001  the tools are built
    limit = 10 * stretch()
    began = time.monotonic()
    with Lab("quick", tmp_path):
        assert time.monotonic() - began < limit
