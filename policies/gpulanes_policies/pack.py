"""The rules as a Pulumi policy pack: four policies, however many rules there are.

Every policy costs the engine one decoding of every resource, so that one policy per rule would make
previews slow. Levels and parameters are set for the first policy, ``gpulanes``; the others follow it.
"""

import json
from collections.abc import Callable, Mapping, Sequence

from pulumi_policy import (
    EnforcementLevel,
    Policy,
    PolicyConfigSchema,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    StackValidationArgs,
    StackValidationPolicy,
)

from gpulanes.errors import GpulanesError
from gpulanes.facts.from_pulumi import is_read
from gpulanes_policies.config import Config, config_schema, read_config
from gpulanes_policies.engine import load_rules
from gpulanes_policies.finding import Finding
from gpulanes_policies.proxies import resource_of, stack_resource
from gpulanes_policies.rule import Level
from gpulanes_policies.run import StackRun

NAME = "gpulanes"
ROOT = "pulumi:pulumi:Stack"


def message(finding: Finding) -> str:
    """Return a finding as the engine prints it: rule, pool, path, value, limit, fix."""
    verdict = {"fail": "is", "unknown": "is", "error": "crashed:"}[finding.outcome]
    return "\n".join(
        (
            f"{finding.rule} ({finding.severity}): {finding.title}",
            f"  {finding.target}: {finding.path} {verdict} {finding.value}",
            f"  allowed: {finding.limit}",
            f"  fix: {finding.fix}",
        )
    )


class Pack:
    """The four policies with the run that they share.

    The mandatory policy of a pair judges; the advisory one, which the engine asks next about the
    same resource, takes what was found for it.
    """

    def __init__(self) -> None:
        self._run = StackRun()
        self._config = Config()
        self._found: dict[str, Sequence[Finding]] = {}

    def policies(self) -> list[Policy]:
        """Return the policies, the one that carries the configuration first."""
        schema = PolicyConfigSchema(config_schema(load_rules())["properties"])
        levels: tuple[tuple[str, str, Level, EnforcementLevel], ...] = (
            ("", "Guardrails of inference and training lanes", "mandatory", EnforcementLevel.MANDATORY),
            ("-advisory", "Advice on inference and training lanes", "advisory", EnforcementLevel.ADVISORY),
        )
        resources: list[Policy] = [
            ResourceValidationPolicy(f"{NAME}{end}", about, self._validate(level), enforced, schema)
            for end, about, level, enforced in levels
        ]
        stacks: list[Policy] = [
            StackValidationPolicy(
                f"{NAME}-stack{end}", f"{about}, on the stack", self._analyze(level), enforced, schema
            )
            for end, about, level, enforced in levels
        ]
        return resources + stacks

    def _validate(self, level: Level) -> Callable[[ResourceValidationArgs, ReportViolation], None]:
        def validate(args: ResourceValidationArgs, report: ReportViolation) -> None:
            self._configured(args.get_config(), report if args.resource_type == ROOT and level == "mandatory" else None)
            if not is_read(args.resource_type):
                return

            def judged() -> Sequence[Finding]:
                return self._run.resource(resource_of(args), self._config)

            self._report(args.urn, level, judged, lambda finding: report(message(finding), None), report)

        return validate

    def _analyze(self, level: Level) -> Callable[[StackValidationArgs, ReportViolation], None]:
        def analyze(args: StackValidationArgs, report: ReportViolation) -> None:
            self._configured(args.get_config(), None)

            def judged() -> Sequence[Finding]:
                seen = [stack_resource(r) for r in args.resources if is_read(r.resource_type)]
                return self._run.stack(seen, self._config)

            self._report("", level, judged, lambda finding: report(message(finding), finding.urn or None), report)

        return analyze

    def _report(
        self,
        key: str,
        level: Level,
        judged: Callable[[], Sequence[Finding]],
        tell: Callable[[Finding], None],
        report: ReportViolation,
    ) -> None:
        """Tell the findings of one level. What goes wrong here is a violation: an exception would end the preview."""
        try:
            found = self._found.pop(key, None) if level == "advisory" else None
            findings = judged() if found is None else found
        except Exception as error:  # noqa: BLE001 - the engine must go on, and must not take silence for a pass
            report(f"the pack could not judge this: {type(error).__name__}: {error}", None)
            return
        if level == "mandatory":
            self._found[key] = findings
        for finding in findings:
            if finding.level == level:
                tell(finding)

    def _configured(self, given: Mapping[str, object] | None, report: ReportViolation | None) -> None:
        """Take the configuration of the policy that is asked, if it has one of its own."""
        if not given:
            return
        try:
            self._config = read_config(json.loads(json.dumps(given)), load_rules())
        except GpulanesError as error:
            if report is not None:
                report(f"the configuration of the pack is not understood:\n{error}", None)


def policies() -> list[Policy]:
    """Return what ``PolicyPack(NAME, …)`` takes."""
    return Pack().policies()
