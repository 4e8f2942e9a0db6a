"""How a Python program or plugin is started: which Python, and with what, by the rules of Pulumi's own host."""

import os
import shutil
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path


class UnsupportedError(Exception):
    """The stand-in cannot start this; the message says what to do."""


def python_for(root: Path, options: Mapping[str, object]) -> str:
    """The Python for a program: that of its virtual environment, else PULUMI_PYTHON_CMD, else the first on PATH.

    Raises:
        UnsupportedError: the toolchain is poetry, or there is no such Python.
    """
    toolchain = options.get("toolchain", "pip")
    if toolchain == "poetry":
        message = "the lab's language host does not run poetry; set toolchain: pip and virtualenv in the project file"
        raise UnsupportedError(message)
    virtualenv = str(options.get("virtualenv") or (".venv" if toolchain == "uv" else ""))
    if virtualenv:
        return _of_virtualenv(root, virtualenv)
    wanted = [os.environ["PULUMI_PYTHON_CMD"]] if os.environ.get("PULUMI_PYTHON_CMD") else ["python3", "python"]
    found = next(filter(None, map(shutil.which, wanted)), None)
    if found is None:
        message = f"none of {', '.join(wanted)} is on PATH"
        raise UnsupportedError(message)
    return found


def _of_virtualenv(root: Path, virtualenv: str) -> str:
    python = root / virtualenv / "bin" / "python"
    if not python.exists():
        message = f"the 'virtualenv' option is {virtualenv!r}, but {python} does not exist; make it with python -m venv"
        raise UnsupportedError(message)
    return str(python)


def plugin_command(kind: str, directory: Path, arguments: Sequence[str]) -> list[str]:
    """What to give Python to start the plugin in ``directory`` with the engine's ``arguments``.

    A package without `__main__.py` is started by its name; otherwise policy packs run under `pulumi.policy`, whose last
    argument is the pack, and everything else is a folder to run.

    Raises:
        UnsupportedError: the folder holds nothing that can be started.
    """
    if not (directory / "__main__.py").exists():
        return ["-m", "pulumi.run.plugin", _package_name(directory), *arguments]
    if kind == "analyzer":
        return ["-m", "pulumi.policy", *arguments, str(directory)]
    return [str(directory), *arguments]


def _package_name(directory: Path) -> str:
    try:
        project = tomllib.loads((directory / "pyproject.toml").read_text(encoding="utf-8"))
        return str(project["project"]["name"])
    except (FileNotFoundError, KeyError) as error:
        message = f"{directory} has neither __main__.py nor a pyproject.toml with a project name"
        raise UnsupportedError(message) from error
