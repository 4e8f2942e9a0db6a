"""What must hold of every module that renders: no decision and no resource inside apply, and tokens that exist."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pulumi_aws
import pulumi_kubernetes
import pytest

from builders_resources import plan
from programs_resources import with_cluster
from recording import record

RENDERING = ("components/gpulanes/clouds", "components/gpulanes/resources", "stacks")


def modules(repository: Path) -> list[Path]:
    return sorted(file for folder in RENDERING for file in (repository / folder).rglob("*.py"))


def applied(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield every callback of an apply: a lambda, or the function of that name in the module."""
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "apply":
            for argument in call.args:
                if isinstance(argument, ast.Name) and argument.id in functions:
                    yield from (node for node in ast.walk(functions[argument.id]) if isinstance(node, ast.expr))
                yield argument


def test_no_resource_is_made_inside_an_apply(repository: Path) -> None:
    made = [
        f"{file.relative_to(repository)}:{node.lineno}"
        for file in modules(repository)
        for callback in applied(ast.parse(file.read_text(encoding="utf-8")))
        for node in ast.walk(callback)
        if isinstance(node, ast.keyword) and node.arg == "opts"
    ]
    assert made == []


def test_the_lint_would_find_one() -> None:
    source = "def f(v):\n    return Bucket('b', opts=None)\nx.apply(f)\ny.apply(lambda v: Bucket('b', opts=None))\n"
    found = [n for c in applied(ast.parse(source)) for n in ast.walk(c) if isinstance(n, ast.keyword)]
    assert len(found) >= 2


def test_every_rendered_token_is_the_sdks_own() -> None:
    for item in record(with_cluster(plan())):
        package, module, name = item.type.split(":")
        if package == "aws":
            folder = module.partition("/")[0]
            assert getattr(import_module(f"{pulumi_aws.__name__}.{folder}"), name).pulumi_type == item.type


@pytest.mark.parametrize(
    ("folder", "kind"),
    [("core.v1", "Namespace"), ("policy.v1", "PodDisruptionBudget"), ("scheduling.v1", "PriorityClass")],
)
def test_the_tables_of_built_in_kinds_have_the_sdks_fields(folder: str, kind: str) -> None:
    from gpulanes.clouds.kube.fields import table  # noqa: PLC0415 - beside what it is compared with

    module = import_module(f"{pulumi_kubernetes.__name__}.{folder}")
    managed = {"api_version", "kind", "metadata"}
    own = {name for name in vars(getattr(module, f"{kind}InitArgs")) if not name.startswith("_")} - managed
    assert {_snake(name) for name in table(kind)["schema"]["properties"]} == own
    spec = getattr(module, f"{kind}SpecArgs", None)
    if spec is not None:
        fields = {name for name in vars(spec) if not name.startswith("_")}
        assert {_snake(name) for name in table(kind)["schema"]["properties"]["spec"]["properties"]} == fields


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
