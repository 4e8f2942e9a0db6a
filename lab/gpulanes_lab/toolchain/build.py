"""Making one tool: building packages from its pinned module, or taking files out of checked modules."""

import json
import shutil
import tempfile
from pathlib import Path

from gpulanes_lab.errors import LabError
from gpulanes_lab.toolchain import crds
from gpulanes_lab.toolchain.golang import find_go, required_version, run_go
from gpulanes_lab.toolchain.table import TOOLS_DIR, Source, Tool


def go_for(tool: Tool, path: str | None = None) -> str:
    """Find the Go that this tool needs (LabError when there is none)."""
    go_mod = TOOLS_DIR / tool.name / "go.mod"
    # Reading a module's files needs no more than module mode with checksums.
    least = required_version(go_mod.read_text(encoding="utf-8")) if go_mod.exists() else (1, 21, 0)
    return find_go(least, f"{tool.name} {tool.version}", path)


def make(tool: Tool, target: Path) -> None:
    """Fill ``target`` with the tool.

    Raises:
        LabError: Go is missing or too old, or a build failed.
    """
    go = go_for(tool)
    with tempfile.TemporaryDirectory(prefix="gpulanes-build-") as scratch:
        if tool.sources:
            _take(go, tool, Path(scratch), target)
        else:
            _build(go, tool, Path(scratch), target)


def _build(go: str, tool: Tool, scratch: Path, target: Path) -> None:
    """Build in a copy of the module's directory: the source tree is never written."""
    module = scratch / tool.name
    shutil.copytree(TOOLS_DIR / tool.name, module)
    if tool.embed:
        run_go(go, ["mod", "download", tool.module], module)
        home = Path(run_go(go, ["list", "-m", "-f", "{{.Dir}}", tool.module], module).strip())
        for name in tool.embed:
            shutil.copyfile(home / name, module / Path(name).name)
    ldflags = " ".join(["-s", "-w", *(flag.format(version=tool.version) for flag in tool.ldflags)])
    for output, package in _grouped(tool, target):
        arguments = ["build", "-trimpath", "-buildvcs=false", "-tags", ",".join(tool.tags), "-ldflags", ldflags]
        run_go(go, [*arguments, "-o", output, *package], module)


def _grouped(tool: Tool, target: Path) -> list[tuple[str, list[str]]]:
    """Packages whose binaries are named after them go into one build, which compiles what they share once."""
    same = [package for name, package in tool.packages if package.rsplit("/", 1)[-1] == name]
    other = [(str(target / name), [package]) for name, package in tool.packages if package not in same]
    return ([(f"{target}/", same)] if same else []) + other


def _take(go: str, tool: Tool, scratch: Path, target: Path) -> None:
    """Copy files out of modules, or make the definitions out of them."""
    files = [file for source in tool.sources for file in _source_files(go, source, scratch)]
    if tool.name == "crds":
        crds.write(files, target / crds.CRDS_FILE)
        return
    for file in files:
        (target / file.name).write_bytes(file.read_bytes())


def _source_files(go: str, source: Source, scratch: Path) -> list[Path]:
    wanted = f"{source.module}@{source.version}"
    found = json.loads(run_go(go, ["mod", "download", "-json", wanted], scratch))
    if found["Sum"] != source.sum:
        message = f"{wanted} is not what was pinned: its sum is {found['Sum']}, expected {source.sum}"
        raise LabError(message)
    files = sorted(Path(found["Dir"]).glob(source.files))
    if not files:
        message = f"{wanted} has no {source.files}"
        raise LabError(message)
    return files
