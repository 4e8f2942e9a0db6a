"""What EKS refuses of a cluster beyond its model."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from gpulanes_lab.aws.services.eks_calls import minor
from gpulanes_lab.aws.table import Check, Failure, Refused
from gpulanes_lab.aws.values import UNKNOWN, Document, at

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: botocore eks LogType.
_LOG_TYPES: Final = frozenset({"api", "audit", "authenticator", "controllerManager", "scheduler"})
# Source: EKS user guide, access entries: the authentication mode only moves towards API.
_MODES: Final = ("CONFIG_MAP", "API_AND_CONFIG_MAP", "API")
# Source: EKS user guide, Auto Mode is one switch in three places.
_AUTO_MODE: Final = (
    "computeConfig.enabled",
    "storageConfig.blockStorage.enabled",
    "kubernetesNetworkConfig.elasticLoadBalancing.enabled",
)


def version_failures(path: str, version: object) -> Iterator[Failure]:
    """Yield what EKS refuses of a Kubernetes version."""
    if not isinstance(version, str):
        return
    major, _, rest = version.partition(".")
    if major != "1" or not rest.isdigit():
        yield Failure(path, f"{version!r}: a Kubernetes version such as 1.34")


def _check_version(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    yield from version_failures("version", inputs.get("version"))


def _check_logs(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    given = inputs.get("enabledClusterLogTypes")
    for index, kind in enumerate(given if isinstance(given, list) else []):
        if kind not in (*_LOG_TYPES, UNKNOWN):
            yield Failure(f"enabledClusterLogTypes[{index}]", f"{kind!r} is not one of {', '.join(sorted(_LOG_TYPES))}")


def _check_network(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    subnets = at(inputs, "vpcConfig.subnetIds")
    if isinstance(subnets, list) and len(subnets) < 2:  # noqa: PLR2004 - EKS: two zones
        yield Failure("vpcConfig.subnetIds", "a cluster needs subnets in at least two zones")
    public = at(inputs, "vpcConfig.endpointPublicAccess")
    if public is False and at(inputs, "vpcConfig.endpointPrivateAccess") in (None, False):
        reason = "private and public endpoint access cannot both be off"
        yield Failure("vpcConfig.endpointPrivateAccess", reason)


def _check_auto_mode(_cloud: "Cloud", inputs: Document) -> Iterator[Failure]:
    switches = {path: at(inputs, path) for path in _AUTO_MODE}
    if UNKNOWN in switches.values() or len(set(map(bool, switches.values()))) == 1:
        return
    off = next(path for path, value in switches.items() if not value)
    yield Failure(off, f"Auto Mode needs {', '.join(_AUTO_MODE)} all on or all off")


CHECKS: Final[tuple[Check, ...]] = (_check_version, _check_logs, _check_network, _check_auto_mode)


def refuse_update(old: Document, new: Document) -> None:
    """Check that EKS would take an update.

    Raises:
        Refused: for a version that goes back or skips one, or an authentication mode that goes back.
    """
    before, after = old.get("version"), new.get("version")
    if before and after and minor(after) not in (minor(before), minor(before) + 1):
        message = f"InvalidParameterException: Unsupported Kubernetes minor version update from {before} to {after}"
        raise Refused(message)
    was, wanted = (at(one, "accessConfig.authenticationMode") for one in (old, new))
    if was in _MODES and wanted in _MODES and _MODES.index(wanted) < _MODES.index(was):
        message = f"InvalidParameterException: Unsupported authentication mode update from {was} to {wanted}"
        raise Refused(message)
