"""The commands and their help. Importing this costs no command's own imports."""

from importlib.metadata import version as distribution_version

from cyclopts import App, CycloptsError

HELP = "Separate inference and training lanes for GPU clusters: plan them, and prove that neither hurts the other."

EXAMPLES = """Examples:

  gpulanes plan stacks/prod.yaml

  gpulanes check stacks/prod.yaml rendered/ -o json

  pulumi preview --json | gpulanes check -"""


def version() -> str:
    """What ``--version`` prints."""
    return f"gpulanes {distribution_version('gpulanes')}"


def usage_error(error: CycloptsError) -> str:
    """One line for what is wrong with the command line, one for where to read on."""
    name = " ".join(error.command_chain or ())
    return f"gpulanes: {error}\nTry: gpulanes {name + ' ' if name else ''}--help"


def build() -> App:
    """The application; a command's module is imported by name when the command is called or its help is asked for."""
    app = App(
        name="gpulanes",
        help=HELP,
        help_epilogue=EXAMPLES,
        help_format="plaintext",
        version=version,
        print_error=False,
        exit_on_error=False,
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    app.command(
        "gpulanes.cli.plan:plan",
        name="plan",
        help="Size a fleet file and show what would be created, lane by lane.",
        help_epilogue="Example:  gpulanes plan stacks/prod.yaml -o json",
    )
    app.command(
        "gpulanes.cli.check:check",
        name="check",
        help="Judge fleet files, plans, previews, states and manifests by the rules.",
        help_epilogue="Example:  gpulanes check stacks/prod.yaml rendered/ -o json",
    )
    explain = App(name="explain", help="Say why: the numbers behind a pool, or what a rule is for.")
    explain.command(
        "gpulanes.cli.explain_pool:explain_pool",
        name="pool",
        help="Every number of one pool with its formula, and the selector and tolerations to paste.",
        help_epilogue="Example:  gpulanes explain pool chat stacks/prod.yaml",
    )
    explain.command(
        "gpulanes.cli.explain_rule:explain_rule",
        name="rule",
        help="What one rule demands, why, how to fix a finding, with a good and a bad example.",
        help_epilogue="Example:  gpulanes explain rule CAP-01",
    )
    app.command(explain)
    app.command(
        "gpulanes.cli.schema:schema",
        name="schema",
        help="Print the JSON Schema of the fleet file, for editors and CI.",
        help_epilogue="Example:  gpulanes schema > fleet.schema.json",
    )
    return app
