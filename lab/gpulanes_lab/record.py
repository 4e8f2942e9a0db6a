"""What a running lab is: its directory, and the record in it by which others find it."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from gpulanes_lab.controlplane.credentials import Credentials
from gpulanes_lab.controlplane.servers import Ports
from gpulanes_lab.lifetime import same_process


@dataclass(frozen=True, slots=True)
class Home:
    """The directory of one lab; everything it writes is below it."""

    directory: Path

    @property
    def bin(self) -> Path:
        """First on the PATH of every engine command."""
        return self.directory / "bin"

    @property
    def pulumi_home(self) -> Path:
        """PULUMI_HOME: the engine's plugins and its own files."""
        return self.directory / "pulumi-home"

    @property
    def backend(self) -> Path:
        """Where stacks keep their state."""
        return self.directory / "backend"

    @property
    def logs(self) -> Path:
        """One log per process."""
        return self.directory / "logs"

    @property
    def etcd(self) -> Path:
        """The control plane's data."""
        return self.directory / "etcd"

    @property
    def credentials(self) -> Credentials:
        """Keys and tokens of the control plane."""
        return Credentials(self.directory / "kube")

    @property
    def record(self) -> Path:
        """Written when the lab is ready."""
        return self.directory / "lab.json"

    @property
    def failure(self) -> Path:
        """Written when it could not be made ready: why."""
        return self.directory / "failure.txt"

    @property
    def lock(self) -> Path:
        """Held (flock) by the keeper for as long as it lives; beside the directory, which is wiped at a start."""
        return self.directory.with_name(f".{self.directory.name}.lock")

    @property
    def keeper_log(self) -> Path:
        """What the keeper itself said; beside the directory, like its lock."""
        return self.directory.with_name(f".{self.directory.name}.log")


@dataclass(frozen=True, slots=True)
class Record:
    """A lab that is ready: its keeper (the parent of its servers) and its ports."""

    keeper_pid: int
    keeper_created: float
    ports: Ports
    pulumi: str

    def alive(self) -> bool:
        """Whether the keeper still runs."""
        return same_process(self.keeper_pid, self.keeper_created)

    def write(self, home: Home) -> None:
        """Write it whole or not at all."""
        partial = home.record.with_suffix(".partial")
        partial.write_text(json.dumps(asdict(self), indent=2), encoding="utf-8")
        partial.rename(home.record)


def read_record(home: Home) -> Record | None:
    """The record of a lab that is up; None when there is none, or its keeper is gone."""
    try:
        raw = json.loads(home.record.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    record = Record(**{**raw, "ports": Ports(**raw["ports"])})
    return record if record.alive() else None


def labs_root() -> Path:
    """`$XDG_STATE_HOME/gpulanes/labs`, by default below `~/.local/state`."""
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "gpulanes" / "labs"
