"""What EC2 refuses, one case per limit."""

import base64

import pytest

from emulated_aws import Driver
from emulated_limits import CAPACITY_BLOCK, EFA, Case, assert_refused, named, nics, volume

TEMPLATE_CASES = (
    Case("template", nics(EFA[1]), "networkInterfaces", "has to be the primary"),
    Case(
        "template",
        nics({**EFA[0], "interfaceType": "efa-only"}),
        "networkInterfaces[0].interfaceType",
        "cannot be efa-only",
    ),
    Case("template", nics(EFA[0], EFA[0]), "networkInterfaces[1].deviceIndex", "is taken"),
    Case(
        "template",
        nics(EFA[0], {**EFA[1], "networkCardIndex": 0}),
        "networkInterfaces[1].networkCardIndex",
        "already has",
    ),
    Case("template", nics({"interfaceType": "efa"}), "networkInterfaces[0].deviceIndex", "is required"),
    Case(
        "template",
        nics({**EFA[0], "associatePublicIpAddress": "true"}, EFA[1]),
        "networkInterfaces[0].associatePublicIpAddress",
        "more than one interface",
    ),
    Case("template", {**nics(EFA[0]), "vpcSecurityGroupIds": ["sg-1"]}, "vpcSecurityGroupIds", "conflicts"),
    Case("template", {**nics(*EFA), "instanceType": "p5en.48xlarge"}, "networkInterfaces", "at most 16"),
    Case("template", {**nics(*EFA[:2]), "instanceType": "g6.8xlarge"}, "networkInterfaces", "at most 1"),
    Case("template", {**nics(EFA[0]), "instanceType": "g6.xlarge"}, "networkInterfaces", "at most 0"),
    Case(
        "template",
        {**nics(EFA[0]), "instanceType": "p6-b300.48xlarge"},
        "networkInterfaces[0].networkCardIndex",
        "not efa",
    ),
    Case("template", {"instanceType": "p99.metal"}, "instanceType", "do not exist"),
    Case("template", volume(volumeType="gp2", throughput=250), "blockDeviceMappings[0].ebs.throughput", "only for gp3"),
    Case("template", volume(volumeType="gp3", throughput=100), "blockDeviceMappings[0].ebs.throughput", "at least 125"),
    Case("template", volume(volumeType="gp3", iops=1000), "blockDeviceMappings[0].ebs.iops", "starts at 3000"),
    Case("template", volume(volumeType="io2"), "blockDeviceMappings[0].ebs.iops", "is required"),
    Case("template", volume(volumeType="st1", iops=500), "blockDeviceMappings[0].ebs.iops", "not supported"),
    Case("template", volume(volumeType="gp9"), "blockDeviceMappings[0].ebs.volumeType", "is not one of"),
    Case("template", volume(encrypted="yes"), "blockDeviceMappings[0].ebs.encrypted", '"true" or "false"'),
    Case(
        "template",
        volume(volumeType="gp3", volumeInitializationRate=200),
        "blockDeviceMappings[0].ebs.volumeInitializationRate",
        "needs a snapshotId",
    ),
    Case(
        "template",
        volume(volumeType="gp3", volumeInitializationRate=20, snapshotId="snap-1"),
        "blockDeviceMappings[0].ebs.volumeInitializationRate",
        "100 to 300",
    ),
    Case(
        "template",
        {**CAPACITY_BLOCK, "capacityReservationSpecification": None},
        "capacityReservationSpecification.capacityReservationTarget.capacityReservationId",
        "is required",
    ),
    Case("template", {**CAPACITY_BLOCK, "instanceType": None}, "instanceType", "is required for the capacity-block"),
    Case(
        "template", {"instanceMarketOptions": {"marketType": "reserved"}}, "instanceMarketOptions.marketType", "not one"
    ),
    Case(
        "template",
        {
            **CAPACITY_BLOCK,
            "instanceMarketOptions": {"marketType": "capacity-block", "spotOptions": {"maxPrice": "1"}},
        },
        "instanceMarketOptions.spotOptions",
        "conflicts with marketType",
    ),
    Case(
        "template",
        {
            "capacityReservationSpecification": {
                "capacityReservationPreference": "open",
                "capacityReservationTarget": {"capacityReservationId": "cr-1"},
            },
        },
        "capacityReservationSpecification.capacityReservationTarget",
        "conflicts with the preference open",
    ),
    Case(
        "template",
        {
            "capacityReservationSpecification": {
                "capacityReservationTarget": {
                    "capacityReservationId": "cr-1",
                    "capacityReservationResourceGroupArn": "arn:aws:resource-groups:us-east-1:1:group/a",
                },
            },
        },
        "capacityReservationSpecification.capacityReservationTarget.capacityReservationResourceGroupArn",
        "conflicts",
    ),
    Case("template", {"placement": {"groupName": "a", "groupId": "pg-1"}}, "placement.groupId", "conflicts"),
    Case("template", {"metadataOptions": {"httpTokens": "always"}}, "metadataOptions.httpTokens", "is not one of"),
    Case("template", {"userData": "#!/bin/sh"}, "userData", "base64"),
    Case("template", {"userData": base64.b64encode(b"x" * 16385).decode()}, "userData", "limited to 16384"),
    Case(
        "template",
        {"tagSpecifications": [{"resourceType": "vpc"}]},
        "tagSpecifications[0].resourceType",
        "not a taggable",
    ),
    Case(
        "template",
        {"tagSpecifications": [{"resourceType": "instance", "tags": {"aws:a": "b"}}]},
        'tagSpecifications[0].tags["aws:a"]',
        "reserved",
    ),
    Case("template", {"name": "ab"}, "name", "3 to 128"),
)

