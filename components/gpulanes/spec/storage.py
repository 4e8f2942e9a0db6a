"""Storage tiers: hot for training, serving for models, archive for what must be kept."""

from typing import Annotated, Literal

from pydantic import Field

from gpulanes.spec.base import Model
from gpulanes.units import Bytes, Duration


class HotStorage(Model):
    """FSx for Lustre. Sizes left out are derived from the checkpoints; zone is the training zone."""

    kind: Literal["lustre"] = "lustre"
    deployment: Literal["persistent", "scratch"] = "persistent"
    capacity: Bytes | None = None
    throughput_per_tib: Literal[125, 250, 500, 1000] | None = None
    zone: str | None = None
    efa: bool | None = None
    export: bool = True


class ServingStorage(Model):
    """The model store that inference reads."""

    kind: Literal["object"] = "object"


class ArchiveStorage(Model):
    """Where checkpoints go to stay; colder after ``after``."""

    after: Duration = Duration(30 * 86400.0)


class Storage(Model):
    """The tiers; a tier that is absent is not created."""

    hot: HotStorage | None = None
    serving: ServingStorage | None = None
    archive: ArchiveStorage | None = None
