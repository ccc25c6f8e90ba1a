"""The aggregates over the values of one group; null is no value for any of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from lens_dsl.errors import EvaluationProblem
from lens_dsl.functions import FUNCTIONS
from lens_runtime.evaluation.arithmetic import checked
from lens_runtime.evaluation.equality import group_key
from lens_runtime.evaluation.kinds import is_number, kind_of
from lens_runtime.evaluation.ordering import order_key
from lens_runtime.evaluation.patience import built
from lens_runtime.graph import Value

Number = int | float


def aggregate(function: str, values: Sequence[Value], distinct: bool, fraction: Value = None) -> Value:
    """The aggregate of the values that are not null; ``distinct`` takes each only once.

    ``fraction`` is which part of the values a percentile leaves below it, from 0 to 1.
    """
    present = [value for value in values if value is not None]
    if distinct:
        present = list({group_key(value): value for value in reversed(present)}.values())[::-1]
    if function in _OF_ANY:
        return _OF_ANY[function](present)
    numbers = _numbers(FUNCTIONS[function].name, present)
    if function in _PERCENTILES:
        return _percentile(_PERCENTILES[function], numbers, fraction)
    return _OF_NUMBERS[function](numbers)


def _numbers(name: str, values: Sequence[Value]) -> list[Number]:
    numbers = []
    for value in values:
        if not is_number(value):
            raise EvaluationProblem("InvalidArgumentType", f"{name}() cannot take {kind_of(value)}")
        numbers.append(value)
    return numbers


def _collect(values: Sequence[Value]) -> Value:
    built(len(values))
    return list(values)


def _sum(numbers: Sequence[Number]) -> Number:
    if all(isinstance(number, int) for number in numbers):
        return checked(sum(int(number) for number in numbers))
    return _float_sum(numbers)


def _mean(numbers: Sequence[Number]) -> float | None:
    if not numbers:
        return None
    total = _float_sum(numbers)
    if math.isinf(total) and all(map(math.isfinite, numbers)):
        return math.fsum(number / len(numbers) for number in numbers)
    return total / len(numbers)


def _float_sum(numbers: Sequence[Number]) -> float:
    """The exact sum, rounded once; infinite where it is beyond every float, as adding one by one would be."""
    try:
        return math.fsum(numbers)
    except OverflowError:
        return float(sum(map(float, numbers)))
    except ValueError:  # infinities of both signs
        return math.nan


def _deviation(freedom: int) -> Callable[[Sequence[Number]], float]:
    """The standard deviation with so many values less in the divisor; 0.0 where there are too few."""

    def deviation(numbers: Sequence[Number]) -> float:
        mean = _mean(numbers)
        if mean is None or len(numbers) <= freedom:
            return 0.0
        if not math.isfinite(mean):
            return math.nan
        distance = math.hypot(*(number - mean for number in numbers))
        return distance / math.sqrt(len(numbers) - freedom)

    return deviation


def _percentile(
    rule: Callable[[list[Number], float], Number], numbers: list[Number], fraction: Value
) -> Value:
    if fraction is None:
        return None
    if not is_number(fraction):
        raise EvaluationProblem("InvalidArgumentType", f"a percentile is a Number, not {kind_of(fraction)}")
    if not 0 <= fraction <= 1:
        raise EvaluationProblem(
            "NumberOutOfRange", "a percentile is a number from 0.0 to 1.0", type="ArgumentError"
        )
    return rule(sorted(numbers, key=order_key), float(fraction)) if numbers else None


def _continuous(ordered: list[Number], fraction: float) -> float:
    """The value at the place, between two neighbours where it falls between them."""
    place = fraction * (len(ordered) - 1)
    below, above = ordered[math.floor(place)], ordered[math.ceil(place)]
    share = place - math.floor(place)
    return float(below) if share == 0 else below * (1 - share) + above * share


def _discrete(ordered: list[Number], fraction: float) -> Number:
    """The nearest value, itself one of them."""
    return ordered[max(math.ceil(fraction * len(ordered)) - 1, 0)]


_OF_ANY: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "count": len,
    "collect": _collect,
    "min": lambda values: min(values, key=order_key, default=None),
    "max": lambda values: max(values, key=order_key, default=None),
}
_OF_NUMBERS: Final[Mapping[str, Callable[[Sequence[Number]], Value]]] = {
    "sum": _sum,
    "avg": _mean,
    "stdev": _deviation(1),
    "stdevp": _deviation(0),
}
_PERCENTILES: Final = {"percentilecont": _continuous, "percentiledisc": _discrete}
