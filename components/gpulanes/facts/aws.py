"""Reading AWS resources: managed node groups with their launch templates, Lustre file systems, tags."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gpulanes.facts.kubernetes import SERVICE_CLASS_LABEL
from gpulanes.facts.model import Labels, Place, PoolFacts, StoreFacts, TaggedFacts, Taint
from gpulanes.facts.provider import architecture_of, is_accelerated, section
from gpulanes.facts.resource import PulumiResource
from gpulanes.facts.unknown import UNKNOWN, Fact, Unknown
from gpulanes.facts.view import View, label
from gpulanes.kinds.pool import Budget

NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"
LAUNCH_TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
SUBNET = "aws:ec2/subnet:Subnet"
LUSTRE = "aws:fsx/lustreFileSystem:LustreFileSystem"
REPOSITORY_LINK = "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The resources that one may refer to. ``whole`` says that no other exists."""

    by_urn: Mapping[str, PulumiResource]
    whole: bool = False

    def of(self, token: str) -> Iterable[PulumiResource]:
        """Yield the resources of one type."""
        return (resource for resource in self.by_urn.values() if resource.token == token)

    def referred(self, by: PulumiResource, key: str, token: str) -> Sequence[PulumiResource]:
        """Return the resources of ``token`` that property ``key`` is made of, by dependency and never by name."""
        found = (self.by_urn.get(urn) for urn in by.depends(key))
        return [resource for resource in found if resource is not None and resource.token == token]

    def by_literal(self, token: str, keys: Sequence[str], value: object) -> PulumiResource | None:
        """Return the resource one of whose ``keys`` is literally ``value``."""
        if not isinstance(value, str):
            return None
        return next((r for r in self.of(token) if any(r.props.get(key) == value for key in keys)), None)


def place_of(resource: PulumiResource) -> Place:
    """Where a resource is found in its stack."""
    return Place(urn=resource.urn)


def tags_of(resource: PulumiResource) -> Fact[Labels]:
    """Return the tags with the provider's default tags, and the merged tags where they are known."""
    own = View(resource.props).at("tags").labels()
    if isinstance(own.value, Unknown):
        return own
    merged = View(resource.props).at("tagsAll").labels().get_or({})
    return Fact(own.path, {**resource.default_tags, **merged, **own.value}, given=own.given)


def carries_tags(token: str) -> bool:
    """Whether a type of resource has cost tags."""
    tables = section("tags")
    return token in tables["lane"] or token in tables["shared"]


def read_tags(resource: PulumiResource) -> TaggedFacts | None:
    """Return the tags of a resource that carries cost tags; None for types without."""
    if not carries_tags(resource.token):
        return None
    lane = resource.token in section("tags")["lane"]
    kind = resource.token.rpartition(":")[2]
    return TaggedFacts(f"{kind} {resource.name}", "native", tags_of(resource), lane=lane, place=place_of(resource))


def _launch_template(group: PulumiResource, near: Neighbours) -> View | None:
    """Return the launch template of a node group: None when there is none, unknown when it is not at hand."""
    reference = View(group.props).at("launchTemplate")
    if reference.absent:
        return None
    found = list(near.referred(group, "launchTemplate", LAUNCH_TEMPLATE))
    for keys, value in ((("id",), reference.at("id").data), (("name", "id"), reference.at("name").data)):
        named = near.by_literal(LAUNCH_TEMPLATE, keys, value)
        found += [named] if named is not None else []
    return View(found[0].props if found else UNKNOWN, "launchTemplate")


def _zones(group: PulumiResource, near: Neighbours) -> Fact[tuple[str, ...]]:
    """Return the zones of the subnets that ``subnetIds`` refers to; unknown unless each of them tells."""
    subnets = list(near.referred(group, "subnetIds", SUBNET))
    for value in View(group.props).at("subnetIds").texts().get_or(()):
        named = near.by_literal(SUBNET, ("id",), value)
        subnets += [named] if named is not None else []
    zones: set[str] = set()
    for subnet in subnets:
        view = View(subnet.props)
        zone = view.at("availabilityZone").text().get_or("") or view.at("availabilityZoneId").text().get_or("")
        if not zone:
            return Fact("subnetIds", UNKNOWN)
        zones.add(zone)
    return Fact("subnetIds", tuple(sorted(zones)) if zones else UNKNOWN)


def _types(group: View, template: View | None) -> Fact[tuple[str, ...]]:
    own = group.at("instanceTypes").texts()
    if own.given or template is None:
        return own
    one = template.at("instanceType").text()
    if not template.at("instanceRequirements").absent:
        return Fact(template.at("instanceRequirements").path, UNKNOWN)
    return Fact(one.path, one.value if isinstance(one.value, Unknown) else (one.value,), given=one.given)


