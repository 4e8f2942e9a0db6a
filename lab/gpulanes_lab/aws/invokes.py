"""The provider's functions: the few a fleet's program asks for; any other is refused by name."""

import json
import zlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.table import Refused
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud


def _caller_identity(cloud: "Cloud", _arguments: Document) -> Document:
    answer = cloud.client("sts").get_caller_identity()
    return {"id": answer["Account"], "accountId": answer["Account"], "arn": answer["Arn"], "userId": answer["UserId"]}


def _region(cloud: "Cloud", arguments: Document) -> Document:
    name = arguments.get("region") or arguments.get("name") or cloud.region
    return {"id": name, "name": name, "region": name, "endpoint": f"ec2.{name}.amazonaws.com", "description": name}


def _partition(cloud: "Cloud", _arguments: Document) -> Document:
    del cloud
    return {
        "id": "aws",
        "partition": "aws",
        "dnsSuffix": "amazonaws.com",
        "reverseDnsPrefix": "com.amazonaws",
    }


def _availability_zones(cloud: "Cloud", arguments: Document) -> Document:
    wanted = arguments.get("state")
    zones = [
        zone
        for zone in cloud.client("ec2").describe_availability_zones()["AvailabilityZones"]
        if wanted in (None, zone["State"])
    ]
    return {
        "id": cloud.region,
        "names": [zone["ZoneName"] for zone in zones],
        "zoneIds": [zone["ZoneId"] for zone in zones],
        "groupNames": [cloud.region],
    }


def _policy_document(cloud: "Cloud", arguments: Document) -> Document:
    del cloud
    known = {"version", "policyId", "statements"}
    if extra := sorted(set(arguments) - known):
        message = f"aws:iam/getPolicyDocument: {', '.join(extra)} is not covered (covered: {', '.join(sorted(known))})"
        raise Refused(message)
    document: dict[str, Any] = {"Version": arguments.get("version", "2012-10-17")}
    if arguments.get("policyId"):
        document["Id"] = arguments["policyId"]
    document["Statement"] = [_statement(one) for one in arguments.get("statements") or []]
    return {
        "id": str(zlib.crc32(json.dumps(document).encode())),
        "json": json.dumps(document, indent=2),
        "minifiedJson": json.dumps(document, separators=(",", ":")),
    }


def _statement(given: Mapping[str, Any]) -> Document:
    statement: Document = {"Effect": given.get("effect", "Allow")}
    plain = {"sid": "Sid", "actions": "Action", "notActions": "NotAction", "resources": "Resource"}
    plain |= {"notResources": "NotResource"}
    for name, member in plain.items():
        if given.get(name):
            value = given[name]
            statement[member] = value[0] if isinstance(value, list) and len(value) == 1 else value
    if given.get("principals"):
        principals = {one["type"]: one["identifiers"] for one in given["principals"]}
        statement["Principal"] = {kind: ids[0] if len(ids) == 1 else ids for kind, ids in principals.items()}
    for one in given.get("conditions") or []:
        statement.setdefault("Condition", {}).setdefault(one["test"], {})[one["variable"]] = one["values"]
    return statement


FUNCTIONS: Final[Mapping[str, Callable[["Cloud", Document], Document]]] = {
    "aws:iam/getPolicyDocument:getPolicyDocument": _policy_document,
    "aws:index/getAvailabilityZones:getAvailabilityZones": _availability_zones,
    "aws:index/getCallerIdentity:getCallerIdentity": _caller_identity,
    "aws:index/getPartition:getPartition": _partition,
    "aws:index/getRegion:getRegion": _region,
}


def invoke(cloud: "Cloud", token: str, arguments: Document) -> Document:
    """Return a function's answer.

    Raises:
        Refused: for a function that is not covered, naming those that are.
    """
    function = FUNCTIONS.get(token)
    if function is None:
        message = f"{token} is not covered by the emulated aws provider (covered: {', '.join(sorted(FUNCTIONS))})"
        raise Refused(message)
    return function(cloud, arguments)
