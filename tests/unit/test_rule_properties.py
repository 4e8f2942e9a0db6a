"""What holds for every rule on every input: unknowns never crash, and never turn a failure into a pass."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from builders_facts import CASES, manifest_documents, plan_document, pulumi_resources, read_yaml
from gpulanes.facts import UNKNOWN, Facts, Manifest, from_manifests, from_plan, from_pulumi
from gpulanes_policies.engine import judge
from gpulanes_policies.finding import Finding

FILES = sorted(file for file in CASES.glob("*/*.yaml") if "shows: fail" in file.read_text(encoding="utf-8"))
Path = tuple[str | int, ...]


def paths(value: Any, above: Path = ()) -> Iterator[Path]:  # noqa: ANN401 - a document
    """Yield the path of every value in a document, but not of the document itself."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*above, key)
        yield from paths(item, (*above, key))


def with_unknown(value: Any, path: Path) -> Any:  # noqa: ANN401 - a document
    """Return a copy in which the value at ``path`` is not known."""
    if not path:
        return UNKNOWN
    key, *rest = path
    copied: Any = dict(value) if isinstance(value, Mapping) else list(value)
    copied[key] = with_unknown(value[key], tuple(rest))
    return copied


def native(document: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return a case's input with every base filled in, and what reads facts from it."""
    if "plan" in document:
        return plan_document(document["plan"]), from_plan
    if "manifests" in document:
        return manifest_documents(document["manifests"]), manifests
    resources = pulumi_resources(document["pulumi"])

    def read(props: list[Any]) -> Facts:
        changed = [replace(r, props=p) for r, p in zip(resources, props, strict=True)]
        return from_pulumi(changed, whole=document.get("whole", True))

    return [resource.props for resource in resources], read


def manifests(documents: list[Any]) -> Facts:
    return from_manifests([Manifest(document) for document in documents])


def always_known(path: Path, data: Any) -> bool:  # noqa: ANN401 - a document
    """Whether the engine knows a value before all others, or the key is what counts: that of a tag."""
    there = len(path) == 1 and not isinstance(data, Mapping)
    return there or (path[-1] in ("apiVersion", "kind") and len(path) == 2) or path[-2:-1] == ("tags",)


def far(path: Path, data: Any, failures: Sequence[Finding]) -> bool:  # noqa: ANN401 - a document
    """Whether a path lies inside a pool or a workload of a plan that no failure is about."""
    if not isinstance(data, Mapping) or len(path) <= 2 or path[0] not in ("pools", "workloads"):
        return False
    thing = data[path[0]][path[1]]
    names = {failure.target.partition(" ")[2] for failure in failures}
    return names.isdisjoint({thing["name"], *thing.get("workloads", ())})


@pytest.mark.parametrize("file", FILES, ids=[f"{f.parent.name}/{f.stem}" for f in FILES])
def test_an_unknown_anywhere_never_crashes_and_never_turns_a_failure_into_a_pass(file: Any) -> None:  # noqa: ANN401
    data, read = native(read_yaml(file.read_text(encoding="utf-8")))
    failures = [f for f in judge(read(data)).findings if f.outcome == "fail"]
    failed = {f.rule for f in failures}
    for path in paths(data):
        if always_known(path, data) or far(path, data, failures):
            continue
        findings = judge(read(with_unknown(data, path))).findings
        assert [f for f in findings if f.outcome == "error"] == []
        found = {finding.rule for finding in findings}
        assert failed <= found or "unknown" in {f.outcome for f in findings}, path
