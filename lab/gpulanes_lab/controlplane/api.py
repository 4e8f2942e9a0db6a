"""A small client of the lab's API server: enough to apply, read and delete, always with strict field validation."""

import http.client
import json
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

FIELD_MANAGER = "gpulanes-lab"
_APPLY = "application/apply-patch+yaml"  # the server reads JSON as the YAML it is


class ApiError(Exception):
    """The API server refused a request; ``status`` is the HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        self.status = status
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Api:
    """Where the API server is and how to speak to it."""

    endpoint: str
    ca_file: Path
    token: str

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        content_type: str = "application/json",
        **query: str,
    ) -> dict[str, Any]:
        """Make one request and return the decoded answer.

        Raises:
            ApiError: the server refused it.
            OSError: the server cannot be reached.
        """
        address = urlsplit(self.endpoint)
        context = ssl.create_default_context(cafile=str(self.ca_file))
        connection = http.client.HTTPSConnection(address.netloc, context=context, timeout=30)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": content_type, "Accept": "application/json"}
        try:
            target = f"{path}?{urlencode(query)}" if query else path
            connection.request(method, target, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        return _checked(answer.status, text)

    def get(self, path: str, **query: str) -> dict[str, Any]:
        """Read an object or a list."""
        return self.request("GET", path, **query)

    def delete(self, path: str) -> dict[str, Any]:
        """Delete one object."""
        return self.request("DELETE", path)

    def apply(self, manifest: dict[str, Any], *, dry_run: bool = False) -> dict[str, Any]:
        """Apply a manifest by server-side apply; a field that the schema does not know is refused.

        Raises:
            ApiError: what the API server found wrong with it.
        """
        query = {"fieldManager": FIELD_MANAGER, "force": "true", "fieldValidation": "Strict"}
        if dry_run:
            query["dryRun"] = "All"
        return self.request("PATCH", self.path_of(manifest), manifest, _APPLY, **query)

    def path_of(self, manifest: dict[str, Any]) -> str:
        """The path of the object that a manifest describes, by the server's own discovery.

        Raises:
            ApiError: the server does not know the kind.
        """
        version, kind = manifest["apiVersion"], manifest["kind"]
        root = f"/apis/{version}" if "/" in version else f"/api/{version}"
        known = {r["kind"]: r for r in self.get(root)["resources"] if "/" not in r["name"]}
        if kind not in known:
            raise ApiError(http.HTTPStatus.NOT_FOUND, f"{version} has no kind {kind}")
        meta = manifest["metadata"]
        where = f"/namespaces/{meta.get('namespace', 'default')}" if known[kind]["namespaced"] else ""
        return f"{root}{where}/{known[kind]['name']}/{meta['name']}"


def _checked(status: int, text: str) -> dict[str, Any]:
    try:
        answer = json.loads(text) if text else {}
    except ValueError:
        answer = {"message": text}
    if status >= http.HTTPStatus.BAD_REQUEST:
        raise ApiError(status, str(answer.get("message", text)))
    found: dict[str, Any] = answer if isinstance(answer, dict) else {"message": answer}
    return found
