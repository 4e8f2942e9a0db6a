"""One region of the emulated AWS: clients on moto, facts about instance types, and the emulator's own store."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from gpulanes_lab.aws.store import Store
from gpulanes_lab.aws.table import Refused

if TYPE_CHECKING:
    from botocore.model import Shape

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
STATE: Final = "GPULANES_LAB_STATE"
ENDPOINT: Final = "AWS_ENDPOINT_URL"


def loopback(url: str) -> bool:
    """Whether a URL stays on this machine."""
    return urlsplit(url).hostname in _LOOPBACK


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the process takes from its environment, read once at its start."""

    endpoint: str
    store: Store
    region: str
    kube_endpoint: str
    kube_ca: str

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> "Surroundings":
        """Read the lab's variables.

        Raises:
            Refused: unless the endpoint is on loopback and the lab's state folder is given.
        """
        endpoint = environment.get(ENDPOINT, "")
        if not loopback(endpoint):
            message = f"{ENDPOINT}={endpoint or '(not set)'}: the emulated aws provider only talks to this machine"
            raise Refused(message)
        for name in ("AWS_PROFILE", "AWS_DEFAULT_PROFILE"):
            if environment.get(name):
                message = f"{name} is set: the emulated aws provider never reads a profile; unset it"
                raise Refused(message)
        state = environment.get(STATE, "")
        if not state:
            message = f"{STATE} is not set: the emulated aws provider keeps what moto lacks below it"
            raise Refused(message)
        return cls(
            endpoint=endpoint,
            store=Store(Path(state) / "aws-store"),
            region=environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or "",
            kube_endpoint=environment.get("GPULANES_LAB_KUBE_ENDPOINT", ""),
            kube_ca=environment.get("GPULANES_LAB_KUBE_CA", ""),
        )


@cache
def _session() -> Any:  # noqa: ANN401 - boto3 is imported when it is first needed
    import boto3

    return boto3.session.Session()


@cache
def _client(endpoint: str, region: str, service: str) -> Any:  # noqa: ANN401 - boto3 makes the class at run time
    """Return a client on loopback, with dummy credentials and no retries; building one costs a hundred calls."""
    from botocore.config import Config

    return _session().client(
        service,
        region_name=region,
        endpoint_url=endpoint,
        aws_access_key_id="lab",
        aws_secret_access_key="lab",  # noqa: S106 - moto takes any
        config=Config(
            retries={"total_max_attempts": 1},
            s3={"addressing_style": "path"},
            proxies={},
            connect_timeout=5,
            read_timeout=60,
        ),
    )


@dataclass(frozen=True)
class Cloud:
    """A region."""

    around: Surroundings
    region: str
    default_tags: Mapping[str, str] = field(default_factory=dict)
    _types: dict[str, dict[str, Any]] = field(default_factory=dict)
    memory: dict[tuple[str, ...], Any] = field(default_factory=dict)
    """What never changes once it exists (launch template versions)."""

    @property
    def store(self) -> Store:
        """The emulator's own memory."""
        return self.around.store

    def client(self, service: str) -> Any:  # noqa: ANN401 - boto3 makes the class at run time
        """Return the service's client."""
        return _client(self.around.endpoint, self.region, service)

    def input_shape(self, service: str, operation: str) -> "Shape":
        """Return what the service's model says of an operation's request."""
        shape: Shape = self.client(service).meta.service_model.operation_model(operation).input_shape
        return shape

    @cached_property
    def account(self) -> str:
        """The account that moto plays."""
        identity: str = self.client("sts").get_caller_identity()["Account"]
        return identity

    def arn(self, service: str, resource: str) -> str:
        """Return the name of a resource of this account and region."""
        return f"arn:aws:{service}:{self.region}:{self.account}:{resource}"

    def instance_type(self, name: str) -> dict[str, Any]:
        """Return what EC2 DescribeInstanceTypes says of a type (moto carries the capture of the real answer).

        Raises:
            Refused: when EC2 knows no such type.
        """
        if name not in self._types:
            from botocore.exceptions import ClientError

            try:
                answer = self.client("ec2").describe_instance_types(InstanceTypes=[name])["InstanceTypes"]
            except ClientError as error:
                message = f"{error.response['Error']['Code']}: {error.response['Error']['Message']}"
                raise Refused(message) from None
            self._types[name] = answer[0]
        return self._types[name]
