"""Conditions: three-valued logic, and comparison by operator."""

from __future__ import annotations

from collections.abc import Iterable

from lens_runtime.evaluation.equality import Truth, equal
from lens_runtime.evaluation.ordering import less, less_or_equal
from lens_runtime.graph import Value


def compare(operator: str, left: Value, right: Value) -> Truth:
    """``left operator right`` for one of ``= <> < <= > >=``."""
    if operator == "=":
        return equal(left, right)
    if operator == "<>":
        return negation(equal(left, right))
    if operator in ("<", ">"):
        return less(left, right) if operator == "<" else less(right, left)
    return less_or_equal(left, right) if operator == "<=" else less_or_equal(right, left)


def negation(value: Truth) -> Truth:
    """``NOT value``."""
    return None if value is None else not value


def decided(values: Iterable[Truth], decisive: bool) -> Truth:
    """AND (``decisive`` False) or OR (True) of the values, which are asked for only until one decides."""
    unknown = False
    for value in values:
        if value is decisive:
            return decisive
        unknown |= value is None
    return None if unknown else not decisive


def exclusive(values: Iterable[Truth]) -> Truth:
    """XOR of the values."""
    found = list(values)
    if None in found:
        return None
    return sum(bool(value) for value in found) % 2 == 1
