"""The command lines of the control plane's servers, all on loopback."""

from dataclasses import dataclass
from pathlib import Path

from gpulanes_lab.controlplane.credentials import Credentials
from gpulanes_lab.toolchain.ensure import Toolchain

LOOPBACK = "127.0.0.1"
# What deleting needs: namespaces empty themselves, and the Kubernetes provider deletes in the foreground, which
# only the garbage collector ends. The others give every namespace its account and every PDB its status.
_CONTROLLERS = ("namespace", "garbage-collector", "serviceaccount", "disruption")


@dataclass(frozen=True, slots=True)
class Ports:
    """The loopback ports of one lab."""

    etcd: int
    etcd_peer: int
    kube: int
    aws: int

    @property
    def kube_endpoint(self) -> str:
        """The API server's address."""
        return f"https://{LOOPBACK}:{self.kube}"

    @property
    def aws_endpoint(self) -> str:
        """The emulated AWS API's address."""
        return f"http://{LOOPBACK}:{self.aws}"


def etcd(tools: Toolchain, ports: Ports, data: Path) -> list[str]:
    """Store of the API server; a lab's data is not worth a disk flush."""
    client, peer = f"http://{LOOPBACK}:{ports.etcd}", f"http://{LOOPBACK}:{ports.etcd_peer}"
    return [
        str(tools.binary("etcd")),
        f"--data-dir={data}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=default={peer}",
        "--unsafe-no-fsync",
        "--log-level=warn",
    ]


def kube_apiserver(tools: Toolchain, ports: Ports, credentials: Credentials) -> list[str]:
    """The API server, with RBAC and one administrator's token."""
    return [
        str(tools.binary("kubernetes", "kube-apiserver")),
        f"--etcd-servers=http://{LOOPBACK}:{ports.etcd}",
        f"--bind-address={LOOPBACK}",
        f"--advertise-address={LOOPBACK}",
        f"--secure-port={ports.kube}",
        f"--cert-dir={credentials.certificate_directory}",
        f"--service-account-key-file={credentials.service_account_key}",
        f"--service-account-signing-key-file={credentials.service_account_key}",
        f"--service-account-issuer={ports.kube_endpoint}",
        f"--token-auth-file={credentials.token_table}",
        "--authorization-mode=RBAC",
        "--service-cluster-ip-range=10.96.0.0/16",
        "--endpoint-reconciler-type=none",
        # No pod runs here, and the plugin would refuse pods until a controller made their accounts.
        "--disable-admission-plugins=ServiceAccount",
    ]


def kube_controller_manager(tools: Toolchain, credentials: Credentials) -> list[str]:
    """The controllers that deleting and status need.

    Start it after the custom resources are there: the garbage collector looks for new kinds only every 30 s, and
    until it has found a kind its objects cannot be deleted in the foreground.
    """
    return [
        str(tools.binary("kubernetes", "kube-controller-manager")),
        f"--kubeconfig={credentials.kubeconfig}",
        f"--service-account-private-key-file={credentials.service_account_key}",
        f"--controllers={','.join(f'{name}-controller' for name in _CONTROLLERS)}",
        "--leader-elect=false",
        "--secure-port=0",
    ]
