"""Semantic checks across the fleet: places, names, windows, storage."""

import re
from collections.abc import Callable, Iterator

from gpulanes.fleet.document import Document, Mistake
from gpulanes.spec.text import REGION
from gpulanes.units import WeeklyWindow

MAX_STACK_NAME = 40
"""Of the 63 characters of a Kubernetes label or DNS name, what is left to ``fleet-environment``."""


def zones_in_region(document: Document) -> Iterator[Mistake]:
    """A zone is its region and one letter."""
    region = document.text("region")
    zone_of_region = re.compile(f"{region}[a-z]" if re.fullmatch(REGION, region) else ".*")
    for path, zone in document.texts_in("zones"):
        if not zone_of_region.fullmatch(zone):
            allowed = f"a zone of {region}, such as {region}a"
            yield Mistake("zone-outside-region", path, allowed, "change the zone, or the region")


def zones_of_fleet(document: Document) -> Iterator[Mistake]:
    """Nodes and storage stand in the fleet's zones."""
    zones = [zone for _, zone in document.texts_in("zones")]
    named = [
        found
        for name in document.mapping("workloads")
        for found in document.texts_in("workloads", name, "nodes", "zones")
    ]
    hot = document.text("storage", "hot", "zone")
    for path, zone in [*named, *([(("storage", "hot", "zone"), hot)] if hot else [])]:
        if zones and zone not in zones:
            yield Mistake(
                "zone-not-in-fleet", path, f"one of {', '.join(zones)}", "change the zone, or add it to zones"
            )


def stack_name(document: Document) -> Iterator[Mistake]:
    """Every name starts with fleet and environment."""
    name = f"{document.text('fleet')}-{document.text('tags', 'environment')}"
    if len(name) > MAX_STACK_NAME:
        allowed = f"fleet-environment of at most {MAX_STACK_NAME} characters; {name} has {len(name)}"
        yield Mistake("names-too-long", ("fleet",), allowed, "shorten the fleet's name, or the environment")


def windows(document: Document) -> Iterator[Mistake]:
    """One lane is whole while the other is maintained."""
    inference = document.unit(WeeklyWindow, "maintenance", "inference")
    training = document.unit(WeeklyWindow, "maintenance", "training")
    if inference and training and inference.overlaps(training):
        allowed = f"a window that does not overlap the inference lane's ({inference})"
        yield Mistake("windows-overlap", ("maintenance", "training"), allowed, "move one of the windows")


def export(document: Document) -> Iterator[Mistake]:
    """An export asked for has somewhere to go."""
    storage = document.mapping("storage")
    if document.at("storage", "hot", "export") is True and "archive" not in storage:
        path = ("storage", "hot", "export")
        yield Mistake("export-without-archive", path, "an archive tier to export to", "add storage.archive")


FLEET_CHECKS: tuple[Callable[[Document], Iterator[Mistake]], ...] = (
    zones_in_region,
    zones_of_fleet,
    stack_name,
    windows,
    export,
)
