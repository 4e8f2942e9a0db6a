"""The repository's own sources, as the meta tests look at them."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
CODE = ("components", "policies", "lab/gpulanes_lab", "stacks")


def python_files(*folders: str) -> list[Path]:
    """Every Python file below the folders (default: the code), sorted."""
    return sorted(file for folder in folders or CODE for file in (ROOT / folder).rglob("*.py"))


def text_files() -> list[Path]:
    """Every text file that git tracks or would track, without generated tables."""
    suffixes = {".py", ".md", ".toml", ".yaml", ".yml", ".txt", ".json", ".csv", ".go", ".mod", ".sh", ""}
    skipped = {".git", ".venv", "dist", "build", "node_modules"}
    return sorted(
        file
        for file in ROOT.rglob("*")
        if file.is_file()
        and file.suffix in suffixes
        and not skipped & set(file.relative_to(ROOT).parts)
        and not any(part.endswith("_cache") or part == "__pycache__" for part in file.relative_to(ROOT).parts)
    )


def functions(file: Path) -> Iterator[tuple[str, int]]:
    """Name and number of lines (signature and docstring included) of every function in a file."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function's body without its docstring."""
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def function_bodies(file: Path) -> Iterator[tuple[str, int]]:
    """Name and number of body lines of every function in a file."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, body_lines(node)