NETWORK_CASES = (
    Case("vpc", {"cidrBlock": "10.0.0.0/8"}, "cidrBlock", "between /16 and /28"),
    Case("vpc", {"cidrBlock": "10.0.0.1/16"}, "cidrBlock", "no IPv4 block"),
    Case("vpc", {"instanceTenancy": "mine"}, "instanceTenancy", "is not one of"),
    Case("subnet", {"cidrBlock": "10.0.0.0/29"}, "cidrBlock", "between /16 and /28"),
    Case("subnet", {"availabilityZone": "a", "availabilityZoneId": "b"}, "availabilityZoneId", "conflicts"),
    Case("nat", {"allocationId": None}, "allocationId", "is required for a public"),
    Case("nat", {"connectivityType": "private"}, "allocationId", "no address"),
    Case("route", {"natGatewayId": "nat-1"}, "natGatewayId", "exactly one target"),
    Case("route", {"gatewayId": None}, "gatewayId", "exactly one target"),
    Case("table", {"routes": [{"cidrBlock": "0.0.0.0/0"}]}, "routes[0].gatewayId", "exactly one target"),
    Case("association", {"gatewayId": "igw-1"}, "subnetId", "exactly one"),
    Case("rule", {"cidrIpv6": "::/0"}, "cidrIpv6", "exactly one peer"),
    Case("rule", {"cidrIpv4": None}, "cidrIpv4", "exactly one peer"),
    Case("rule", {"ipProtocol": "tcp"}, "fromPort", "required for tcp"),
    Case("rule", {"ipProtocol": "tcp", "fromPort": 5, "toPort": 1}, "toPort", "fromPort <= toPort"),
    Case("rule", {"fromPort": 443, "toPort": 443}, "fromPort", "takes no ports"),
    Case("group", {"name": "sg-mine"}, "name", "cannot start with sg-"),
    Case(
        "group",
        {"ingress": [{"protocol": "tcp", "fromPort": 1, "toPort": 2}]},
        "ingress[0].cidrBlocks",
        "names a peer",
    ),
    Case("placement", {"strategy": "near"}, "strategy", "is not one of"),
    Case("placement", {"partitionCount": 2}, "partitionCount", "only a partition strategy"),
    Case("placement", {"strategy": "partition", "partitionCount": 8}, "partitionCount", "1 to 7"),
    Case("placement", {"spreadLevel": "rack"}, "spreadLevel", "only a spread strategy"),
)


@pytest.mark.parametrize("case", [*TEMPLATE_CASES, *NETWORK_CASES], ids=named)
def test_what_the_real_api_refuses_is_refused_at_its_property(case: Case, aws: Driver) -> None:
    assert_refused(case, aws)
