"""Facts of what Pulumi writes down: ``pulumi preview --json`` and ``pulumi stack export``."""

from collections.abc import Iterator, Mapping

from gpulanes.facts.from_pulumi import from_pulumi
from gpulanes.facts.model import Facts
from gpulanes.facts.resource import PulumiResource, plain_value
from gpulanes.facts.view import View
from gpulanes.kinds.pool import LANE_KEY

GONE = ("delete", "delete-replaced", "discard", "discard-replaced", "remove-pending-replace")


def from_preview(document: Mapping[str, object], *, lane_key: str = LANE_KEY) -> Facts:
    """Return the facts of a preview digest or a state export; both list resources in the same shape.

    A preview omits unchanged resources unless it was made with ``--show-sames``. Raises nothing.
    """
    return from_pulumi(list(resources_of(document)), whole=True, lane_key=lane_key)


def resources_of(document: Mapping[str, object]) -> Iterator[PulumiResource]:
    """Yield the resources of a preview digest (their new states) or of a state export (those not being deleted)."""
    view = View(document)
    for step in view.at("steps").known_items():
        if step.at("op").text().get_or("") not in GONE and isinstance(step.at("newState").data, Mapping):
            yield _resource(step.at("newState"))
    for resource in view.at("deployment", "resources").known_items():
        if isinstance(resource.data, Mapping) and resource.at("delete").data is not True:
            yield _resource(resource)


def _resource(view: View) -> PulumiResource:
    urn = view.at("urn").text().get_or("")
    props, depends = plain_value(view.at("inputs").data), view.at("propertyDependencies").data
    identity = plain_value(view.at("id").data)
    known = dict(props) if isinstance(props, Mapping) else {}
    return PulumiResource(
        token=view.at("type").text().get_or(""),
        urn=urn,
        name=urn.rpartition("::")[2],
        props={**known, "id": identity} if isinstance(identity, str) else known,
        parent=view.at("parent").text().get_or(""),
        protect=view.at("protect").data is True,
        ignore_changes=view.at("ignoreChanges").texts().get_or(()),
        dependencies=view.at("dependencies").texts().get_or(()),
        property_dependencies={str(key): View(urns).texts().get_or(()) for key, urns in depends.items()}
        if isinstance(depends, Mapping)
        else {},
    )
