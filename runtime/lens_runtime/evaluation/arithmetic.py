"""Arithmetic on int64, floats, strings and lists, as openCypher has it: overflow and division by zero are errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from operator import add, mul, sub
from typing import Any

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.kinds import is_number, kind_of
from lens_runtime.evaluation.patience import built, built_text
from lens_runtime.evaluation.temporal.arithmetic import computed
from lens_runtime.evaluation.temporal.values import TEMPORAL
from lens_runtime.evaluation.text import to_text
from lens_runtime.graph import Value

SMALLEST, LARGEST = -(2**63), 2**63 - 1


# What integers and floats do alike; division and remainder differ.
_ALIKE: Mapping[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul}


def arithmetic(operator: str, left: Value, right: Value) -> Value:
    """The value of ``left operator right``; null where one is null. EvaluationProblem on a wrong type or range."""
    if operator == "+" and (isinstance(left, list) or isinstance(right, list)):
        return _append(left, right)
    if left is None or right is None:
        return None
    if isinstance(left, TEMPORAL) or isinstance(right, TEMPORAL):
        return _temporal(operator, left, right)
    if operator == "+" and (isinstance(left, str) or isinstance(right, str)):
        return _concatenate(left, right)
    if not (is_number(left) and is_number(right)):
        raise wrong_operands(operator, left, right)
    return _numeric(operator, left, right)


def _temporal(operator: str, left: Value, right: Value) -> Value:
    found = computed(operator, left, right)
    if found is None:
        raise wrong_operands(operator, left, right)
    return found


def _append(left: Value, right: Value) -> Value:
    if left is None or right is None:
        return None
    before = left if isinstance(left, list) else [left]
    after = right if isinstance(right, list) else [right]
    built(len(before) + len(after))
    return [*before, *after]


def _concatenate(left: Value, right: Value) -> Value:
    for side in (left, right):
        if not (isinstance(side, str) or is_number(side)):
            raise wrong_operands("+", left, right)
    joined = (to_text(left), to_text(right))
    built_text(sum(map(len, joined)))
    return "".join(joined)


def _numeric(operator: str, left: Value, right: Value) -> Value:
    assert isinstance(left, (int, float))
    assert isinstance(right, (int, float))
    if operator == "^":
        return _power(float(left), float(right))
    if isinstance(left, float) or isinstance(right, float):
        return _floating(operator, float(left), float(right))
    return checked(_integral(operator, left, right))


def _integral(operator: str, left: int, right: int) -> int:
    if operator in _ALIKE:
        return int(_ALIKE[operator](left, right))
    if right == 0:
        raise EvaluationProblem("DivisionByZero", "an integer is divided by zero", type="ArithmeticError")
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return quotient if operator == "/" else left - right * quotient


def _floating(operator: str, left: float, right: float) -> float:
    if operator in _ALIKE:
        return float(_ALIKE[operator](left, right))
    if operator == "/":
        return _divide(left, right)
    return math.fmod(left, right) if right and math.isfinite(left) else math.nan


def _divide(left: float, right: float) -> float:
    if right:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _power(left: float, right: float) -> float:
    try:
        return math.pow(left, right)
    except OverflowError:
        return math.inf if left > 0 or right % 2 == 0 else -math.inf
    except ValueError:
        return math.inf if left == 0 else math.nan


def negate(value: Value) -> Value:
    """``-value``."""
    if value is None:
        return None
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise EvaluationProblem("InvalidArgumentType", f"- cannot take {kind_of(value)}")
    return checked(-value) if isinstance(value, int) else -value


def checked(value: int) -> int:
    """The integer, or EvaluationProblem (IntegerOverflow) where it does not fit 64 bits."""
    if not SMALLEST <= value <= LARGEST:
        raise EvaluationProblem(
            "IntegerOverflow", "the result does not fit a 64-bit integer", type="ArithmeticError"
        )
    return value


def wrong_operands(operator: str, left: Value, right: Value) -> EvaluationProblem:
    """The error of an operator that cannot take these two."""
    return EvaluationProblem(
        "InvalidArgumentType", f"{operator} cannot take {kind_of(left)} and {kind_of(right)}"
    )
