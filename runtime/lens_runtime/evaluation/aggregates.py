"""The six basic aggregates over the values of one group; null is no value for any of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.arithmetic import checked, is_number, kind_of
from lens_runtime.evaluation.equality import group_key
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
    return math.fsum(numbers) if all(map(math.isfinite, numbers)) else sum(map(float, numbers))


def _avg(values: Sequence[Value]) -> Value:
    numbers = _numbers("avg", values)
    if not numbers:
        return None
    finite = all(math.isfinite(number) for number in numbers)
    return (math.fsum(numbers) if finite else sum(map(float, numbers))) / len(numbers)


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
