"""The custom resources of Karpenter and Kueue in the lab's API server."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gpulanes_lab.controlplane.api import Api, ApiError
from gpulanes_lab.errors import LabError
from gpulanes_lab.toolchain.crds import CRDS_FILE

_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def install(api: Api, directory: Path, timeout: float = 30) -> None:
    """Create every definition and wait until the server serves it.

    Raises:
        LabError: a definition is not served within ``timeout`` seconds.
    """
    definitions: list[dict[str, Any]] = json.loads((directory / CRDS_FILE).read_text(encoding="utf-8"))
    with ThreadPoolExecutor(max_workers=4) as pool:
        # Created, not applied: the server-side apply of a megabyte of schema costs it ten times as long.
        list(pool.map(lambda definition: api.request("POST", _PATH, definition, fieldValidation="Strict"), definitions))
    _wait_served(api, {kind for definition in definitions for kind in _kinds(definition)}, timeout)


def _kinds(definition: dict[str, Any]) -> list[tuple[str, str]]:
    """The (group/version, plural) pairs that a definition serves."""
    spec = definition["spec"]
    served = [version["name"] for version in spec["versions"] if version["served"]]
    return [(f"{spec['group']}/{version}", spec["names"]["plural"]) for version in served]


def _wait_served(api: Api, wanted: set[tuple[str, str]], timeout: float) -> None:
    """Wait for discovery, which is what clients look kinds up in."""
    deadline = time.monotonic() + timeout
    while missing := wanted - {kind for group in {group for group, _ in wanted} for kind in _discovered(api, group)}:
        if time.monotonic() > deadline:
            message = f"the API server does not serve {', '.join(sorted(map('/'.join, missing)))}"
            raise LabError(message)
        time.sleep(0.1)


def _discovered(api: Api, group: str) -> set[tuple[str, str]]:
    try:
        return {(group, resource["name"]) for resource in api.get(f"/apis/{group}")["resources"]}
    except ApiError:
        return set()  # the group is not there yet
