"""Makes the field tables of ``gpulanes.clouds.kube`` from the CustomResourceDefinitions they mirror.

``python tests/field_tables.py FOLDER_WITH_CRDS…`` rewrites the tables whose definitions are found in the folders;
the contract tests hold the tables equal to the definitions that the lab's API server runs.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

TABLES = Path(__file__).parents[1] / "components/gpulanes/clouds/kube/tables"
KEPT = (
    *("type", "enum", "pattern", "required", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"),
    *("x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"),
)
"""What a table keeps of a schema: the rules that need no expression language. CEL stays with the API server."""


def trimmed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the structure of a schema without prose, defaults and CEL."""
    kept: dict[str, Any] = {key: schema[key] for key in KEPT if key in schema}
    if "properties" in schema:
        kept["properties"] = {name: trimmed(field) for name, field in schema["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), Mapping):
            kept[key] = trimmed(schema[key])
    return kept


def table(definition: Mapping[str, Any], version: str) -> dict[str, Any]:
    """Return the table of one served version of a definition."""
    spec = definition["spec"]
    [served] = [item for item in spec["versions"] if item["name"] == version]
    schema = trimmed(served["schema"]["openAPIV3Schema"])
    for managed in ("apiVersion", "kind", "metadata", "status"):
        schema["properties"].pop(managed, None)
    return {"apiVersion": f"{spec['group']}/{version}", "kind": spec["names"]["kind"], "schema": schema}


def definitions(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield every CustomResourceDefinition in the YAML files of a folder."""
    for path in sorted(folder.glob("*.yaml")):
        for document in yaml.safe_load_all(path.read_text()):
            if document and document.get("kind") == "CustomResourceDefinition":
                yield document


def rewrite(folder: Path) -> None:
    """Rewrite the tables whose definitions are in ``folder``; ``source`` and ``as_of`` are a person's to edit."""
    for definition in definitions(folder):
        path = TABLES / f"{definition['spec']['names']['kind']}.json"
        if path.exists():
            before = json.loads(path.read_text())
            fresh = table(definition, before["apiVersion"].rpartition("/")[2])
            path.write_text(json.dumps({**before, **fresh}, indent=1) + "\n")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        rewrite(Path(argument))
