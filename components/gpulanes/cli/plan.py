"""``gpulanes plan FILE``."""

from gpulanes.cli.options import FleetFile, Output


def plan(file: FleetFile, /, *, output: Output = "text") -> int:
    """Size a fleet file and show what would be created, lane by lane."""
    from gpulanes.cli.planning import plan_file

    planned = plan_file(file)
    if output == "json":
        from gpulanes.cli.json_output import print_json
        from gpulanes.kinds.plain import to_plain

        print_json(to_plain(planned))
    else:
        from gpulanes.cli.plan_text import plan_text
        from gpulanes.cli.terminal import console

        console().print(plan_text(planned))
    return 0
