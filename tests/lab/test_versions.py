"""The versions table and the modules that the tools are built from say the same."""

import re

import pytest

from gpulanes_lab.toolchain import load_table
from gpulanes_lab.toolchain.table import TOOLS_DIR

TABLE = load_table()
BUILT = sorted(name for name, tool in TABLE.items() if tool.packages)


def go_mod(tool: str) -> str:
    return (TOOLS_DIR / tool / "go.mod").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", BUILT)
def test_a_module_requires_exactly_the_tables_version(name: str) -> None:
    tool = TABLE[name]
    assert re.search(
        rf"^(?:require|\t)\s*{re.escape(tool.module)} {re.escape(tool.go_module_version)}\b", go_mod(name), re.MULTILINE
    )


@pytest.mark.parametrize("name", BUILT)
def test_a_module_pins_sums_and_every_package_of_the_table(name: str) -> None:
    assert (TOOLS_DIR / name / "go.sum").stat().st_size > 0
    for _, package in TABLE[name].packages:
        assert package == "." or re.search(rf"^(?:tool |\t){re.escape(package)}$", go_mod(name), re.MULTILINE)


def test_every_folder_of_tools_is_in_the_table() -> None:
    assert sorted(folder.name for folder in TOOLS_DIR.iterdir() if folder.is_dir()) == BUILT


def test_the_staging_modules_of_kubernetes_are_of_its_release() -> None:
    minor_and_patch = TABLE["kubernetes"].version.removeprefix("1.")
    replaced = re.findall(r"^\t(k8s\.io/\S+) => (\S+) (\S+)$", go_mod("kubernetes"), re.MULTILINE)
    assert len(replaced) >= 33
    assert {(old == new, version) for old, new, version in replaced} == {(True, f"v0.{minor_and_patch}")}


def test_kubernetes_is_stamped_with_its_own_version() -> None:
    tool = TABLE["kubernetes"]
    major, minor, _ = tool.version.split(".")
    assert any(flag.endswith(f".gitMajor={major}") for flag in tool.ldflags)
    assert any(flag.endswith(f".gitMinor={minor}") for flag in tool.ldflags)


def test_the_executor_is_of_the_engines_release() -> None:
    assert TABLE["pulumi-language-python-exec"].version == TABLE["pulumi"].version
    assert [source.version for source in TABLE["pulumi-language-python-exec"].sources] == [
        f"v{TABLE['pulumi'].version}"
    ]


def test_the_definitions_name_the_releases_they_come_from() -> None:
    karpenter, kueue = (source.version.removeprefix("v") for source in TABLE["crds"].sources)
    assert TABLE["crds"].version == f"karpenter-{karpenter}-kueue-{kueue}"
