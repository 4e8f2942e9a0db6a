"""Options that several commands share."""

from typing import Annotated, Literal

from cyclopts import Parameter

Output = Annotated[
    Literal["text", "json"],
    Parameter(name=["--output", "-o"], help="What to print: text for people, json for programs.", show_choices=True),
]
FleetFile = Annotated[str, Parameter(help="A fleet file, or - for standard input.", negative=())]
