"""From the documents of cases and rule examples to facts."""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from gpulanes.facts import (
    UNKNOWN,
    Facts,
    Manifest,
    PulumiResource,
    from_manifests,
    from_plan,
    from_preview,
    from_pulumi,
)
from gpulanes.facts.aws import LAUNCH_TEMPLATE, LUSTRE, SUBNET
from gpulanes.kinds.plain import camel

CASES = Path(__file__).parent / "cases"
ROOT_URN = "urn:pulumi:test::gpulanes::"

Document = dict[str, Any]


class CaseLoader(yaml.SafeLoader):
    """YAML with ``!unknown`` for a value that is not known at preview."""


CaseLoader.add_constructor("!unknown", lambda _loader, _node: UNKNOWN)


def read_yaml(text: str) -> Any:  # noqa: ANN401 - a document
    """Return a case's document."""
    return yaml.load(text, CaseLoader)  # noqa: S506 - a SafeLoader with one more scalar


@cache
def _bases() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = read_yaml((CASES / "bases.yaml").read_text(encoding="utf-8"))
    return loaded


def base(name: str) -> Document:
    """Return a copy of a document with which every rule is content."""
    copied: Document = deepcopy(_bases()[name])
    return copied


def merged(under: Any, over: Any) -> Any:  # noqa: ANN401 - documents
    """Return ``over`` laid on ``under``: mappings merge, null removes, all else replaces."""
    if not isinstance(under, Mapping) or not isinstance(over, Mapping):
        return over
    joined = dict(under)
    for key, value in over.items():
        if value is None:
            joined.pop(key, None)
        else:
            joined[key] = merged(joined.get(key, {} if isinstance(value, Mapping) else None), value)
    return joined


def plan_document(changed: Mapping[str, Any]) -> Document:
    """Return a plain plan: the fleet of the bases with ``changed`` laid on it; named things become lists."""
    whole: Document = merged(base("fleet"), changed)
    for key in ("pools", "workloads", "priorities"):
        things = whole.get(key)
        if isinstance(things, Mapping):
            whole[key] = [thing if thing is UNKNOWN else {"name": name, **thing} for name, thing in things.items()]
    return whole


def camelized(value: Any) -> Any:  # noqa: ANN401 - a document
    """Return a plain plan with camelCase field names, as components pass it; labels and tags have no underscores."""
    if isinstance(value, Mapping):
        return {camel(key): camelized(item) for key, item in value.items()}
    return [camelized(item) for item in value] if isinstance(value, list) else value


def manifest_documents(entries: list[Document]) -> list[Document]:
    """Return manifests, each laid on the base it is like."""
    return [_liked(entry) for entry in entries]


def _liked(entry: Document) -> Document:
    own = {key: value for key, value in entry.items() if key != "like"}
    found: Document = merged(base(entry["like"]), own) if "like" in entry else own
    return found


def pulumi_resources(entries: list[Document]) -> list[PulumiResource]:
    """Return resources, with the subnets and the companions that they need."""
    whole = [_liked(entry) for entry in entries]
    names = {(item["token"], item["name"]) for item in whole}
    companions = [base(name) for item in whole for name in item.get("companions", ())]
    whole += [item for item in companions if (item["token"], item["name"]) not in names]
    made = [resource for item in whole for resource in _subnets(item)]
    urns = {item["name"]: urn_of(item) for item in reversed(whole)}
    components = {item["token"].rpartition(":")[2]: urn_of(item) for item in whole}
    return [*(_resource(item, {**urns, **components}) for item in whole), *made]


def urn_of(item: Document) -> str:
    """Return the URN of an entry."""
    return f"{ROOT_URN}{item['token']}::{item['name']}"


def _subnets(item: Document) -> list[PulumiResource]:
    tags = {"environment": "test", "owner": "ml-platform", "cost-center": "4711"}
    names = {f"{item['name']}-{i}": zone for i, zone in enumerate(item.get("subnets", ()))}
    return [
        PulumiResource(SUBNET, f"{ROOT_URN}{SUBNET}::{name}", name, {"availabilityZone": zone, "tags": tags})
        for name, zone in names.items()
    ]


def _resource(item: Document, urns: Mapping[str, str]) -> PulumiResource:
    props = _liked(item.get("props", {}))
    depends: dict[str, tuple[str, ...]] = {}
    if "subnets" in item:
        depends["subnetIds"] = tuple(subnet.urn for subnet in _subnets(item))
        props["subnetIds"] = [UNKNOWN for _ in item["subnets"]]
    if "launch_template" in item:
        depends["launchTemplate"] = (f"{ROOT_URN}{LAUNCH_TEMPLATE}::{item['launch_template']}",)
        props["launchTemplate"] = {"id": UNKNOWN}
    if "file_system" in item:
        depends["fileSystemId"] = (f"{ROOT_URN}{LUSTRE}::{item['file_system']}",)
        props["fileSystemId"] = UNKNOWN
    return PulumiResource(
        token=item["token"],
        urn=urn_of(item),
        name=item["name"],
        props=merged(_component_props(item), props),
        parent=urns.get(item.get("parent", ""), ""),
        property_dependencies=depends,
        default_tags=item.get("default_tags", {}),
    )


def _component_props(item: Document) -> Document:
    plan = plan_document(item.get("plan", {}))
    kind = item["token"].rpartition(":")[2] if item["token"].startswith("gpulanes:") else ""
    if kind == "GpuFleet":
        whole: Document = camelized(plan)
        return whole
    if kind == "StorageTiers":
        return {"storage": camelized(plan["storage"])}
    if kind:
        return {"pool": camelized(next(pool for pool in plan["pools"] if pool["name"] == item["pool"]))}
    return {}


def facts_of(document: Mapping[str, Any]) -> Facts:
    """Return the facts of a case's or an example's document: one of plan, manifests, pulumi, preview."""
    if "plan" in document:
        return from_plan(plan_document(document["plan"]))
    if "manifests" in document:
        return from_manifests([Manifest(doc) for doc in manifest_documents(document["manifests"])])
    if "preview" in document:
        return from_preview(document["preview"])
    return from_pulumi(pulumi_resources(document["pulumi"]), whole=document.get("whole", True))
