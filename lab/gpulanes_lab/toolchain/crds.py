"""The CustomResourceDefinitions of Karpenter and Kueue, made ready for an API server without their controllers."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

CRDS_FILE = "crds.json"


def ready(crd: dict[str, Any]) -> dict[str, Any]:
    """Serve only the stored version, without the conversion webhook.

    Other versions need the controller's webhook to convert; served without it, the API server would silently
    drop the fields that differ. A real cluster serves them, so manifests must use the stored version.
    """
    versions = [dict(version, served=bool(version["storage"])) for version in crd["spec"]["versions"]]
    spec = {key: value for key, value in crd["spec"].items() if key != "conversion"} | {"versions": versions}
    return {key: value for key, value in crd.items() if key != "status"} | {"spec": spec}


def write(manifests: Iterable[Path], target: Path) -> None:
    """Read definitions from YAML and write them as one JSON list (JSON, because the lab reads it at every start)."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    documents = [
        document
        for path in sorted(manifests)
        for document in yaml.load_all(path.read_text(encoding="utf-8"), Loader=loader)
        if document
    ]
    target.write_text(json.dumps([ready(document) for document in documents]), encoding="utf-8")
