"""A Pulumi that the user has installed: used when it is new enough, with the language host it brings."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

# The first version that runs an executable policy pack (pulumi/pulumi#24052), and that our SDK floor was tested with.
LEAST_PULUMI = (3, 255, 0)


@dataclass(frozen=True, slots=True)
class InstalledPulumi:
    """A `pulumi` on PATH; ``language_host`` is its own Python host beside it (or on PATH), when there is one."""

    binary: Path
    version: tuple[int, int, int]
    language_host: Path | None


def installed_pulumi(path: str | None = None) -> InstalledPulumi | None:
    """Find a new enough `pulumi`; None when there is none, so that one is built."""
    found = shutil.which("pulumi", path=path)
    if found is None:
        return None
    binary = Path(found).resolve()
    version = _version(binary)
    if version is None or version < LEAST_PULUMI:
        return None
    return InstalledPulumi(binary, version, _language_host(binary, path))


def _version(binary: Path) -> tuple[int, int, int] | None:
    try:
        said = subprocess.run([binary, "version"], capture_output=True, text=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.match(r"v(\d+)\.(\d+)\.(\d+)", said)
    if match is None:
        return None
    major, minor, patch = map(int, match.groups())
    return major, minor, patch


def _language_host(pulumi: Path, path: str | None) -> Path | None:
    beside = pulumi.parent / "pulumi-language-python"
    if beside.exists():
        return beside
    found = shutil.which("pulumi-language-python", path=path)
    return Path(found).resolve() if found else None
