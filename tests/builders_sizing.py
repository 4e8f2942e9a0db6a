"""Check a sized number against an evaluator of its own, so that formula and value cannot drift apart."""

import ast
import math
from typing import Any

from gpulanes.sizing.sized import Sized

DUST = 1e-9


def _lambert_w0(z: float) -> float:
    """By bisection on w * e**w, which shares nothing with the package's Halley steps."""
    low, high = -1.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * math.exp(middle) < z else (low, middle)
    return high


def _poisson_spares(mean: float, tail: float) -> int:
    """By summing the distribution from its terms."""
    terms = [math.exp(-mean + k * math.log(mean) - math.lgamma(k + 1)) if mean else float(k == 0) for k in range(500)]
    return next(k for k in range(500) if sum(terms[k + 1 :]) < tail)


def _or_infinite(function: Any, value: float) -> float:  # noqa: ANN401 - math.exp or math.expm1
    try:
        return float(function(value))
    except OverflowError:
        return math.inf


LANGUAGE: dict[str, Any] = {
    "__builtins__": {},
    "ceil": lambda x: math.ceil(x - DUST * max(1.0, abs(x))),
    "floor": lambda x: math.floor(x + DUST * max(1.0, abs(x))),
    "exp": lambda x: _or_infinite(math.exp, x),
    "sum": lambda *values: math.fsum(values),
    "expm1": lambda x: _or_infinite(math.expm1, x),
    "lambert_w0": _lambert_w0,
    "log": math.log,
    "max": max,
    "min": min,
    "poisson_spares": _poisson_spares,
    "sqrt": math.sqrt,
}


def value(sized: Sized) -> float:
    """The value, after Python itself has reproduced it from formula and operands, none missing, none unused."""
    names = {node.id for node in ast.walk(ast.parse(sized.formula)) if isinstance(node, ast.Name)}
    assert names - LANGUAGE.keys() == sized.operands.keys(), sized.formula
    again = eval(sized.formula, LANGUAGE, dict(sized.operands))  # noqa: S307 - the package's own formulas
    # 1e-8: near its branch point Lambert's W has half the digits of a float, whoever computes it.
    assert math.isclose(again, sized.value, rel_tol=1e-8, abs_tol=1e-12), (sized, again)
    assert sized.unit
    assert sized.source
    return sized.value
