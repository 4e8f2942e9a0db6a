"""The environment of every command that runs in the lab: nothing in it can lead to a real account or cluster."""

import base64
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from gpulanes_lab.record import Home, Record

# The process of a lab is known by this variable's value, the lab's directory.
MARKER = "GPULANES_LAB_STATE"
REGION = "us-east-1"

# Everything that could choose an account, a cluster, a backend, a plugin or a way out of loopback.
_PREFIXES = ("AWS_", "PULUMI_", "GPULANES_LAB_", "GOOGLE_", "CLOUDSDK_", "AZURE_", "ARM_", "HELM_")
_NAMES = frozenset({"KUBECONFIG", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "FTP_PROXY", "NO_PROXY"})


def scrubbed(environ: Mapping[str, str]) -> list[str]:
    """The variables that a lab command must not inherit, sorted."""
    return sorted(name for name in environ if name.startswith(_PREFIXES) or name.upper() in _NAMES)


def own_variables(home: Home, record: Record, path: str) -> dict[str, str]:
    """The variables that the lab sets, given the PATH to put its own programs in front of."""
    certificate = home.credentials.api_certificate.read_bytes()
    return {
        "PATH": os.pathsep.join([str(home.bin), str(Path(sys.executable).parent), path]),
        "PULUMI_BACKEND_URL": f"file://{home.backend}",
        "PULUMI_HOME": str(home.pulumi_home),
        "PULUMI_CONFIG_PASSPHRASE": "",
        "PULUMI_IGNORE_AMBIENT_PLUGINS": "true",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        "PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS": "true",
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        "AWS_ENDPOINT_URL": record.ports.aws_endpoint,
        "AWS_ACCESS_KEY_ID": "lab",
        "AWS_SECRET_ACCESS_KEY": "lab",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": str(home.directory / "aws-config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(home.directory / "aws-credentials"),
        "KUBECONFIG": str(home.credentials.kubeconfig),
        MARKER: str(home.directory),
        "GPULANES_LAB_KUBE_ENDPOINT": record.ports.kube_endpoint,
        "GPULANES_LAB_KUBE_CA": base64.b64encode(certificate).decode(),
    }


def lab_environment(home: Home, record: Record, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """A whole environment for a lab command, made from the caller's."""
    unwanted = set(scrubbed(environ))
    kept = {name: value for name, value in environ.items() if name not in unwanted}
    return kept | own_variables(home, record, environ.get("PATH", os.defpath))


def server_environment(home: Home, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What the lab's own servers get: where programs are, and the lab they belong to; no credentials, no proxies."""
    kept = {name: environ[name] for name in ("PATH", "LANG", "PYTHONPATH", "TMPDIR") if name in environ}
    return kept | {MARKER: str(home.directory), "HOME": str(home.directory), "PYTHONDONTWRITEBYTECODE": "1"}
