"""From targets to reports: what ``check`` does before it prints."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from gpulanes.cli.reading import FLEET_BYTES, read_bytes, shown
from gpulanes.cli.targets import Target, read_targets
from gpulanes.errors import GpulanesError, Problem
from gpulanes_policies.config import Config, read_config
from gpulanes_policies.engine import judge, load_rules
from gpulanes_policies.finding import Report

PACK = "gpulanes"
"""The policy whose entry in the pack's configuration file carries levels and parameters."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Targets with their reports, in the same order, and files of folders that no rule reads."""

    targets: Sequence[Target]
    reports: Sequence[Report]
    passed_over: Sequence[str]


def config_file(path: str) -> Config:
    """The configuration in a file as ``--policy-pack-config`` takes it; raises GpulanesError."""
    data = read_bytes(path, limit=FLEET_BYTES)
    fix = f'write {{"{PACK}": {{"environment": "prod", "rules": {{}}}}}}'
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise GpulanesError(
            [Problem("config-unreadable", "", "", f"the JSON cannot be read: {error}", fix, shown(path))]
        ) from error
    ours = whole.get(PACK, {}) if isinstance(whole, dict) else None
    if not isinstance(ours, dict):
        raise GpulanesError([Problem("config-unreadable", PACK, "", "must be an object", fix, shown(path))])
    levels = {key: value for key, value in ours.items() if key != "enforcementLevel"}  # the engine's, not ours
    return read_config(levels, load_rules())


def judge_all(paths: Sequence[str], config: str) -> Judged:
    """Read everything, then judge each target; raises GpulanesError with the problems of all of them."""
    settings = config_file(config) if config else Config()
    read = read_targets(paths)
    return Judged(read.targets, [judge(target.facts, settings) for target in read.targets], read.passed_over)
