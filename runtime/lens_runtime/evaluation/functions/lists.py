"""Functions of lists, and those that take a list or a string."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.kinds import is_integer, kind_of
from lens_runtime.evaluation.patience import check_size
from lens_runtime.graph import Value


def _size(value: list[Value] | str) -> Value:
    return len(value)


def _head(items: list[Value]) -> Value:
    return items[0] if items else None


def _last(items: list[Value]) -> Value:
    return items[-1] if items else None


def _tail(items: list[Value]) -> Value:
    return items[1:]


def _reverse(value: list[Value] | str) -> Value:
    return value[::-1]


def _range(start: Value, end: Value, step: Value = 1) -> Value:
    # openCypher has a wrong type here fail as a wrong number does, when it runs.
    start, end, step = (_bound(value) for value in (start, end, step))
    if step == 0:
        raise EvaluationProblem("NumberOutOfRange", "the step of range() cannot be 0", type="ArgumentError")
    check_size((abs(end - start) // abs(step) + 1) if (end - start) * step >= 0 else 0)
    return list(range(start, end + (1 if step > 0 else -1), step))


def _bound(value: Value) -> int:
    if is_integer(value):
        return value
    raise EvaluationProblem(
        "InvalidArgumentType", f"range() cannot take {kind_of(value)}", type="ArgumentError"
    )


FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "size": _size,
    "head": _head,
    "last": _last,
    "tail": _tail,
    "reverse": _reverse,
    "range": _range,
}
