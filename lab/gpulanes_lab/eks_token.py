"""The lab's `aws`: answers `aws eks get-token` with the lab's token, and nothing else.

It runs as a script with the standard library alone (`python -IS`), because the Kubernetes provider starts it for every
connection. The first argument is the file that holds the token; the rest is what the user of `aws` wrote.
"""

import json
import os
import sys
from pathlib import Path

_DEFAULT_VERSION = "client.authentication.k8s.io/v1beta1"


def answer(token: str, exec_info: str) -> str:
    """An ExecCredential in the version that the caller asked for (KUBERNETES_EXEC_INFO)."""
    version = json.loads(exec_info).get("apiVersion", _DEFAULT_VERSION) if exec_info else _DEFAULT_VERSION
    return json.dumps({"kind": "ExecCredential", "apiVersion": version, "spec": {}, "status": {"token": token}})


def main(arguments: list[str]) -> int:
    """Print the credential; 2 for any other use."""
    token_file, *command = arguments
    words = [word for word in command if not word.startswith("-")]
    if words[:1] != ["eks"] or "get-token" not in words:
        sys.stderr.write(
            "the lab's aws answers only `aws eks get-token`; use boto3 with AWS_ENDPOINT_URL for the rest\n"
        )
        return 2
    token = Path(token_file).read_text(encoding="utf-8")
    sys.stdout.write(answer(token, os.environ.get("KUBERNETES_EXEC_INFO", "")) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
