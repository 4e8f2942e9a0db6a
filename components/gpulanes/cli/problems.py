"""How problems are told: all of them, in file order, on standard error."""

from collections.abc import Sequence

from rich.text import Text

from gpulanes.cli.terminal import console, styled
from gpulanes.errors import Problem


def told(problem: Problem) -> Text:
    """Place, path and value; what is allowed; the fix."""
    place = f"{problem.file}:{problem.line}" if problem.line else problem.file
    head = " ".join(part for part in (place, problem.path) if part)
    given = f" = {problem.value}" if problem.value else ""
    return Text("\n").join(
        [
            styled(f"{head}{given}", "bold") + styled(f"  [{problem.code}]", "dim"),
            styled(f"    {problem.allowed}"),
            styled(f"    fix: {problem.fix}", "green"),
        ]
    )


def print_problems(problems: Sequence[Problem]) -> None:
    """Print every problem and, when there are several, how many."""
    out = console(error=True)
    for problem in problems:
        out.print(told(problem))
    if len(problems) > 1:
        out.print(styled(f"gpulanes: {len(problems)} problems", "bold red"))
