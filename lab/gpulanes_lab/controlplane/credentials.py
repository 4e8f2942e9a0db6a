"""Keys and tokens of one control plane: made fresh for each lab, readable by its owner only."""

import json
import secrets
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

_ADMIN_GROUP = "system:masters"


@dataclass(frozen=True, slots=True)
class Credentials:
    """Files of the control plane's directory; ``api_certificate`` is written by the API server itself."""

    directory: Path

    @property
    def service_account_key(self) -> Path:
        """Signs the tokens of service accounts."""
        return self.directory / "service-account.key"

    @property
    def token_table(self) -> Path:
        """The API server's `--token-auth-file`."""
        return self.directory / "tokens.csv"

    @property
    def token_file(self) -> Path:
        """The administrator's token alone, for whoever has to present it."""
        return self.directory / "token"

    @property
    def certificate_directory(self) -> Path:
        """Where the API server puts its certificate."""
        return self.directory / "certificates"

    @property
    def api_certificate(self) -> Path:
        """The API server's certificate with the authority that signed it."""
        return self.certificate_directory / "apiserver.crt"

    @property
    def kubeconfig(self) -> Path:
        """For kube-controller-manager, and for a user's own tools."""
        return self.directory / "kubeconfig"

    def token(self) -> str:
        """The administrator's token."""
        return self.token_file.read_text(encoding="utf-8")


def make_credentials(directory: Path) -> Credentials:
    """Write a new key and a new token into ``directory``."""
    made = Credentials(directory)
    made.certificate_directory.mkdir(parents=True)
    directory.chmod(0o700)
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    made.service_account_key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        )
    )
    token = secrets.token_urlsafe(24)
    made.token_file.write_text(token, encoding="utf-8")
    made.token_table.write_text(f"{token},lab-admin,lab-admin,{_ADMIN_GROUP}\n", encoding="utf-8")
    return made


def write_kubeconfig(credentials: Credentials, endpoint: str) -> None:
    """Write a kubeconfig (JSON, which is YAML) for the lab's administrator."""
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [
            {
                "name": "lab",
                "cluster": {"server": endpoint, "certificate-authority": str(credentials.api_certificate)},
            }
        ],
        "users": [{"name": "lab-admin", "user": {"token": credentials.token()}}],
        "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "lab-admin"}}],
        "current-context": "lab",
    }
    credentials.kubeconfig.write_text(json.dumps(config, indent=2), encoding="utf-8")
    credentials.kubeconfig.chmod(0o600)
