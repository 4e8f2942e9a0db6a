"""Findings for people: target by target, lane by lane, worst first; what is there, what may be there, one fix."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rich.text import Text

from gpulanes.cli.judging import Judged
from gpulanes.cli.plan_text import counted
from gpulanes.cli.targets import Target
from gpulanes.cli.terminal import styled
from gpulanes.facts import Facts
from gpulanes.kinds.pool import KINDS
from gpulanes_policies.finding import Finding, Report

SEVERITY_STYLE: Mapping[str, str] = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "cyan"}
FLEET_WIDE = "FLEET"


def lanes_of(facts: Facts) -> dict[str, str]:
    """The lane of everything that has one, by the name that findings use."""
    return (
        {pool.target: pool.kind.get_or("") for pool in facts.pools}
        | {workload.target: workload.kind.get_or("") for workload in facts.workloads}
        | {priority.target: priority.kind.get_or("") for priority in facts.priorities}
    )


def cause(finding: Finding) -> tuple[str, ...]:
    """What findings share that one edit mends, or that at least read alike."""
    return (finding.rule, finding.outcome, finding.path, finding.value, finding.limit, finding.fix)


def where(finding: Finding) -> Text:
    """The target, and its place in a file or a stack."""
    place = f"  {finding.file}{f':{finding.line}' if finding.line else ''}" if finding.file else ""
    urn = f"  {finding.urn}" if finding.urn else ""
    return styled(finding.target) + styled(f"{place}{urn}", "dim")


def cause_lines(findings: Sequence[Finding]) -> Iterator[Text]:
    """Findings of one cause: which rule, on what, what is there against what may be there, the fix."""
    first = findings[0]
    outcome = "" if first.outcome == "fail" else f" {first.outcome}"
    severity = styled(f"{first.severity}{outcome}", SEVERITY_STYLE[first.severity])
    yield styled(f"  {first.rule} ", "bold") + severity + styled("  ") + where(first)
    indent = " " * len(f"  {first.rule} {first.severity}{outcome}  ")
    yield from (styled(indent) + where(finding) for finding in findings[1:])
    yield styled(f"    {first.title}", "dim")
    path = f"{first.path}: " if first.path else ""
    yield styled(f"    {path}{first.value} → {first.limit}")
    yield styled(f"    fix: {first.fix}", "green")


def by_lane(target: Target, report: Report) -> dict[str, list[Finding]]:
    """The findings under the heading of their lane, headings in the order of the lanes."""
    lanes = lanes_of(target.facts)
    groups: dict[str, list[Finding]] = {heading: [] for heading in (*map(str.upper, KINDS), FLEET_WIDE)}
    for finding in report.findings:
        heading = lanes.get(finding.target, "").upper()
        groups[heading if heading in groups else FLEET_WIDE].append(finding)
    return {heading: findings for heading, findings in groups.items() if findings}


def summary(target: Target, report: Report) -> Text:
    """One line for a target."""
    passed = counted(sum(report.passed.values()), "check") + " passed"
    name = styled(f"{target.name}: ", "bold")
    if not report.findings:
        return name + styled("clean", "bold green") + styled(f", {passed}")
    mandatory = len(report.mandatory)
    levels = f"{mandatory} mandatory, {len(report.findings) - mandatory} advisory"
    return name + styled(counted(len(report.findings), "finding"), "bold red") + styled(f" ({levels}), {passed}")


def target_lines(target: Target, report: Report) -> Iterator[Text]:
    """Everything about one target."""
    yield summary(target, report)
    for heading, findings in by_lane(target, report).items():
        yield styled("")
        yield styled(heading, "bold")
        for _, alike in groupby(sorted(findings, key=lambda f: (*f.order[:3], *cause(f))), key=cause):
            yield from cause_lines(list(alike))


def passed_over_lines(names: Sequence[str]) -> list[Text]:
    """Which files of the folders no rule reads, so that nobody takes silence for a pass."""
    return [styled(f"{name}: not read, no rule is about it", "dim") for name in names]


def findings_text(judged: Judged) -> Text:
    """All targets."""
    blocks = [Text("\n").join(target_lines(*pair)) for pair in zip(judged.targets, judged.reports, strict=True)]
    whole = Text("\n\n").join(blocks)
    return Text("\n").join([whole, *passed_over_lines(judged.passed_over)])
