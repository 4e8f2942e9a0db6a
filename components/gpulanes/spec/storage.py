"""Storage tiers: hot for training, serving for models, archive for what must be kept."""

from typing import Literal

from gpulanes.spec.base import Model
from gpulanes.spec.text import Zone
from gpulanes.units import Bytes, Duration


class HotStorage(Model):
    """FSx for Lustre. Sizes left out are derived from the checkpoints; zone is the training zone."""

    kind: Literal["lustre"] = "lustre"
    """The file system."""
    deployment: Literal["persistent", "scratch"] = "persistent"
    """Persistent is replicated; scratch is not."""
    capacity: Bytes | None = None
    """Size, rounded up to what can be bought. Left out, derived from the checkpoints."""
    throughput_per_tib: Literal[125, 250, 500, 1000] | None = None
    """MB/s per TiB. Left out, derived from the time a checkpoint may take."""
    zone: Zone | None = None
    """The zone it stands in. Left out, the training zone."""
    efa: bool | None = None
    """Whether clients reach it over EFA. Left out, where the nodes have it."""
    export: bool = True
    """Whether new and changed files are exported to the archive bucket."""


class ServingStorage(Model):
    """The model store that inference reads."""

    kind: Literal["object"] = "object"
    """An object store."""


class ArchiveStorage(Model):
    """Where checkpoints go to stay; colder after ``after``."""

    after: Duration = Duration(30 * 86400.0)
    """Age at which objects move to a colder class."""


class Storage(Model):
    """The tiers; a tier that is absent is not created."""

    hot: HotStorage | None = None
    """The shared file system that training reads from and checkpoints to."""
    serving: ServingStorage | None = None
    """Where models are kept for serving."""
    archive: ArchiveStorage | None = None
    """Where checkpoints and models are kept."""
