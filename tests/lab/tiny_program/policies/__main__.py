"""A pack with one mandatory rule."""

from pulumi_policy import (
    EnforcementLevel,
    PolicyPack,
    ReportViolation,
    ResourceValidationArgs,
    ResourceValidationPolicy,
)

HIGHEST = 5000


def low(args: ResourceValidationArgs, report: ReportViolation) -> None:
    """Report a priority above the limit."""
    if args.resource_type.endswith(":PriorityClass") and args.props["value"] > HIGHEST:
        report(f"value {args.props['value']:.0f} is above {HIGHEST}", None)


PolicyPack("tiny", [ResourceValidationPolicy("low", "Priorities stay low.", low, EnforcementLevel.MANDATORY)])
