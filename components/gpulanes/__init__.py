"""Separate inference and training lanes for GPU clusters: intent to plan, facts to findings.

These names are pure: they need no cloud SDK. The Pulumi components are in ``gpulanes.resources``. Names are loaded
when they are first used, so that a command or a policy pays only for what it needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpulanes.errors import CatalogError, GpulanesError, PlanError, Problem, SpecError
    from gpulanes.fleet import FleetSpec, load_bytes, load_data, load_text
    from gpulanes.fleet import schema as fleet_schema
    from gpulanes.kinds.plain import to_plain
    from gpulanes.kinds.pool import Pool
    from gpulanes.plan import Explanation, Plan, explain_pool, plan_bytes
    from gpulanes.plan import plan as make_plan
    from gpulanes.sizing.sized import Sized

_HOMES = {
    "CatalogError": "gpulanes.errors:CatalogError",
    "Explanation": "gpulanes.plan:Explanation",
    "FleetSpec": "gpulanes.fleet:FleetSpec",
    "GpulanesError": "gpulanes.errors:GpulanesError",
    "Plan": "gpulanes.plan:Plan",
    "PlanError": "gpulanes.errors:PlanError",
    "Pool": "gpulanes.kinds.pool:Pool",
    "Problem": "gpulanes.errors:Problem",
    "Sized": "gpulanes.sizing.sized:Sized",
    "SpecError": "gpulanes.errors:SpecError",
    "explain_pool": "gpulanes.plan:explain_pool",
    "fleet_schema": "gpulanes.fleet:schema",
    "load_bytes": "gpulanes.fleet:load_bytes",
    "load_data": "gpulanes.fleet:load_data",
    "load_text": "gpulanes.fleet:load_text",
    "make_plan": "gpulanes.plan:plan",
    "plan_bytes": "gpulanes.plan:plan_bytes",
    "to_plain": "gpulanes.kinds.plain:to_plain",
}

__all__ = [
    "CatalogError",
    "Explanation",
    "FleetSpec",
    "GpulanesError",
    "Plan",
    "PlanError",
    "Pool",
    "Problem",
    "Sized",
    "SpecError",
    "explain_pool",
    "fleet_schema",
    "load_bytes",
    "load_data",
    "load_text",
    "make_plan",
    "plan_bytes",
    "to_plain",
]


def __getattr__(name: str) -> object:
    """Load a public name; raises AttributeError for any other."""
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    module, _, attribute = _HOMES[name].partition(":")
    value: object = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names, loaded or not."""
    return sorted({*globals(), *__all__})
