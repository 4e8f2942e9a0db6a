"""When nodes may be taken away on purpose, for each kind.

Karpenter's budgets only restrict, and the smallest of the active ones wins: a window in which
nodes *may* go is therefore written as its complement, in which none may. Expiry ignores budgets and
brings no replacement first, so no kind that serves or trains expires its nodes. Counts are absolute,
because a percentage rounds up (10 % of two nodes is one node).
"""

from gpulanes.kinds.pool import Budget, Disruption
from gpulanes.units import Duration, WeeklyWindow

VOLUNTARY = ("Drifted", "Underutilized")
NEVER = "Never"
ONE_AT_A_TIME = Budget("1", VOLUNTARY)
NONE_AT_ALL = Budget("0", VOLUNTARY)


def outside(window: WeeklyWindow) -> Budget:
    """Return the budget that holds every node from the end of ``window`` until it opens again."""
    rest = window.complement()
    return Budget("0", VOLUNTARY, schedule=rest.cron, duration=rest.duration.go())


def serving(window: WeeklyWindow | None) -> Disruption:
    """Only empty nodes go, one at a time; drifted ones in the window, or one at a time when there is none."""
    held = () if window is None else (outside(window),)
    return Disruption(
        consolidation_policy="WhenEmpty",
        consolidate_after="60m",
        budgets=(*held, ONE_AT_A_TIME, Budget("1", ("Empty",))),
        expire_after=NEVER,
    )


def training(window: WeeklyWindow | None, longest_job_seconds: float) -> Disruption:
    """Empty nodes go at once and all together; a node with a job on it is only touched in the window.

    Without a window drift waits until the cycle ends and the nodes are empty anyway. The grace
    period lets the longest job end: a drained node takes no new one meanwhile.
    """
    held = (NONE_AT_ALL,) if window is None else (outside(window), ONE_AT_A_TIME)
    return Disruption(
        consolidation_policy="WhenEmpty",
        consolidate_after="5m",
        budgets=(*held, Budget("100%", ("Empty",))),
        expire_after=NEVER,
        termination_grace_period=_whole_minutes(longest_job_seconds),
    )


def batch() -> Disruption:
    """Batch work starts again elsewhere: empty nodes go at once, others one at a time."""
    return Disruption(
        consolidation_policy="WhenEmpty",
        consolidate_after="5m",
        budgets=(ONE_AT_A_TIME, Budget("100%", ("Empty",))),
        expire_after=NEVER,
    )


def system() -> Disruption:
    """Add-ons tolerate a move: nodes are packed and renewed one at a time, within 30 days."""
    return Disruption(
        consolidation_policy="WhenEmptyOrUnderutilized",
        consolidate_after="30m",
        budgets=(Budget("1"),),
        expire_after="720h",
        termination_grace_period="1h",
    )


def _whole_minutes(seconds: float) -> str:
    if seconds <= 0:
        return ""
    return Duration(float(-(-seconds // 60) * 60)).go()
