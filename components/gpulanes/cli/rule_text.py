"""One rule for people."""

from collections.abc import Iterator

from rich.text import Text

from gpulanes.cli.terminal import styled
from gpulanes_policies.rule import AnyRule


def example(heading: str, style: str, text: str) -> Iterator[Text]:
    """A YAML example, indented."""
    yield styled("")
    yield styled(heading, style)
    yield from (styled(f"  {line}") for line in text.strip("\n").splitlines())


def parameters(rule: AnyRule) -> Iterator[Text]:
    """What a team may set."""
    if rule.parameters:
        yield styled("")
        yield styled("Parameters", "bold")
    for name, parameter in rule.parameters.items():
        default = parameter.default
        text = ", ".join(default) if isinstance(default, tuple) else str(default)
        yield styled(f"  {name} (default {text}): {parameter.about}")


def lines(rule: AnyRule) -> Iterator[Text]:
    """The rule from title to examples."""
    yield styled(rule.id, "bold") + styled(f"  {rule.severity}, judged on one {rule.scope}", "dim")
    yield styled(rule.title, "bold")
    yield styled("")
    yield styled(rule.why)
    yield styled("")
    yield styled(f"fix: {rule.fix}", "green")
    yield styled(f"source: {rule.source}", "dim")
    yield from parameters(rule)
    yield from example("Violates it", "red", rule.bad)
    yield from example("Meets it", "green", rule.good)


def rule_text(rule: AnyRule) -> Text:
    """Everything about one rule."""
    return Text("\n").join(lines(rule))
