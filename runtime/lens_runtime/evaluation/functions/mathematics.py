"""Functions of numbers. Where a float has no result it is NaN or infinite; an integer never wraps around."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from typing import Final

from lens_runtime.evaluation.arithmetic import checked
from lens_runtime.graph import Value

Number = int | float


def _absolute(number: Number) -> Value:
    return checked(abs(number)) if isinstance(number, int) else abs(number)


def _sign(number: Number) -> Value:
    return int(number > 0) - int(number < 0)


def _whole(rounding: Callable[[float], int]) -> Callable[[Number], float]:
    def rounded(number: Number) -> float:
        value = float(number)
        # The sign of a zero stays: ceil(-0.5) is -0.0.
        return math.copysign(float(rounding(value)), value) if math.isfinite(value) else value

    return rounded


def _half_up(number: float) -> int:
    """To the nearest whole number, a half upwards: -1.5 gives -1."""
    below = math.floor(number)
    return below + 1 if number - below >= 0.5 else below


def _real(function: Callable[[float], float]) -> Callable[[Number], float]:
    """The function of a float, NaN outside of its domain and infinite where it is too large."""

    def evaluated(number: Number) -> float:
        try:
            return function(float(number))
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return evaluated


def _logarithm(function: Callable[[float], float]) -> Callable[[Number], float]:
    real = _real(function)
    return lambda number: -math.inf if number == 0 else real(number)


def _cotangent(number: float) -> float:
    tangent = math.tan(number)
    return 1 / tangent if tangent else math.copysign(math.inf, tangent)


def _haversine(number: float) -> float:
    return (1 - math.cos(number)) / 2


FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "abs": _absolute,
    "sign": _sign,
    "ceil": _whole(math.ceil),
    "floor": _whole(math.floor),
    "round": _whole(_half_up),
    "rand": random.random,
    "e": lambda: math.e,
    "pi": lambda: math.pi,
    "sqrt": _real(math.sqrt),
    "exp": _real(math.exp),
    "log": _logarithm(math.log),
    "log10": _logarithm(math.log10),
    "sin": _real(math.sin),
    "cos": _real(math.cos),
    "tan": _real(math.tan),
    "cot": _real(_cotangent),
    "asin": _real(math.asin),
    "acos": _real(math.acos),
    "atan": _real(math.atan),
    "atan2": lambda y, x: math.atan2(y, x),
    "degrees": _real(math.degrees),
    "radians": _real(math.radians),
    "haversin": _real(_haversine),
}