def _capacity(group: View) -> Fact[tuple[str, ...]]:
    data = section("node_group")
    fact = group.at("capacityType").text(data["capacity_type"])
    name = data["capacity_types"].get(fact.get_or(""))
    return Fact(fact.path, UNKNOWN if name is None else (name,), given=fact.given)


def _taint(view: View) -> Taint:
    effect = view.at("effect").text().value
    if isinstance(effect, str):
        effect = section("node_group")["effects"].get(effect, effect)
    return Taint(view.at("key").text().value, view.at("value").scalar().value, effect)


def _image(template: View | None) -> Fact[str]:
    return Fact("launchTemplate", "", given=False) if template is None else template.at("imageId").text()


def _market(template: View | None) -> Fact[str]:
    if template is None:
        return Fact("launchTemplate", "", given=False)
    options = template.at("instanceMarketOptions")
    if options.absent:
        return Fact(options.path, "", given=False)
    return options.at("marketType").text("spot")


def _instance_tags(template: View | None) -> Mapping[str, Fact[Labels]]:
    kinds: Sequence[str] = section("node_group")["tag_specifications"]
    if template is None:
        return {kind: Fact("launchTemplate", {}, given=False) for kind in kinds}
    found = template.at("tagSpecifications").items()
    path = f"{template.path}.tagSpecifications"
    if isinstance(found, Unknown):
        return {kind: Fact(path, UNKNOWN) for kind in kinds}
    return {kind: _specified(found, kind, f"{path}[{kind}]") for kind in kinds}


def _specified(specifications: Sequence[View], kind: str, path: str) -> Fact[Labels]:
    kinds = [specification.at("resourceType").text() for specification in specifications]
    for specification, name in zip(specifications, kinds, strict=True):
        if name.get_or("") == kind:
            return Fact(path, specification.at("tags").labels().value)
    return Fact(path, {} if all(name.known for name in kinds) else UNKNOWN, given=False)


def read_node_group(resource: PulumiResource, near: Neighbours, lane_key: str) -> PoolFacts:
    """Read a managed node group together with its launch template and its subnets."""
    view, template = View(resource.props), _launch_template(resource, near)
    labels, types = view.at("labels").labels(), _types(view, template)
    accelerated = types.value if isinstance(types.value, Unknown) else any(map(is_accelerated, types.value))
    taints, lane = view.at("taints").items(), label(labels, lane_key)
    sizes, defaults = view.at("scalingConfig"), section("karpenter")
    architecture = UNKNOWN if isinstance(types.value, Unknown) else architecture_of(types.value)
    return PoolFacts(
        name=resource.name,
        target=f"pool {resource.name}",
        origin="native",
        provisioner="node-group",
        kind=lane,
        lane_label=lane,
        service_class=label(labels, SERVICE_CLASS_LABEL),
        accelerated=Fact(types.path, accelerated),
        types=types,
        capacity=_capacity(view),
        zones=_zones(resource, near),
        min_nodes=sizes.at("minSize").integer(),
        max_nodes=sizes.at("maxSize").integer(),
        capped=Fact(sizes.path, value=True),
        labels=labels,
        taints=Fact("taints", UNKNOWN if isinstance(taints, Unknown) else tuple(map(_taint, taints))),
        consolidation_policy=Fact("", defaults["consolidation_policy"], given=False),
        consolidate_after=Fact("", defaults["consolidate_after"], given=False),
        budgets=Fact("", (Budget(defaults["budget_nodes"]),), given=False),
        expire_after=Fact("", defaults["expire_after"], given=False),
        ami_type=view.at("amiType").text(),
        image=_image(template),
        architecture=Fact(types.path, architecture),
        market=_market(template),
        tags=tags_of(resource),
        instance_tags=_instance_tags(template),
        place=place_of(resource),
    )


def read_lustre(resource: PulumiResource, near: Neighbours, lane_key: str) -> StoreFacts:
    """Read a Lustre file system and what its links write back to object storage."""
    return StoreFacts(
        name=resource.name,
        target=f"file system {resource.name}",
        origin="native",
        kind=label(tags_of(resource), lane_key),
        deployment_type=View(resource.props).at("deploymentType").text(section("lustre")["deployment_type"]),
        export_events=_exported(resource, near),
        place=place_of(resource),
    )


def _exported(resource: PulumiResource, near: Neighbours) -> Fact[tuple[str, ...]]:
    path = "s3.autoExportPolicy.events"
    events: set[str] = set()
    for link in near.of(REPOSITORY_LINK):
        named = View(link.props).at("fileSystemId").data
        literal = isinstance(named, str) and named == resource.props.get("id")
        if not literal and resource.urn not in link.depends("fileSystemId"):
            continue
        found = View(link.props).at("s3", "autoExportPolicy", "events").texts()
        if isinstance(found.value, Unknown):
            return Fact(path, UNKNOWN)
        events.update(found.value)
    if events or near.whole:
        return Fact(path, tuple(sorted(events)), given=bool(events))
    return Fact(path, UNKNOWN)
