"""The six basic aggregates over the values of one group; null is no value for any of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.arithmetic import checked
from lens_runtime.evaluation.equality import group_key
from lens_runtime.evaluation.kinds import is_number, kind_of
from lens_runtime.evaluation.ordering import order_key
from lens_runtime.graph import Value


def aggregate(function: str, values: Sequence[Value], distinct: bool) -> Value:
    """The aggregate of the values that are not null; ``distinct`` takes each only once."""
    present = [value for value in values if value is not None]
    if distinct:
        present = list({group_key(value): value for value in reversed(present)}.values())[::-1]
    return _AGGREGATES[function](present)


def _sum(values: Sequence[Value]) -> Value:
    numbers = _numbers("sum", values)
    if all(isinstance(number, int) for number in numbers):
        return checked(sum(int(number) for number in numbers))
    return _float_sum(numbers)


def _avg(values: Sequence[Value]) -> Value:
    numbers = _numbers("avg", values)
    if not numbers:
        return None
    total = _float_sum(numbers)
    if math.isinf(total) and all(map(math.isfinite, numbers)):
        return math.fsum(number / len(numbers) for number in numbers)
    return total / len(numbers)


def _float_sum(numbers: Sequence[int | float]) -> float:
    """The exact sum, rounded once; infinite where it is beyond every float, as adding one by one would be."""
    try:
        return math.fsum(numbers)
    except OverflowError:
        return float(sum(map(float, numbers)))
    except ValueError:  # infinities of both signs
        return math.nan


def _numbers(name: str, values: Sequence[Value]) -> list[int | float]:
    for value in values:
        if not is_number(value):
            raise EvaluationProblem("InvalidArgumentType", f"{name}() cannot take {kind_of(value)}")
    return [value for value in values if isinstance(value, (int, float))]


def _collect(values: Sequence[Value]) -> Value:
    return list(values)


_AGGREGATES: dict[str, Callable[[Sequence[Value]], Value]] = {
    "count": len,
    "sum": _sum,
    "avg": _avg,
    "min": lambda values: min(values, key=order_key, default=None),
    "max": lambda values: max(values, key=order_key, default=None),
    "collect": _collect,
}
