"""Guarded fields set by hand. Rendered exactly as written, reported in the plan, judged by the rules."""

from typing import Annotated, Literal

from pydantic import Field

from gpulanes.spec.base import Model
from gpulanes.spec.text import AmiType, GoDuration, LabelKey, LabelValue


class TaintSpec(Model):
    """A taint, effect in Kubernetes spelling."""

    key: LabelKey
    """The taint's key."""
    value: LabelValue = ""
    """The taint's value."""
    effect: Literal["NoSchedule", "PreferNoSchedule", "NoExecute"] = "NoSchedule"
    """What happens to pods that do not tolerate it."""


class Overrides(Model):
    """What the planner would decide, decided by hand. What is left out stays the planner's.

    ``gpu_limit: false`` renders no upper bound; ``pod_disruption_budget: false`` renders none.
    """

    labels: Annotated[dict[LabelKey, LabelValue], Field(max_length=40)] | None = None
    """All node labels, instead of the lane's."""
    taints: Annotated[list[TaintSpec], Field(max_length=20)] | None = None
    """All node taints, instead of the lane's."""
    ami_type: AmiType | None = None
    """The node image's type."""
    consolidation_policy: Literal["WhenEmpty", "WhenEmptyOrUnderutilized"] | None = None
    """When Karpenter may remove a node to save money."""
    consolidate_after: GoDuration | None = None
    """How long a node must qualify before Karpenter removes it."""
    expire_after: GoDuration | None = None
    """The age at which Karpenter replaces a node."""
    priority: Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)] | None = None
    """Value of the workload's PriorityClass."""
    pod_disruption_budget: bool | None = None
    """Whether a PodDisruptionBudget guards the workload."""
    gpu_limit: bool | None = None
    """Whether the pool has an upper bound."""
