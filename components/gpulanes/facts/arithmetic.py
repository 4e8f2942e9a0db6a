"""Numbers as Kubernetes and Karpenter write and round them."""

import re

_GO_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PERCENT = re.compile(r"[0-9]+%")
_COUNT = re.compile(r"[0-9]+")

NEVER = float("inf")


def go_seconds(text: str) -> float | None:
    """Return the seconds of ``90m``, ``1h30m`` or ``Never`` (infinite); None when it is no such duration."""
    if text == "Never":
        return NEVER
    parts = _GO_DURATION.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)


def scaled_up(limit: str, of: int) -> int | None:
    """Resolve an IntOrString against ``of``; percentages round up, as the disruption controllers do.

    None when it is neither a count nor a percentage.
    """
    if _PERCENT.fullmatch(limit):
        return -(-int(limit[:-1]) * of // 100)
    return int(limit) if _COUNT.fullmatch(limit) else None


def allowed_disruptions(max_unavailable: str, min_available: str, replicas: int) -> int | None:
    """Return how many of ``replicas`` ready pods a PodDisruptionBudget lets go at once.

    "" means that a limit is absent; with neither, one pod has to stay available. None when both are
    set or one cannot be read. Source: Kubernetes policy/v1 PodDisruptionBudget; percentages of either limit round up.
    """
    if max_unavailable and min_available:
        return None
    if max_unavailable:
        most = scaled_up(max_unavailable, replicas)
        return None if most is None else min(replicas, most)
    least = scaled_up(min_available or "1", replicas)
    return None if least is None else max(0, replicas - least)
