"""Findings as data for programs, and the rules as a reference for people."""

from collections.abc import Mapping

from gpulanes.kinds.plain import Plain
from gpulanes_policies.engine import load_rules
from gpulanes_policies.finding import Finding, Report
from gpulanes_policies.rule import AnyRule


def to_dict(report: Report) -> dict[str, Plain]:
    """Return a report as JSON-able data: findings in order, and the counts by rule."""
    return {
        "findings": [finding_to_dict(finding) for finding in report.findings],
        "mandatory": len(report.mandatory),
        "advisory": len(report.findings) - len(report.mandatory),
        "passed": _counts(report.passed),
        "ignored": _counts(report.ignored),
    }


def _counts(counts: Mapping[str, int]) -> dict[str, Plain]:
    return {rule: counts[rule] for rule in sorted(counts) if counts[rule]}


def finding_to_dict(finding: Finding) -> dict[str, Plain]:
    """Return one finding; places that are not known are left out."""
    whole: dict[str, Plain] = {
        "rule": finding.rule,
        "title": finding.title,
        "severity": finding.severity,
        "level": finding.level,
        "outcome": finding.outcome,
        "target": finding.target,
        "path": finding.path,
        "value": finding.value,
        "limit": finding.limit,
        "fix": finding.fix,
        "fingerprint": finding.fingerprint,
    }
    place: dict[str, Plain] = {"urn": finding.urn, "file": finding.file, "line": finding.line}
    return {**whole, **{key: value for key, value in place.items() if value}}


def reference_markdown() -> str:
    """Return the reference page of all rules, made from the rules themselves."""
    rules = load_rules()
    rows = [f"| [{rule.id}](#{rule.id.lower()}) | {rule.severity} | {rule.scope} | {rule.title} |" for rule in rules]
    sections = [line for rule in rules for line in _section(rule)]
    return "\n".join([*_HEAD.splitlines(), *rows, "", *sections]).rstrip() + "\n"


_HEAD = """# Rules

Made from the rules themselves; do not edit.

A finding is mandatory or advisory by its severity and the configured `environment`: `prod` (the default) stops on
critical and high, `staging` on critical, `dev` on nothing. Scope `resource` is decided on one resource, `stack` needs
others; on a gpulanes component every rule is decided from the component's own props, before any child exists.

A value that is not known at preview is the third outcome. For each field a rule says what it means: `fail` is a finding
at the rule's level (it cannot be proven), `advise` an advisory one, `ignore` none. What a gpulanes component declares
has to be known: there every unknown counts.

`gpulanes check --config FILE` and `pulumi preview --policy-pack policies --policy-pack-config FILE` take levels
(`mandatory`, `advisory`, `disabled`) and parameters under the name of the pack's first policy, `gpulanes`:

```json
{
  "gpulanes": {
    "environment": "staging",
    "rules": {
      "ZON-01": "mandatory",
      "SIZ-01": {"level": "advisory", "minimum_nodes": 2}
    }
  }
}
```

In the examples `like: inference NodePool` stands for a complete one with which every rule is content; what follows is
what differs in it.

| Rule | Severity | Scope | What it demands |
|---|---|---|---|
"""


def _section(rule: AnyRule) -> list[str]:
    lines = [f"## {rule.id}", "", f"**{rule.title}** ({rule.severity}, {rule.scope})", "", rule.why, ""]
    lines += [f"Fix: {rule.fix}.", "", f"Source: {rule.source}.", ""]
    if rule.parameters:
        lines += ["| Parameter | Default | |", "|---|---|---|"]
        lines += [f"| `{name}` | `{_value(p.default)}` | {p.about} |" for name, p in rule.parameters.items()]
        lines += [""]
    unknown = ", ".join(f"`{name}` {meaning}" for name, meaning in rule.reads.items())
    lines += [f"When not known: {unknown}.", ""] if unknown else []
    return [*lines, "Violates it:", "", *_code(rule.bad), "Meets it:", "", *_code(rule.good)]


def _value(value: object) -> str:
    return (", ".join(map(str, value)) or "(none)") if isinstance(value, tuple) else str(value)


def _code(text: str) -> list[str]:
    return ["```yaml", *text.strip("\n").splitlines(), "```", ""]
