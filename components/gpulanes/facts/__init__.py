"""The normalised description that rules read. Plain data in; no cloud, no files, no clock."""

from gpulanes.facts.declarations import Declarations, from_component
from gpulanes.facts.from_manifests import Manifest, from_manifests
from gpulanes.facts.from_plan import from_plan
from gpulanes.facts.from_preview import from_preview, resources_of
from gpulanes.facts.from_pulumi import from_pulumi
from gpulanes.facts.model import Facts
from gpulanes.facts.resource import PulumiResource, plain_value
from gpulanes.facts.unknown import UNKNOWN, Fact, Undecided, Unknown

__all__ = [
    "UNKNOWN",
    "Declarations",
    "Fact",
    "Facts",
    "Manifest",
    "PulumiResource",
    "Undecided",
    "Unknown",
    "from_component",
    "from_manifests",
    "from_plan",
    "from_preview",
    "from_pulumi",
    "plain_value",
    "resources_of",
]
