"""``gpulanes explain rule ID``."""

from typing import Annotated

from cyclopts import Parameter


def explain_rule(rule: Annotated[str, Parameter(help="A rule's id, such as CAP-01.")], /) -> int:
    """What one rule demands, why, how to fix a finding, with a good and a bad example."""
    from gpulanes.cli.rule_text import rule_text
    from gpulanes.cli.terminal import console
    from gpulanes.errors import GpulanesError, Problem
    from gpulanes_policies.engine import find_rule, load_rules

    found = find_rule(rule)
    if found is None:
        ids = ", ".join(known.id for known in load_rules())
        raise GpulanesError([Problem("rule-unknown", "ID", rule, f"the rules are {ids}", "name one of them")])
    console().print(rule_text(found))
    return 0
