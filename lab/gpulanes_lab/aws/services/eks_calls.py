"""What every EKS type shares: its memory of what moto drops, and the roles it may use."""

import json
from typing import TYPE_CHECKING, Any, Final

from gpulanes_lab.aws.services.calls import found
from gpulanes_lab.aws.table import Refused
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

CLUSTERS: Final = "eks-cluster"
NODE_GROUPS: Final = "eks-node-group"
ACCESS_ENTRIES: Final = "eks-access-entry"
ADDONS: Final = "eks-addon"


def key(cloud: "Cloud", *names: str) -> str:
    """Return a document's key: EKS names are unique in a region."""
    return ":".join((cloud.region, *names))


def cluster(cloud: "Cloud", name: str) -> dict[str, Any] | None:
    """Return a cluster as EKS describes it, what moto drops filled in; None when there is none."""
    answer = found(cloud.client("eks").describe_cluster, name=name)
    if answer is None:
        return None
    kept = cloud.store.get(CLUSTERS, key(cloud, name)) or {}
    described: dict[str, Any] = answer["cluster"]
    merged = {**described, **kept}
    for block in ("resourcesVpcConfig", "kubernetesNetworkConfig"):
        merged[block] = {**kept.get(block, {}), **(described.get(block) or {})}
    return merged


def must_have_cluster(cloud: "Cloud", name: str) -> dict[str, Any]:
    """Return a cluster.

    Raises:
        Refused: when there is none.
    """
    described = cluster(cloud, name)
    if described is None:
        message = f"ResourceNotFoundException: No cluster found for name: {name}."
        raise Refused(message)
    return described


def must_be_assumable(cloud: "Cloud", arn: str, service: str) -> None:
    """Check that a role of this account exists and trusts the service.

    Raises:
        Refused: as EKS does, when it does not.
    """
    if ("role", arn, service) in cloud.memory:
        return
    answer = found(cloud.client("iam").get_role, RoleName=arn.rsplit("/", 1)[-1])
    if answer is None or service not in json.dumps(answer["Role"]["AssumeRolePolicyDocument"]):
        reason = "could not be assumed because it does not exist or the trusted entity is not correct"
        message = f"InvalidParameterException: Role with arn: {arn}, {reason} ({service})"
        raise Refused(message)
    cloud.memory["role", arn, service] = True


def subnets(cloud: "Cloud", ids: list[str]) -> list[dict[str, Any]]:
    """Return subnets; where they lie never changes.

    Raises:
        Refused: when one does not exist.
    """
    if new := [one for one in ids if ("subnet", one) not in cloud.memory]:
        named = [{"Name": "subnet-id", "Values": new}]
        for one in cloud.client("ec2").describe_subnets(Filters=named)["Subnets"]:
            cloud.memory["subnet", one["SubnetId"]] = one
    if missing := [one for one in ids if ("subnet", one) not in cloud.memory]:
        message = f"InvalidParameterException: The subnet ID '{missing[0]}' does not exist"
        raise Refused(message)
    return [cloud.memory["subnet", one] for one in ids]


def minor(version: str) -> int:
    """Return the minor number of a Kubernetes version such as 1.34."""
    return int(version.split(".")[1])


def tags_of(document: Document) -> dict[str, str]:
    """Return the tags of a description, AWS's own left out."""
    return {name: value for name, value in (document.get("tags") or {}).items() if not name.startswith("aws:")}
