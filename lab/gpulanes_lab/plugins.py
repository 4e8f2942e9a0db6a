"""Which programs the engine runs in a lab, and the refusal to run when `aws` could be another than ours.

The engine looks for a plugin in the project file, on PATH, beside its own binary, then in PULUMI_HOME
(pulumi/sdk/go/common/workspace/plugins.go, getPluginInfoAndPath). The lab's plugins lie in its own PULUMI_HOME with
PULUMI_IGNORE_AMBIENT_PLUGINS set, so PATH cannot offer another one; the remaining places are checked before a command
runs.
"""

import importlib.metadata
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import yaml

from gpulanes_lab.errors import LabError
from gpulanes_lab.record import Home
from gpulanes_lab.toolchain.ensure import Toolchain
from gpulanes_lab.toolchain.table import load_table

# Providers that could reach a real account.
GUARDED = ("aws", "gcp")


def lay_out(home: Home, tools: Toolchain) -> None:
    """Fill the lab's `bin` and PULUMI_HOME."""
    home.bin.mkdir(parents=True)
    (home.bin / "pulumi").symlink_to(tools.pulumi)
    token, this_python = home.credentials.token_file, sys.executable
    answer = Path(__file__).with_name("eks_token.py")
    _script(home.bin / "aws", [this_python, "-IS", str(answer), str(token)])
    plugins = home.pulumi_home / "plugins"
    kubernetes = _plugin(plugins, "resource", "kubernetes", importlib.metadata.version("pulumi-kubernetes"))
    kubernetes.symlink_to(tools.binary("pulumi-resource-kubernetes"))
    aws = _plugin(plugins, "resource", "aws", importlib.metadata.version("pulumi-aws"))
    _script(aws, [this_python, "-m", "gpulanes_lab.tethered", "gpulanes_lab.aws"])
    host = _plugin(plugins, "language", "python", load_table()["pulumi"].version)
    if tools.language_host:
        host.symlink_to(tools.language_host)
    else:
        executor = tools.binary("pulumi-language-python-exec")
        _script(host, [this_python, "-m", "gpulanes_lab.language_host", "--executor", str(executor)])


def _plugin(plugins: Path, kind: str, name: str, version: str) -> Path:
    directory = plugins / f"{kind}-{name}-v{version}"
    directory.mkdir(parents=True)
    return directory / f"pulumi-{kind}-{name}"


def _script(path: Path, command: list[str]) -> None:
    path.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
    path.chmod(0o755)


def refuse_foreign_plugins(home: Home, environ: Mapping[str, str], cwd: Path) -> None:
    """Check that an engine command started in ``cwd`` with ``environ`` can only load the lab's cloud providers.

    Raises:
        LabError: another plugin would serve `aws` or `gcp`; names it and says how to get rid of it.
    """
    found = [*_from_environment(home, environ), *_from_project(cwd), *_from_pulumi_home(home)]
    if found:
        listed = "\n".join(f"  {where}" for where in found)
        message = f"the lab refuses to run: a cloud provider other than its own would be used\n{listed}"
        raise LabError(message)


def _from_environment(home: Home, environ: Mapping[str, str]) -> list[str]:
    wrong = []
    if environ.get("PULUMI_HOME") != str(home.pulumi_home):
        wrong.append(f"PULUMI_HOME is {environ.get('PULUMI_HOME')!r}; the lab's is {home.pulumi_home}")
    if environ.get("PULUMI_IGNORE_AMBIENT_PLUGINS") != "true":
        wrong.append("PULUMI_IGNORE_AMBIENT_PLUGINS is not true: plugins on PATH would be preferred")
    if attached := environ.get("PULUMI_DEBUG_PROVIDERS"):
        wrong.append(f"PULUMI_DEBUG_PROVIDERS={attached} attaches to a running provider; unset it")
    return wrong


def _from_project(cwd: Path) -> list[str]:
    """Plugins that the nearest project file names; the engine prefers them to all others."""
    for directory in (cwd, *cwd.parents):
        for name in ("Pulumi.yaml", "Pulumi.yml"):
            project = directory / name
            if project.is_file():
                return _named_in(project)
    return []


def _named_in(project: Path) -> list[str]:
    document = yaml.safe_load(project.read_text(encoding="utf-8")) or {}
    providers = ((document.get("plugins") or {}).get("providers")) or []
    return [
        f"{project} names a plugin for {entry.get('name')} at {entry.get('path')}; remove it from plugins.providers"
        for entry in providers
        if entry.get("name") in GUARDED
    ]


def _from_pulumi_home(home: Home) -> list[str]:
    """Plugins that something put beside the lab's own (a newer version would be preferred)."""
    ours = f"resource-aws-v{importlib.metadata.version('pulumi-aws')}"
    plugins = home.pulumi_home / "plugins"
    return [
        f"{directory} is not the lab's plugin; remove it"
        for name in GUARDED
        for directory in sorted(plugins.glob(f"resource-{name}-v*"))
        # The engine notes beside a plugin when it was last used.
        if directory.is_dir() and directory.name != ours
    ]
