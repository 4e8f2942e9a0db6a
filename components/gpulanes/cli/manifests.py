"""Reads Kubernetes manifests: several YAML documents in a file, each with the line where it begins."""

from collections.abc import Hashable, Iterator, Mapping

import yaml
from yaml.constructor import ConstructorError

from gpulanes.errors import GpulanesError, Problem
from gpulanes.facts import Manifest

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser where PyYAML was built with it: six times faster on the same grammar."""


class ManifestLoader(Loader):  # type: ignore[misc,valid-type] # one of two classes, chosen by what is installed
    """YAML as an API server takes it: a key twice in one mapping is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:  # noqa: FBT001, FBT002 - PyYAML's signature
        """The mapping; raises ConstructorError for a repeated key."""
        self.flatten_mapping(node)
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen and isinstance(key, yaml.ScalarNode):
                raise ConstructorError(None, None, f"the key {key.value!r} stands twice in one mapping", key.start_mark)
            seen.add(str(key.value))
        mapping: dict[Hashable, object] = super().construct_mapping(node, deep=deep)
        return mapping


def _problem(file: str, line: int, reason: str, fix: str) -> GpulanesError:
    return GpulanesError([Problem("manifest-unreadable", "", "", reason, fix, file, line)])


def _refuse_aliases(text: str, file: str) -> None:
    """Raise GpulanesError for an alias: nested ones grow a small file into any size, and no renderer writes them."""
    if "&" not in text or "*" not in text:
        return
    for event in yaml.parse(text, Loader=Loader):
        if isinstance(event, yaml.AliasEvent):
            line = event.start_mark.line + 1 if event.start_mark else 0
            raise _problem(file, line, "YAML aliases are not read", "write the value out")


def _documents(text: str, file: str) -> Iterator[Manifest]:
    loader = ManifestLoader(text)
    try:
        while loader.check_node():
            node = loader.get_node()
            data = loader.construct_document(node)
            if isinstance(data, Mapping):
                yield Manifest({str(key): value for key, value in data.items()}, file, node.start_mark.line + 1)
    finally:
        loader.dispose()


def read_manifests(data: bytes, file: str) -> list[Manifest]:
    """Every mapping among the documents of a file; raises GpulanesError with the line for what is no YAML."""
    try:
        text = data.decode("utf-8-sig")
        _refuse_aliases(text, file)
        return list(_documents(text, file))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 0
        raise _problem(file, line, str(error.problem or error.context), "correct the YAML") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error).splitlines()[0]
        raise _problem(file, 0, reason, "give UTF-8 YAML as kubectl takes it") from error
