"""What EC2 refuses of a launch template beyond its model: interfaces, volumes, markets, user data, tags."""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.table import Check, Failure, Refused
from gpulanes_lab.aws.tagging import tag_failures
from gpulanes_lab.aws.values import UNKNOWN, Document, Plain, at

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

EFA: Final = frozenset({"efa", "efa-only"})
# Source: EC2 user guide, instance user data is limited to 16 KB before encoding.
_USER_DATA: Final = 16 * 1024
# Source: EC2 CreateLaunchTemplate, LaunchTemplateName.
_NAME: Final = re.compile(r"[a-zA-Z0-9().\-/_]{3,128}")
# Source: EC2 LaunchTemplateTagSpecificationRequest.
_TAGGED: Final = frozenset({"instance", "volume", "elastic-gpu", "network-interface", "spot-instances-request"})
# Source: EC2 EbsBlockDevice.
_WITH_IOPS: Final = frozenset({"gp3", "io1", "io2"})
_IOPS_REQUIRED: Final = frozenset({"io1", "io2"})
_GP3_IOPS: Final = 3000
_GP3_THROUGHPUT: Final = 125
_INITIALIZATION: Final = range(100, 301)


def interfaces(inputs: Document) -> list[Document]:
    """Return the network interfaces that are known."""
    given = inputs.get("networkInterfaces")
    return [dict(one) for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []


def _check_layout(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    """Source: EC2 user guide, EFA: a primary interface is never EFA-only, and a card holds one EFA."""
    given = interfaces(inputs)
    places = [(one.get("networkCardIndex", 0), one.get("deviceIndex")) for one in given]
    if any(UNKNOWN in place for place in places):
        return
    if given and (0, 0) not in places:
        yield Failure("networkInterfaces", "one interface has to be the primary: card 0, device 0")
    seen: set[Any] = set()
    for index, (one, place) in enumerate(zip(given, places, strict=True)):
        kind = one.get("interfaceType", "interface")
        yield from (
            Failure(f"networkInterfaces[{index}].{name}", reason) for name, reason in _placed(kind, place, seen)
        )
        seen |= {place} | ({f"EFA on card {place[0]}"} if kind in EFA else set())


def _placed(kind: Plain, place: tuple[Plain, Plain], seen: set[Any]) -> Iterator[tuple[str, str]]:
    card, device = place
    if device is None:
        yield "deviceIndex", "is required"
    elif place in seen:
        yield "deviceIndex", f"card {card}, device {device} is taken by another interface"
    if kind == "efa-only" and place == (0, 0):
        yield "interfaceType", "the primary interface cannot be efa-only"
    if kind in EFA and f"EFA on card {card}" in seen:
        yield "networkCardIndex", f"card {card} already has an EFA"


def _check_addresses(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    given = interfaces(inputs)
    for index, one in enumerate(given):
        if len(given) > 1 and str(one.get("associatePublicIpAddress", "")).lower() == "true":
            reason = "cannot be true with more than one interface (EC2 RunInstances InvalidParameterCombination)"
            yield Failure(f"networkInterfaces[{index}].associatePublicIpAddress", reason)
    if given and inputs.get("vpcSecurityGroupIds"):
        reason = "conflicts with networkInterfaces: security groups belong inside each interface there"
        yield Failure("vpcSecurityGroupIds", reason)


def _check_fabric(cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    """Check the EFAs against what the instance type carries."""
    name = inputs.get("instanceType")
    if not isinstance(name, str):
        return
    try:
        network = cloud.instance_type(name)["NetworkInfo"]
    except Refused as refusal:
        yield Failure("instanceType", str(refusal))
        return
    given = interfaces(inputs)
    yield from fabric_failures(name, network, given)


def fabric_failures(name: str, network: Mapping[str, Any], given: list[Document]) -> Iterator[Failure]:
    """Yield what an instance type's network (EC2 NetworkInfo) cannot hold of these interfaces."""
    efas = [index for index, one in enumerate(given) if one.get("interfaceType") in EFA]
    most = network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0)
    if len(efas) > most:
        yield Failure("networkInterfaces", f"{len(efas)} EFAs; {name} takes at most {most}")
    cards = {card["NetworkCardIndex"]: card for card in network.get("NetworkCards", [])}
    for index, one in enumerate(given):
        path, number = f"networkInterfaces[{index}].networkCardIndex", one.get("networkCardIndex", 0)
        kind = one.get("interfaceType", "interface")
        if UNKNOWN in (number, kind):
            continue
        if number not in cards:
            yield Failure(path, f"{name} has no network card {number} (it has {len(cards)})")
        elif kind not in (kinds := cards[number].get("InterfaceTypes", [kind])):
            yield Failure(path, f"card {number} of {name} takes {', '.join(kinds)}, not {kind}")


def _check_volumes(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    given = inputs.get("blockDeviceMappings")
    for index, one in enumerate(given if isinstance(given, list) else []):
        ebs = at(one, "ebs")
        if isinstance(ebs, Mapping):
            yield from (
                Failure(f"blockDeviceMappings[{index}].ebs.{name}", reason) for name, reason in _volume(dict(ebs))
            )


def _volume(ebs: Document) -> Iterator[tuple[str, str]]:
    if ebs.get("volumeType") is UNKNOWN:
        return
    yield from _throughput(ebs)
    yield from _iops(ebs)
    yield from _initialization(ebs)


def _throughput(ebs: Document) -> Iterator[tuple[str, str]]:
    kind, throughput = ebs.get("volumeType"), ebs.get("throughput")
    if throughput in (None, UNKNOWN):
        return
    if kind != "gp3":
        yield "throughput", f"is not supported for {kind or 'the default volume type'}, only for gp3"
    elif throughput < _GP3_THROUGHPUT:
        yield "throughput", f"{throughput} MiB/s: at least {_GP3_THROUGHPUT}"


def _iops(ebs: Document) -> Iterator[tuple[str, str]]:
    kind, iops = ebs.get("volumeType"), ebs.get("iops")
    if iops is None and kind in _IOPS_REQUIRED:
        yield "iops", f"is required for {kind}"
    if iops in (None, UNKNOWN):
        return
    if kind not in _WITH_IOPS:
        yield "iops", f"is not supported for {kind or 'the default volume type'}"
    elif kind == "gp3" and iops < _GP3_IOPS:
        yield "iops", f"{iops}: gp3 starts at {_GP3_IOPS}"


def _initialization(ebs: Document) -> Iterator[tuple[str, str]]:
    rate = ebs.get("volumeInitializationRate")
    if rate in (None, UNKNOWN):
        return
    if not ebs.get("snapshotId"):
        yield "volumeInitializationRate", "needs a snapshotId"
    if rate not in _INITIALIZATION:
        yield "volumeInitializationRate", f"{rate} MiB/s: 100 to 300"


def _check_market(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    market = at(inputs, "instanceMarketOptions.marketType")
    target = at(inputs, "capacityReservationSpecification.capacityReservationTarget")
    if market == "capacity-block":
        if at(target, "capacityReservationId") is None:
            path = "capacityReservationSpecification.capacityReservationTarget.capacityReservationId"
            yield Failure(path, "is required for the capacity-block market")
        if inputs.get("instanceType") is None:
            yield Failure("instanceType", "is required for the capacity-block market")
    if market not in ("spot", UNKNOWN, None) and at(inputs, "instanceMarketOptions.spotOptions"):
        yield Failure("instanceMarketOptions.spotOptions", f"conflicts with marketType {market}")
    yield from _reservation_failures(target, inputs)


def _reservation_failures(target: Plain, inputs: Document) -> Iterator[Failure]:
    path = "capacityReservationSpecification.capacityReservationTarget"
    if at(target, "capacityReservationId") and at(target, "capacityReservationResourceGroupArn"):
        yield Failure(f"{path}.capacityReservationResourceGroupArn", "conflicts with capacityReservationId")
    preference = at(inputs, "capacityReservationSpecification.capacityReservationPreference")
    if target and preference in ("open", "none"):
        yield Failure(path, f"a target conflicts with the preference {preference}")
    if at(inputs, "placement.groupName") and at(inputs, "placement.groupId"):
        yield Failure("placement.groupId", "conflicts with placement.groupName")


def _check_user_data(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    text = inputs.get("userData")
    if not isinstance(text, str):
        return
    try:
        size = len(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        yield Failure("userData", "must be base64 (InvalidUserData.Malformed: Invalid BASE64 encoding of user data)")
        return
    if size > _USER_DATA:
        yield Failure("userData", f"{size} bytes; user data is limited to {_USER_DATA} bytes before encoding")


def _check_tags(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    given = inputs.get("tagSpecifications")
    for index, one in enumerate(given if isinstance(given, list) else []):
        kind, path = at(one, "resourceType"), f"tagSpecifications[{index}]"
        if kind not in (*_TAGGED, UNKNOWN):
            reason = f"{kind!r} is not a taggable resource type of a launch template ({', '.join(sorted(_TAGGED))})"
            yield Failure(f"{path}.resourceType", reason)
        yield from tag_failures(f"{path}.tags", at(one, "tags"))


def _check_name(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    name = inputs.get("name")
    if isinstance(name, str) and not _NAME.fullmatch(name):
        yield Failure("name", f"{name!r}: 3 to 128 letters, digits and ( ) . - / _")


CHECKS: Final[tuple[Check, ...]] = (
    _check_name,
    _check_layout,
    _check_addresses,
    _check_fabric,
    _check_volumes,
    _check_market,
    _check_user_data,
    _check_tags,
)
