"""Logical names are a contract: a change of one replaces what users run, unless an alias goes with it."""

from pathlib import Path

from gpulanes.fleet import load_bytes
from gpulanes.plan import plan
from programs_resources import with_cluster
from recording import record

GOLDEN = Path(__file__).with_name("identities.txt")


def test_the_identities_of_the_production_stack_are_the_golden_ones(repository: Path, *, update_golden: bool) -> None:
    decided = plan(load_bytes((repository / "stacks/prod.yaml").read_bytes()))
    found = record(with_cluster(decided), preview=True)
    lines = sorted(f"{item.urn.split('::', 2)[2]}" for item in found)
    text = "\n".join(lines) + "\n"
    if update_golden:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
