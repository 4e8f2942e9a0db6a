"""What selects what: label selectors, tolerations, node requirements."""

from collections.abc import Iterable, Mapping, Sequence

from gpulanes.facts.model import Expression, Labels, Selector, Taint, Toleration
from gpulanes.facts.unknown import UNKNOWN, Unknown

BLOCKING = ("NoSchedule", "NoExecute")
"""Effects that keep pods away; PreferNoSchedule only asks."""


def blocks(taint: Taint) -> bool | Unknown:
    """Whether a taint keeps pods away that do not tolerate it."""
    return taint.effect if isinstance(taint.effect, Unknown) else taint.effect in BLOCKING


def tolerates(toleration: Toleration, taint: Taint) -> bool | Unknown:
    """Whether a toleration covers a taint.

    The operator defaults to Equal, an empty key with Exists covers every taint, an empty effect every
    effect. Source: Kubernetes, Taints and Tolerations.
    """
    if isinstance(taint.key, Unknown) or isinstance(taint.value, Unknown) or isinstance(taint.effect, Unknown):
        return UNKNOWN
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.operator == "Exists":
        return toleration.key in ("", taint.key)
    return toleration.key == taint.key and toleration.value == taint.value


def _term(expression: Expression, labels: Labels) -> bool | Unknown:
    value = labels.get(expression.key)
    if expression.operator == "Exists":
        return value is not None
    if expression.operator == "DoesNotExist":
        return value is None
    if isinstance(value, Unknown) or expression.operator not in ("In", "NotIn"):
        return UNKNOWN
    return (value in expression.values) == (expression.operator == "In")


def _equal(wanted: object, labels: Labels, key: str) -> bool | Unknown:
    value = labels.get(key)
    if value is None:
        return False
    if isinstance(value, Unknown) or isinstance(wanted, Unknown):
        return UNKNOWN
    return value == wanted


def selects(selector: Selector, labels: Labels) -> bool | Unknown:
    """Whether a selector matches a set of labels; unknown only while no term has failed."""
    if selector.none:
        return False
    terms = [_equal(wanted, labels, key) for key, wanted in selector.labels.items()]
    terms += [_term(expression, labels) for expression in selector.expressions]
    if any(term is False for term in terms):
        return False
    return UNKNOWN if any(isinstance(term, Unknown) for term in terms) else True


Requirement = tuple[str, str, tuple[str, ...] | Unknown]
"""Key, operator and values of a NodePool requirement."""


def resolve(
    requirements: Iterable[Requirement], labels: Mapping[str, str], key: str, universe: Sequence[str] | None
) -> tuple[str, ...] | Unknown | None:
    """Return the values a NodePool leaves open for ``key``: requirements and template labels, intersected.

    ``universe`` is every value there is, or None when that is not a closed set; the answer None then
    means that nothing restricts the key.
    """
    left = None if universe is None else list(universe)
    terms = [(operator, values) for name, operator, values in requirements if name == key]
    if key in labels:
        terms.append(("In", (labels[key],)))
    for operator, values in terms:
        if operator in ("In", "NotIn") and isinstance(values, Unknown):
            return UNKNOWN
        left = _narrow(left, operator, () if isinstance(values, Unknown) else values)
    return None if left is None else tuple(left)


def _narrow(left: list[str] | None, operator: str, values: Sequence[str]) -> list[str] | None:
    if operator == "In":
        return [value for value in values if left is None or value in left]
    if operator == "DoesNotExist":
        return []
    if operator == "NotIn" and left is not None:
        return [value for value in left if value not in values]
    return left
