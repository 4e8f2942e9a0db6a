"""Security group, with rules inside it where the program writes them there."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.services.calls import gone, sources
from gpulanes_lab.aws.services.ec2_calls import must_find, one_of, tag_specifications, update_tags
from gpulanes_lab.aws.shapes import from_api
from gpulanes_lab.aws.table import (
    REGION,
    TAGS,
    Autoname,
    Failure,
    Found,
    Refused,
    Resource,
    computed,
    immutable,
    mutable,
    switch,
)
from gpulanes_lab.aws.tagging import mapped
from gpulanes_lab.aws.values import UNKNOWN, Document, Plain

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

EVERYTHING: Final = "-1"
_LAST_PORT: Final = 65535

_RULE: Final = (
    mutable("protocol", api="IpProtocol", required=True),
    mutable("fromPort", "integer", required=True),
    mutable("toPort", "integer", required=True),
    mutable("cidrBlocks", "strings", unordered=True),
    mutable("ipv6CidrBlocks", "strings", unordered=True),
    mutable("prefixListIds", "strings", unordered=True),
    mutable("securityGroups", "strings", unordered=True),
    mutable("self", "boolean"),
    mutable("description"),
)
_SECURITY_GROUP: Final = (
    immutable("name", api="GroupName", chosen=True),
    immutable("namePrefix", api=""),
    immutable("description", default="Managed by Pulumi"),
    immutable("vpcId", chosen=True),
    mutable("ingress", "blocks", chosen=True, unordered=True, fields=_RULE, api=""),
    mutable("egress", "blocks", chosen=True, unordered=True, fields=_RULE, api=""),
    switch("revokeRulesOnDelete", default=False),
    REGION,
    *TAGS,
    computed("arn", api="SecurityGroupArn"),
    computed("ownerId"),
)


def port_failures(path: str, protocol: Plain, low: Plain, high: Plain) -> Iterator[Failure]:
    """Yield what EC2 refuses of a protocol and its ports."""
    if UNKNOWN in (protocol, low, high):
        return
    if protocol in (EVERYTHING, "all"):
        if any(port not in (None, 0, -1) for port in (low, high)):
            yield Failure(f"{path}fromPort", "protocol -1 is every protocol and takes no ports")
    elif protocol in ("tcp", "udp", "6", "17"):
        if low is None or high is None:
            yield Failure(f"{path}fromPort", f"fromPort and toPort are required for {protocol}")
        elif not 0 <= low <= high <= _LAST_PORT:
            yield Failure(f"{path}toPort", f"ports {low} to {high}: need 0 <= fromPort <= toPort <= {_LAST_PORT}")


def _check_rules(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    for direction in ("ingress", "egress"):
        for index, rule in enumerate(inputs.get(direction) or []):
            if isinstance(rule, Mapping):
                path = f"{direction}[{index}]."
                yield from port_failures(path, rule.get("protocol"), rule.get("fromPort"), rule.get("toPort"))
                if not any(rule.get(name) for name in (*_PEERS, "self")):
                    yield Failure(f"{path}cidrBlocks", "a rule names a peer: a block, a prefix list, a group or self")


_PEERS: Final[Mapping[str, tuple[str, str]]] = {
    "cidrBlocks": ("IpRanges", "CidrIp"),
    "ipv6CidrBlocks": ("Ipv6Ranges", "CidrIpv6"),
    "prefixListIds": ("PrefixListIds", "PrefixListId"),
    "securityGroups": ("UserIdGroupPairs", "GroupId"),
}


def _check_name(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    if str(inputs.get("name", "")).lower().startswith("sg-"):
        yield Failure("name", "cannot start with sg-")


def _permission(rule: Document, group_id: str) -> dict[str, Any]:
    permission: dict[str, Any] = {"IpProtocol": rule["protocol"]}
    if rule["protocol"] not in (EVERYTHING, "all"):
        permission |= {"FromPort": rule["fromPort"], "ToPort": rule["toPort"]}
    said = {"Description": rule["description"]} if rule.get("description") else {}
    for name, (member, key) in _PEERS.items():
        peers = list(rule.get(name) or [])
        if name == "securityGroups" and rule.get("self"):
            peers.append(group_id)
        if peers:
            permission[member] = [{key: peer} | said for peer in peers]
    return permission


def _rules(described: list[dict[str, Any]], group_id: str) -> list[Document]:
    return [_rule(permission, group_id) for permission in described]


def _rule(permission: dict[str, Any], group_id: str) -> Document:
    rule: Document = {
        "protocol": permission["IpProtocol"],
        "fromPort": max(permission.get("FromPort", 0), 0),
        "toPort": max(permission.get("ToPort", 0), 0),
    }
    for name, (member, key) in _PEERS.items():
        peers = [one[key] for one in permission.get(member) or []]
        if name == "securityGroups" and group_id in peers:
            peers.remove(group_id)
            rule["self"] = True
        if peers:
            rule[name] = peers
    described = [one.get("Description") for member, _ in _PEERS.values() for one in permission.get(member) or []]
    return rule | ({"description": described[0]} if described and described[0] else {})


def _create(cloud: "Cloud", inputs: Document) -> str:
    ec2 = cloud.client("ec2")
    arguments = {"GroupName": inputs["name"], "Description": inputs["description"]}
    if inputs.get("vpcId"):
        must_find(cloud, "describe_vpcs", "VpcIds", "Vpcs", inputs["vpcId"])
        arguments["VpcId"] = inputs["vpcId"]
    tags = tag_specifications("security-group", inputs)
    group_id: str = ec2.create_security_group(**arguments, TagSpecifications=tags)["GroupId"]
    # Terraform removes the rule that allows everything out: only what the program says is open.
    everything = {"IpProtocol": EVERYTHING, "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}
    ec2.revoke_security_group_egress(GroupId=group_id, IpPermissions=[everything])
    _change_rules(cloud, group_id, {}, inputs)
    return group_id


def _change_rules(cloud: "Cloud", group_id: str, old: Document, new: Document) -> None:
    ec2 = cloud.client("ec2")
    for direction in ("ingress", "egress"):
        if direction not in new:
            continue
        before = [_permission(rule, group_id) for rule in old.get(direction) or []]
        after = [_permission(rule, group_id) for rule in new[direction]]
        if removed := [one for one in before if one not in after]:
            getattr(ec2, f"revoke_security_group_{direction}")(GroupId=group_id, IpPermissions=removed)
        if added := [one for one in after if one not in before]:
            getattr(ec2, f"authorize_security_group_{direction}")(GroupId=group_id, IpPermissions=added)


def _read(cloud: "Cloud", group_id: str, _known: Document) -> Found | None:
    group = one_of(cloud, "describe_security_groups", "GroupIds", "SecurityGroups", group_id)
    if group is None:
        return None
    outputs = from_api(_SECURITY_GROUP, group) | {
        "ingress": _rules(group["IpPermissions"], group_id),
        "egress": _rules(group["IpPermissionsEgress"], group_id),
        "tagsAll": mapped(group.get("Tags")),
    }
    return Found(group_id, outputs)


def _update(cloud: "Cloud", group_id: str, old: Document, new: Document) -> None:
    _change_rules(cloud, group_id, old, new)
    update_tags(cloud, group_id, old, new)


def _delete(cloud: "Cloud", group_id: str, _state: Document) -> None:
    """Delete a group.

    Raises:
        Refused: while another group's rule refers to it, as EC2 does.
    """
    ec2 = cloud.client("ec2")
    for name in ("ip-permission.group-id", "egress.ip-permission.group-id"):
        found = ec2.describe_security_groups(Filters=[{"Name": name, "Values": [group_id]}])["SecurityGroups"]
        if any(one["GroupId"] != group_id for one in found):
            message = f"DependencyViolation: resource {group_id} has a dependent object"
            raise Refused(message)
    gone(ec2.delete_security_group, GroupId=group_id)


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:ec2/securityGroup:SecurityGroup",
        fields=_SECURITY_GROUP,
        sources=sources("aws_security_group", "EC2 AuthorizeSecurityGroupIngress/Egress and RevokeSecurityGroup*"),
        request=("ec2", "CreateSecurityGroup"),
        autoname=Autoname(field="name", limit=255, prefix="namePrefix"),
        identity=("name",),
        checks=(_check_rules, _check_name),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
