"""``gpulanes check TARGET…``."""

from typing import Annotated

from cyclopts import Parameter

from gpulanes.cli.options import Output


def check(
    *targets: Annotated[
        str,
        Parameter(required=True, help="Fleet files, plans, previews, states, manifests, folders of them; - is stdin."),
    ],
    config: Annotated[str, Parameter(help="Levels and parameters, the file that --policy-pack-config takes.")] = "",
    output: Output = "text",
) -> int:
    """Judge targets by the rules; 0 when nothing is found, 1 when something is, whatever its level."""
    from gpulanes.cli.judging import judge_all

    judged = judge_all(targets, config)
    if output == "json":
        from gpulanes.cli.findings_json import findings_json
        from gpulanes.cli.json_output import print_json

        print_json(findings_json(judged))
    else:
        from gpulanes.cli.findings_text import findings_text
        from gpulanes.cli.terminal import console

        console().print(findings_text(judged))
    return int(any(report.findings for report in judged.reports))
