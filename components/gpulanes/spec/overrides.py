"""Guarded fields set by hand. Rendered exactly as written, reported in the plan, judged by the rules."""

from typing import Annotated, Literal

from pydantic import Field

from gpulanes.spec.base import Model


class TaintSpec(Model):
    """A taint, effect in Kubernetes spelling."""

    key: Annotated[str, Field(min_length=1, max_length=63)]
    value: Annotated[str, Field(max_length=63)] = ""
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] = "NoSchedule"


class Overrides(Model):
    """What the planner would decide, decided by hand. ``None`` leaves the planner's value.

    ``gpu_limit: false`` renders no upper bound; ``pod_disruption_budget: false`` renders none.
    """

    labels: dict[str, str] | None = None
    taints: list[TaintSpec] | None = None
    ami_type: str | None = None
    consolidation_policy: Literal["WhenEmpty", "WhenEmptyOrUnderutilized"] | None = None
    consolidate_after: Annotated[str, Field(pattern=r"^(([0-9]+(s|m|h))+|Never)$")] | None = None
    expire_after: Annotated[str, Field(pattern=r"^(([0-9]+(s|m|h))+|Never)$")] | None = None
    priority: Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)] | None = None
    pod_disruption_budget: bool | None = None
    gpu_limit: bool | None = None
