"""Evaluate the formula of a number, so that what is shown is what was computed.

A formula is a Python expression over numbers: ``+ - * / **``, comparisons, ``a if test else b`` and the
functions below. ``ceil`` and ``floor`` forgive the dust of binary fractions: 3.0000000000000004 nodes are 3.
"""

import ast
import keyword
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from gpulanes.errors import PlanError, Problem
from gpulanes.sizing.sized import Sized

_DUST = 1e-9
"""Relative error below which a fraction is a rounding artefact: 1e6 times what a dozen float operations leave."""


def ceil(value: float) -> int:
    """The integer at or above ``value``, less dust."""
    return math.ceil(value - _DUST * max(1.0, abs(value)))


def floor(value: float) -> int:
    """The integer at or below ``value``, plus dust."""
    return math.floor(value + _DUST * max(1.0, abs(value)))


def expm1(value: float) -> float:
    """``e**value - 1``; infinite where a float ends, since a job that long never finishes."""
    try:
        return math.expm1(value)
    except OverflowError:
        return math.inf


def exp(value: float) -> float:
    """``e**value``, infinite where a float ends."""
    return expm1(value) + 1.0


def lambert_w0(z: float) -> float:
    """The w ≥ -1 with ``w * e**w == z``, for ``-1/e <= z``; Halley's method from the branch point's series."""
    p = math.sqrt(max(0.0, 2.0 * (math.e * z + 1.0)))
    w = -1.0 + p - p * p / 3.0 if p < 1.0 else math.log1p(z)
    for _ in range(50):
        grown = math.exp(w)
        error = w * grown - z
        slope = grown * (w + 1.0)
        if abs(error) <= 1e-16 * max(1.0, abs(z)) or slope == 0.0:
            break
        w -= error / (slope - (w + 2.0) * error / (2.0 * w + 2.0))
    return w


def poisson_spares(mean: float, tail: float) -> int:
    """The smallest k such that more than k events, of ``mean`` expected, have a probability below ``tail``."""
    if mean == 0.0:
        return 0
    # Ten standard deviations below the mean nothing is left to add up, so a large mean costs no long loop.
    spares = max(0, math.floor(mean - 10.0 * math.sqrt(mean)))
    left = 1.0
    while True:
        left -= math.exp(spares * math.log(mean) - mean - math.lgamma(spares + 1))
        if left < tail:
            return spares
        spares += 1


def add(*values: float) -> float:
    """The sum, rounded once. A thousand terms stay one level deep, where ``a + b + …`` nests as deep as it is long."""
    return math.fsum(values)


_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "ceil": ceil,
    "exp": exp,
    "expm1": expm1,
    "floor": floor,
    "lambert_w0": lambert_w0,
    "log": math.log,
    "max": max,
    "min": min,
    "poisson_spares": poisson_spares,
    "sqrt": math.sqrt,
    "sum": add,
}
_OPERATORS: Mapping[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def _call(name: str, arguments: Sequence[float]) -> float:
    """The function's value; ArithmeticError outside its domain (the logarithm of 0)."""
    try:
        return _FUNCTIONS[name](*arguments)
    except ValueError as error:
        message = f"{name}({', '.join(map(str, arguments))})"
        raise ArithmeticError(message) from error


@cache
def _parsed(formula: str) -> ast.expr:
    return ast.parse(formula, mode="eval").body


def _value(node: ast.AST, operands: Mapping[str, float | str]) -> float:
    """The value of one node; ValueError for anything outside the language."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name) if isinstance(given := operands.get(name), int | float):
            return given
        case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
            return _OPERATORS[type(op)](_value(left, operands), _value(right, operands))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, operands)
        case ast.IfExp(test=test, body=body, orelse=other):
            return _value(body if _value(test, operands) else other, operands)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return _call(name, [_value(arg, operands) for arg in args])
    message = f"{ast.unparse(node)!r} is not part of a formula over {sorted(operands)}"
    raise ValueError(message)


def evaluate(formula: str, operands: Mapping[str, float | str]) -> float:
    """The value of ``formula`` with ``operands``.

    Raises:
        ValueError: a name without a number, or syntax outside the language.
        ArithmeticError: a division by zero, an overflow, or a function outside its domain.
    """
    return _value(_parsed(formula), operands)


def named(parts: Mapping[str, float]) -> dict[str, float]:
    """The parts under names that a formula can use: ``pretrain-spot`` is ``pretrain_spot``, ``lambda`` is ``lambda_``.

    Parts whose names come out alike stay apart: the later ones end with underscores.
    """
    operands: dict[str, float] = {}
    for part, value in parts.items():
        name = re.sub(r"\W|^(?=\d)", "_", part, flags=re.ASCII) or "_"
        while name in operands or name in _FUNCTIONS or keyword.iskeyword(name):
            name += "_"
        operands[name] = value
    return operands


def computed(formula: str, unit: str, operands: Mapping[str, float | str], *, source: str, note: str = "") -> Sized:
    """The number that ``formula`` gives for ``operands``, with both kept.

    Raises:
        PlanError: ``impossible-number``: the operands give no finite number.
    """
    try:
        value = evaluate(formula, operands)
    except ArithmeticError:
        value = math.nan
    if not math.isfinite(value):
        given = ", ".join(f"{name} {operand}" for name, operand in operands.items())
        raise PlanError(
            [
                Problem(
                    code="impossible-number",
                    path=formula,
                    value=given,
                    allowed="a finite number",
                    fix="change the operand that is out of proportion",
                )
            ]
        )
    return Sized(value=value, unit=unit, formula=formula, operands=operands, source=source, note=note)


def compute(formula: str, unit: str, *, source: str, note: str = "", **operands: float | str) -> Sized:
    """``computed`` for operands whose names the code chooses."""
    return computed(formula, unit, operands, source=source, note=note)
