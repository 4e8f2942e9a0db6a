"""The plan: a fleet sized and complete, one immutable value with the arithmetic behind every number."""

from gpulanes.plan.explain import Explanation, explain_pool
from gpulanes.plan.model import Plan
from gpulanes.plan.planner import STEPS, plan, plan_bytes
from gpulanes.plan.summary import LaneRow, summary

__all__ = ["STEPS", "Explanation", "LaneRow", "Plan", "explain_pool", "plan", "plan_bytes", "summary"]
