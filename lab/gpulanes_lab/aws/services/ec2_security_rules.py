"""Security group rules of their own: one peer, one direction."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.services.calls import gone, sources
from gpulanes_lab.aws.services.ec2_calls import must_find, one_of, tag_specifications, update_tags
from gpulanes_lab.aws.services.ec2_security_group import EVERYTHING, port_failures
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import REGION, TAGS, Failure, Found, Refused, Resource, computed, immutable, mutable
from gpulanes_lab.aws.tagging import mapped
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

_PEERS: Final = ("cidrIpv4", "cidrIpv6", "prefixListId", "referencedSecurityGroupId")
_RULE: Final = (
    immutable("securityGroupId", required=True, api=""),
    mutable("ipProtocol", required=True),
    mutable("fromPort", "integer"),
    mutable("toPort", "integer"),
    mutable("cidrIpv4"),
    mutable("cidrIpv6"),
    mutable("prefixListId"),
    mutable("referencedSecurityGroupId", api="ReferencedGroupId"),
    mutable("description"),
    REGION,
    *TAGS,
    computed("arn", api=""),
    computed("securityGroupRuleId"),
)
# moto keeps no description on a rule whose peer is a group.
_STORE: Final = "ec2-security-group-rule"


def _check(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    peers = [name for name in _PEERS if inputs.get(name) is not None]
    if len(peers) != 1:
        said = ", ".join(peers) or "none"
        yield Failure(
            peers[-1] if peers else _PEERS[0], f"a rule has exactly one peer of {', '.join(_PEERS)}, not {said}"
        )
    yield from port_failures("", inputs.get("ipProtocol"), inputs.get("fromPort"), inputs.get("toPort"))


def _permission(inputs: Document) -> dict[str, Any]:
    permission: dict[str, Any] = {"IpProtocol": inputs["ipProtocol"]}
    if inputs["ipProtocol"] != EVERYTHING:
        permission |= {"FromPort": inputs.get("fromPort", -1), "ToPort": inputs.get("toPort", -1)}
    said = {"Description": inputs["description"]} if inputs.get("description") else {}
    members = {
        "cidrIpv4": ("IpRanges", "CidrIp"),
        "cidrIpv6": ("Ipv6Ranges", "CidrIpv6"),
        "prefixListId": ("PrefixListIds", "PrefixListId"),
        "referencedSecurityGroupId": ("UserIdGroupPairs", "GroupId"),
    }
    for name, (member, key) in members.items():
        if inputs.get(name):
            permission[member] = [{key: inputs[name]} | said]
    return permission


def _refuse_duplicate(cloud: "Cloud", inputs: Document, *, egress: bool) -> None:
    named = {"Name": "group-id", "Values": [inputs["securityGroupId"]]}
    rules = cloud.client("ec2").describe_security_group_rules(Filters=[named])["SecurityGroupRules"]
    compared = ("ipProtocol", "fromPort", "toPort", *_PEERS)
    wanted = {name: inputs[name] for name in compared if inputs.get(name) not in (None, -1)}
    for rule in rules:
        outputs = _outputs(rule)
        if rule["IsEgress"] == egress and {name: outputs[name] for name in compared if name in outputs} == wanted:
            message = f"InvalidPermission.Duplicate: the rule already exists as {rule['SecurityGroupRuleId']}"
            raise Refused(message)


def _outputs(rule: dict[str, Any]) -> Document:
    outputs = from_api(_RULE, rule)
    if rule["IpProtocol"] == EVERYTHING:
        outputs.pop("fromPort", None)
        outputs.pop("toPort", None)
    if rule.get("ReferencedGroupInfo"):
        outputs["referencedSecurityGroupId"] = rule["ReferencedGroupInfo"]["GroupId"]
    return outputs


def _create(cloud: "Cloud", inputs: Document, *, egress: bool) -> str:
    group_id = inputs["securityGroupId"]
    must_find(cloud, "describe_security_groups", "GroupIds", "SecurityGroups", group_id)
    if inputs.get("referencedSecurityGroupId"):
        peer = inputs["referencedSecurityGroupId"]
        must_find(cloud, "describe_security_groups", "GroupIds", "SecurityGroups", peer)
    _refuse_duplicate(cloud, inputs, egress=egress)
    ec2 = cloud.client("ec2")
    authorize = ec2.authorize_security_group_egress if egress else ec2.authorize_security_group_ingress
    answer = authorize(
        GroupId=group_id,
        IpPermissions=[_permission(inputs)],
        TagSpecifications=tag_specifications("security-group-rule", inputs),
    )
    rule_id: str = answer["SecurityGroupRules"][0]["SecurityGroupRuleId"]
    _remember(cloud, rule_id, inputs)
    return rule_id


def _remember(cloud: "Cloud", rule_id: str, inputs: Document) -> None:
    if inputs.get("referencedSecurityGroupId") and inputs.get("description"):
        cloud.store.put(_STORE, rule_id, {"description": inputs["description"]})
    else:
        cloud.store.delete(_STORE, rule_id)


def _read(cloud: "Cloud", rule_id: str, _known: Document, *, egress: bool) -> Found | None:
    rule = one_of(cloud, "describe_security_group_rules", "SecurityGroupRuleIds", "SecurityGroupRules", rule_id)
    if rule is None or rule["IsEgress"] != egress:
        return None
    outputs = _outputs(rule) | {
        "securityGroupId": rule["GroupId"],
        "arn": cloud.arn("ec2", f"security-group-rule/{rule_id}"),
        "tagsAll": mapped(rule.get("Tags")),
    }
    return Found(rule_id, outputs | (cloud.store.get(_STORE, rule_id) or {}))


def _update(cloud: "Cloud", rule_id: str, old: Document, new: Document) -> None:
    """Change a rule.

    Raises:
        Refused: when its peer becomes one of another kind, which the emulator does not cover.
    """
    kinds = [[name for name in _PEERS if one.get(name)] for one in (old, new)]
    if kinds[0] != kinds[1]:
        message = f"a rule's peer cannot change from {kinds[0][0]} to {kinds[1][0]}: make another rule"
        raise Refused(message)
    if any(old.get(name) != new.get(name) for name in ("ipProtocol", "fromPort", "toPort", "description", *_PEERS)):
        request = to_api(_RULE, {name: new[name] for name in new if name not in ("tags", "region")})
        if new["ipProtocol"] == EVERYTHING:
            request |= {"FromPort": -1, "ToPort": -1}
        cloud.client("ec2").modify_security_group_rules(
            GroupId=new["securityGroupId"],
            SecurityGroupRules=[{"SecurityGroupRuleId": rule_id, "SecurityGroupRule": request}],
        )
        _remember(cloud, rule_id, new)
    update_tags(cloud, rule_id, old, new)


def _delete(cloud: "Cloud", rule_id: str, state: Document, *, egress: bool) -> None:
    ec2 = cloud.client("ec2")
    revoke = ec2.revoke_security_group_egress if egress else ec2.revoke_security_group_ingress
    gone(revoke, GroupId=state["securityGroupId"], SecurityGroupRuleIds=[rule_id])
    cloud.store.delete(_STORE, rule_id)


def _rule(token: str, terraform: str, *, egress: bool) -> Resource:
    return Resource(
        type=token,
        fields=_RULE,
        sources=sources(terraform, "EC2 ModifySecurityGroupRules"),
        checks=(_check,),
        create=lambda cloud, inputs: _create(cloud, inputs, egress=egress),
        read=lambda cloud, rule_id, known: _read(cloud, rule_id, known, egress=egress),
        update=_update,
        delete=lambda cloud, rule_id, state: _delete(cloud, rule_id, state, egress=egress),
    )


RESOURCES: Final[tuple[Resource, ...]] = (
    _rule(
        "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", "aws_vpc_security_group_ingress_rule", egress=False
    ),
    _rule("aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule", "aws_vpc_security_group_egress_rule", egress=True),
)
