"""A fleet that breaks a guardrail, and an engine that is killed: neither leaves anything half-done behind."""

import contextlib
import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from gpulanes_lab.lab import Lab
from gpulanes_lab.strays import strays
from lab_fleets import PACK, Fleet, aws, custom, make_fleet, type_of

pytestmark = pytest.mark.lab

QUEUE = "aws:sqs/queue:Queue"
EXPECTED = (
    *("CAP-01", "CAP-02", "ZON-01", "SIZ-01", "SIZ-04", "CLS-01", "ISO-01", "ISO-02"),
    *("DIS-01", "DIS-05", "PDB-01", "PRI-01", "STO-01", "GPU-01", "TAG-01"),
)


@pytest.fixture
def fleet(lab: Lab, tmp_path: Path) -> Iterator[Callable[[str], Fleet]]:
    made: list[Fleet] = []

    def make(file: str) -> Fleet:
        made.append(make_fleet(lab, tmp_path, file))
        return made[-1]

    yield make
    for one in made:
        one.destroy()


def test_an_up_that_skips_its_preview_creates_nothing_of_a_broken_fleet(
    lab: Lab, fleet: Callable[[str], Fleet]
) -> None:
    broken = fleet("broken")
    before = aws(lab, "ec2").describe_vpcs()["Vpcs"]
    refused = broken.up(*PACK, check=False)
    assert refused.returncode == 1
    assert [rule for rule in EXPECTED if f"{rule} (" not in refused.stdout] == []
    assert refused.stdout.count("fix: ") >= len(EXPECTED)
    assert custom(broken.resources()) == []
    assert aws(lab, "ec2").describe_vpcs()["Vpcs"] == before
    assert (broken.node_groups(), broken.node_pools()) == ({}, {})


def test_a_preview_of_a_broken_fleet_fails_too(fleet: Callable[[str], Fleet]) -> None:
    refused = fleet("broken").pulumi("preview", *PACK, check=False)
    assert refused.returncode == 1
    assert "CAP-01 (critical)" in refused.stdout


def test_an_engine_killed_in_the_middle_is_recovered(lab: Lab, fleet: Callable[[str], Fleet]) -> None:
    dev = fleet("dev")
    kill_while_creating(dev, QUEUE)
    assert [type_of(entry["resource"]["urn"]) for entry in deployment(dev)["pending_operations"]].count(QUEUE) == 1
    assert wait(lambda: not providers(lab))
    dev.pulumi("cancel", "--yes")
    # The engine never learned whether its last requests got through. SQS gives the queue of the same name and
    # attributes to who asks for it again; what AWS named itself is only left behind.
    dev.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates")
    dev.up(*PACK)
    assert deployment(dev).get("pending_operations", []) == []
    dev.up(*PACK, "--expect-no-changes")
    assert len(aws(lab, "sqs").list_queues(QueueNamePrefix=dev.stack)["QueueUrls"]) == 1


def providers(lab: Lab) -> list[int]:
    """The emulated provider's processes that run; one that ends while it is looked at does not."""
    running = []
    for process in strays(lab.home.directory):
        with contextlib.suppress(psutil.NoSuchProcess):  # a zombie is one
            if "gpulanes_lab.aws" in process.cmdline():
                running.append(process.pid)
    return running


def kill_while_creating(fleet: Fleet, kind: str) -> None:
    """Start `pulumi up` and kill the engine as soon as it has asked for a resource of a kind."""
    state = fleet.lab.home.backend / ".pulumi" / "stacks" / "gpulanes" / f"{fleet.stack}.json"
    command = ["pulumi", "up", "--yes", "--skip-preview", "--non-interactive"]
    with subprocess.Popen(
        command, cwd=fleet.folder, env=fleet.lab.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as engine:
        assert wait(lambda: engine.poll() is not None or kind in asked_for(state), 60)
        assert engine.poll() is None
        engine.kill()


def asked_for(state: Path) -> list[str]:
    """The types of the resources that the engine waits for now."""
    try:
        latest = json.loads(state.read_text(encoding="utf-8"))["checkpoint"]["latest"] or {}
    except (ValueError, FileNotFoundError):
        return []  # being written
    return [type_of(entry["resource"]["urn"]) for entry in latest.get("pending_operations") or []]


def deployment(fleet: Fleet) -> dict[str, Any]:
    """The stack's state."""
    found: dict[str, Any] = json.loads(fleet.pulumi("stack", "export").stdout)["deployment"]
    return found


def wait(condition: Callable[[], bool], seconds: float = 15) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    return condition()
