"""Runs rules over facts. Pure: the same facts and configuration always give the same report."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from gpulanes.facts.model import Facts
from gpulanes.facts.unknown import Undecided
from gpulanes_policies import rules as folder
from gpulanes_policies.config import Config
from gpulanes_policies.finding import Finding, Report, fingerprint
from gpulanes_policies.rule import AnyRule, Failure, Level, Meaning, Outcome, Scope, Subject

SHOWN = 120
"""How many characters of a value a finding shows."""

CANNOT_PROVE = "a plain value: this cannot be proven at preview"


@cache
def load_rules() -> tuple[AnyRule, ...]:
    """Return every rule of the rules folder, sorted by id. A new file there is a new rule."""
    names = [info.name for info in pkgutil.iter_modules(folder.__path__)]
    found: list[AnyRule] = [importlib.import_module(f"{folder.__name__}.{name}").RULE for name in names]
    return tuple(sorted(found, key=lambda rule: rule.id))


def find_rule(rule_id: str) -> AnyRule | None:
    """Return the rule of that id or alias, in any case; None when there is none."""
    wanted = rule_id.upper()
    return next((rule for rule in load_rules() if wanted in (rule.id, *rule.aliases)), None)


def judge(
    facts: Facts,
    config: Config | None = None,
    *,
    scope: Scope | None = None,
    rules: Sequence[AnyRule] | None = None,
) -> Report:
    """Return what the rules find in ``facts``.

    ``scope`` leaves out the rules of the other scope; None runs all of them. A rule that crashes is a
    finding of that rule, and the others still run. Raises nothing.
    """
    settings = Config() if config is None else config
    run = _Run(facts, settings)
    for rule in load_rules() if rules is None else rules:
        if settings.level(rule) != "disabled" and scope in (None, rule.scope):
            run.apply(rule)
    unique = {(finding.fingerprint, finding.urn): finding for finding in reversed(run.findings)}
    return Report(sorted(unique.values(), key=lambda finding: finding.order), run.passed, run.ignored)


@dataclass(slots=True)
class _Run:
    """One judgement in the making."""

    facts: Facts
    config: Config
    findings: list[Finding] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    ignored: Counter[str] = field(default_factory=Counter)

    def apply(self, rule: AnyRule) -> None:
        """Judge every subject of one rule; a crash costs this rule one subject, not the others theirs."""
        try:
            subjects = list(rule.subjects(self.facts))
        except Exception as error:  # noqa: BLE001 - one broken rule must not hide the others
            self._crash(rule, self.facts, error)
            return
        for subject in subjects:
            try:
                self._judge(rule, subject)
            except Exception as error:  # noqa: BLE001 - one broken rule must not hide the others
                self._crash(rule, subject, error)

    def _crash(self, rule: AnyRule, subject: Subject, error: Exception) -> None:
        what = f"{type(error).__name__}: {error}"
        self._add(rule, subject, "error", Failure("", what, "a rule that runs", "report this defect of the rule"))

    def _judge(self, rule: AnyRule, subject: Subject) -> None:
        """Keep what fails before something unknown is met, and then what the unknown means."""
        before = len(self.findings)
        try:
            for failure in rule.check(subject, self.facts, self.config.parameters(rule)):
                self._add(rule, subject, "fail", failure)
        except Undecided as undecided:
            self._undecided(rule, subject, undecided)
            return
        if before == len(self.findings):
            self.passed[rule.id] += 1

    def _undecided(self, rule: AnyRule, subject: Subject, undecided: Undecided) -> None:
        meaning = meaning_of(rule, subject, undecided)
        if meaning == "ignore":
            self.ignored[rule.id] += 1
            return
        failure = Failure(undecided.path, "not found", "within sight of this check", f"put it beside {subject.target}")
        if undecided.fact is not None:
            failure = Failure(undecided.path, "unknown", CANNOT_PROVE, f"give {undecided.path} as a plain value")
        self._add(rule, subject, "unknown", failure, advise=meaning == "advise")

    def _add(
        self, rule: AnyRule, subject: Subject, outcome: Outcome, failure: Failure, *, advise: bool = False
    ) -> None:
        level: Level = "advisory" if advise else self.config.level(rule)
        self.findings.append(
            Finding(
                rule=rule.id,
                title=rule.title,
                severity=rule.severity,
                level=level,
                outcome=outcome,
                target=subject.target,
                path=failure.path,
                value=shown(failure.value),
                limit=failure.limit,
                fix=failure.fix or rule.fix,
                fingerprint=fingerprint(rule.id, subject.target, failure.path),
                urn=subject.place.urn,
                file=subject.place.file,
                line=subject.place.line,
            )
        )


def meaning_of(rule: AnyRule, subject: Subject, undecided: Undecided) -> Meaning:
    """Return what it means that a rule met an unknown: always a finding in what gpulanes itself declares."""
    if subject.origin == "declared":
        return "fail"
    read = (meaning for name, meaning in rule.reads.items() if _holds(getattr(subject, name, None), undecided.fact))
    return next(read, rule.reads.get(undecided.field or "others", "fail"))


def _holds(field: object, fact: object) -> bool:
    """Whether a field of a subject is this fact, or holds it by some name."""
    return fact is not None and (
        field is fact or (isinstance(field, Mapping) and any(f is fact for f in field.values()))
    )


def shown(value: object) -> str:
    """Return a value as a finding shows it: lists with commas, nothing as ``(none)``, long ones cut."""
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    text = " ".join(text.split()) or "(none)"
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
