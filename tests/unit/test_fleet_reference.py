import re
from pathlib import Path

from gpulanes.fleet import SEMANTIC_CODES, reference_markdown, schema
from gpulanes.fleet.composition import FILE_CODES
from gpulanes.fleet.translate import FIELD_CODES

PAGE = reference_markdown()


def test_the_committed_page_is_the_generated_one() -> None:
    committed = Path(__file__).parents[2] / "docs" / "reference" / "spec.md"
    assert committed.read_text(encoding="utf-8") == PAGE


def test_the_page_has_every_field_of_the_schema() -> None:
    for model, definition in {**schema()["$defs"], "FleetSpec": schema()}.items():
        (section,) = re.findall(rf"### {model}\n.*?(?=\n##)", PAGE, re.DOTALL)
        assert re.findall(r"^\| `(\w+)` ", section, re.MULTILINE) == list(definition["properties"])


def test_the_page_has_every_code() -> None:
    constraints = set(re.findall(r"\(`([a-z-]+)`\)$", PAGE, re.MULTILINE))
    for code in [*FILE_CODES, *FIELD_CODES, *constraints, *SEMANTIC_CODES]:
        assert f"\n| `{code}` | " in PAGE


def test_the_page_shows_defaults_and_where_a_model_stands() -> None:
    assert "| `headroom` | a percentage from 0% to 100%, such as 25%, or a number from 0 to 1 | `25%` |" in PAGE
    assert "| `export` | true or false | `true` |" in PAGE
    options = "each one of on-demand, reserved, spot, capacity-block"
    assert f"| `capacity` | a list of 1 to 4 entries, {options} | `[on-demand]` |" in PAGE
    assert "At `workloads.NAME.overrides.taints[]`." in PAGE
    assert "| `slo` | a mapping: [Slo](#slo) | its own defaults |" in PAGE


def test_every_link_of_the_page_has_its_heading() -> None:
    headings = {heading.lower() for heading in re.findall(r"^### (\w+)$", PAGE, re.MULTILINE)}
    assert set(re.findall(r"\]\(#(\w+)\)", PAGE)) <= headings
