"""What the rules found: findings, and what passed."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gpulanes_policies.rule import SEVERITIES, Level, Outcome, Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule on one subject: what is where, what is allowed, and one fix.

    ``fingerprint`` stays the same while rule, target and path do, whatever the value becomes.
    """

    rule: str
    title: str
    severity: Severity
    level: Level
    outcome: Outcome
    target: str
    path: str
    value: str
    limit: str
    fix: str
    fingerprint: str
    urn: str = ""
    file: str = ""
    line: int = 0

    @property
    def order(self) -> tuple[bool, int, str, str, str, str]:
        """Mandatory first, then by severity, rule, target and path."""
        return (
            self.level != "mandatory",
            SEVERITIES.index(self.severity),
            self.rule,
            self.target,
            self.path,
            self.urn,
        )


def fingerprint(rule: str, target: str, path: str) -> str:
    """Return sha256 over rule, target and path, in hexadecimal."""
    return hashlib.sha256(f"{rule}\0{target}\0{path}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Report:
    """All findings in order, how many subjects each rule passed, and on how many it ignored an unknown."""

    findings: Sequence[Finding] = ()
    passed: Mapping[str, int] = field(default_factory=dict)
    ignored: Mapping[str, int] = field(default_factory=dict)

    @property
    def mandatory(self) -> Sequence[Finding]:
        """The findings that stop a deployment."""
        return [finding for finding in self.findings if finding.level == "mandatory"]
