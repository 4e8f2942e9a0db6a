"""Findings for programs."""

from gpulanes.cli.judging import Judged
from gpulanes.kinds.plain import Plain
from gpulanes_policies.report import to_dict


def findings_json(judged: Judged) -> dict[str, Plain]:
    """One object: every target with its findings and counts, and how many findings there are in all."""
    pairs = zip(judged.targets, judged.reports, strict=True)
    return {
        "findings": sum(len(report.findings) for report in judged.reports),
        "targets": [{"target": target.name, **to_dict(report)} for target, report in pairs],
        "not_read": list(judged.passed_over),
    }
