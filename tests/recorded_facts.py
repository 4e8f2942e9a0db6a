"""What was recorded as the rules see it."""

from gpulanes.facts import Facts, PulumiResource, from_pulumi, plain_value
from recording import Registrations


def facts_of_recorded(registered: Registrations) -> Facts:
    """Return the facts of everything that a program registered, as one complete stack."""
    resources = []
    for item in registered:
        props = plain_value(item.props)
        assert isinstance(props, dict)
        resources.append(PulumiResource(item.type, item.urn, item.name, props, item.parent, item.protect))
    return from_pulumi(resources, whole=True)
