"""What rules apply to, and how they say what they saw. Rules know these and nothing of one another."""

from collections.abc import Callable, Iterable, Sequence

from gpulanes.facts.matching import blocks
from gpulanes.facts.model import Facts, Labels, PoolFacts, Taint
from gpulanes.facts.provider import is_vendor_taint
from gpulanes.facts.unknown import Fact, Unknown
from gpulanes.kinds.pool import KINDS, LANES
from gpulanes_policies.rule import Parameter

SHOWN_NAMES = 3
MAY_BE_INTERRUPTED = Parameter(("best-effort",), "Service classes that may be served from Spot.")


def pools_of(kind: str, provisioner: str = "") -> Callable[[Facts], Iterable[PoolFacts]]:
    """Return what picks the pools declared for a lane; a pool whose lane is not known is CLS-01's alone."""

    def pick(facts: Facts) -> Iterable[PoolFacts]:
        mine = (pool for pool in facts.pools if pool.kind.get_or("") == kind)
        return (pool for pool in mine if provisioner in ("", pool.provisioner))

    return pick


def classified_pools(facts: Facts) -> Iterable[PoolFacts]:
    """Return the pools whose lane is declared; the others have one finding, CLS-01, until they say it."""
    return (pool for pool in facts.pools if pool.kind.get_or("") in KINDS)


def interruptible(pool: PoolFacts) -> bool:
    """Whether a pool may be given capacity that is taken back; a Capacity Block ends on its day."""
    return not {"on-demand", "reserved"}.issuperset(pool.capacity.get())


def lane_pools(facts: Facts) -> Iterable[PoolFacts]:
    """Return the pools of the lanes."""
    return (pool for pool in facts.pools if pool.kind.get_or("") in LANES)


def said(fact: Fact[str] | Fact[int] | Fact[bool]) -> str:
    """Return a value as its source has it: what is absent is shown with what that means."""
    text = str(fact.get())
    return text if fact.given else f"absent, which means {text}" if text else "absent"


def listed(fact: Fact[tuple[str, ...]]) -> str:
    """Return a list as its source has it."""
    text = ", ".join(fact.get())
    return text if fact.given else f"absent, which means {text or 'none'}"


def shown_taints(taints: Iterable[Taint]) -> str:
    """Return taints as ``kubectl`` writes them."""
    return ", ".join(f"{taint.key}={taint.value}:{taint.effect}" for taint in taints)


def separating(pool: PoolFacts) -> list[Taint]:
    """Return the taints, as far as known, that keep other lanes away: those that block and are not the vendor's."""
    return [
        taint
        for taint in pool.taints.get_or(())
        if not uncertain(taint) and blocks(taint) is True and not is_vendor_taint(str(taint.key))
    ]


def uncertain(taint: Taint) -> bool:
    """Whether a part of a taint is not known."""
    return any(isinstance(part, Unknown) for part in (taint.key, taint.value, taint.effect))


def some(names: Sequence[str]) -> str:
    """Return up to three names, and how many more there are."""
    shown = ", ".join(names[:SHOWN_NAMES])
    return shown if len(names) <= SHOWN_NAMES else f"{shown} and {len(names) - SHOWN_NAMES} more"


def missing(tags: Labels, keys: Iterable[str]) -> list[str]:
    """Return the keys that are absent or empty; a value that is not known yet is a value."""
    return [key for key in keys if tags.get(key, "") == ""]
