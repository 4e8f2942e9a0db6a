"""Names and imports: no drawers, no relative imports, and a core that knows no clock."""

import ast

from source_tree import ROOT, python_files

DRAWERS = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "core", "misc"}
CLOCKS = {"now", "today", "utcnow"}
PURE = [
    f"components/gpulanes/{name}" for name in ("units", "spec", "catalog", "sizing", "kinds", "fleet", "plan", "facts")
]


def test_no_module_is_a_drawer_for_anything() -> None:
    named = {str(f.relative_to(ROOT)) for f in python_files() if {f.stem, *f.relative_to(ROOT).parts} & DRAWERS}
    assert named == set()


def test_the_pure_core_asks_no_clock() -> None:
    asked = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in python_files(*PURE)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in CLOCKS
    ]
    assert asked == []


def test_component_modules_keep_their_annotations_as_objects() -> None:
    """The component host reads annotations; postponed ones reach it as strings and break it."""
    postponed = [
        str(file.relative_to(ROOT))
        for file in python_files("components/gpulanes/resources")
        if "from __future__ import annotations" in file.read_text(encoding="utf-8")
    ]
    assert postponed == []


def test_every_package_says_what_it_is_for() -> None:
    silent = [
        str(file.relative_to(ROOT))
        for file in python_files("components/gpulanes", "policies/gpulanes_policies", "lab/gpulanes_lab")
        if not ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    ]
    assert silent == []
