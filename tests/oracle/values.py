"""The oracle's own values and their logic: slow, plain, and written from openCypher's text alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field


class Fault(Exception):
    """The expression has no value: an evaluation error of the query."""


@dataclass(frozen=True, slots=True)
class N:
    """A record that the actor may see."""

    kind: str
    id: str
    properties: Mapping[str, object] = field(compare=False, default_factory=dict)


@dataclass(frozen=True, slots=True)
class R:
    """A relationship that the actor may see; ``by`` is its own name."""

    by: str
    type: str = field(compare=False)
    source: N = field(compare=False)
    target: N = field(compare=False)
    properties: Mapping[str, object] = field(compare=False, default_factory=dict)


@dataclass(frozen=True, slots=True)
class P:
    """A path."""

    nodes: tuple[N, ...]
    relationships: tuple[R, ...]


def is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def equals(a: object, b: object) -> bool | None:
    if a is None or b is None:
        return None
    if is_number(a) and is_number(b):
        return a == b
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return False
        parts = [equals(x, y) for x, y in zip(a, b, strict=True)]
        return False if False in parts else None if None in parts else True
    return type(a) is type(b) and a == b


def is_less(a: object, b: object) -> bool | None:
    """``a < b``; None where the two have no order."""
    for same in (is_number, lambda v: isinstance(v, str), lambda v: isinstance(v, bool)):
        if same(a) and same(b):
            return bool(a < b)  # type: ignore[operator]
    if isinstance(a, list) and isinstance(b, list):
        for x, y in zip(a, b, strict=False):
            same_item = equals(x, y)
            if same_item is None:
                return None
            if not same_item:
                return is_less(x, y)
        return len(a) < len(b)
    return None


def compares(operator: str, a: object, b: object) -> bool | None:
    if operator in ("=", "<>"):
        same = equals(a, b)
        return same if operator == "=" or same is None else not same
    if operator in (">", ">="):
        a, b, operator = b, a, "<" if operator == ">" else "<="
    smaller = is_less(a, b)
    if operator == "<" or smaller:
        return smaller
    same = equals(a, b)
    return None if smaller is None or same is None else same


def sort_key(value: object) -> tuple[object, ...]:
    """Ascending: lists, texts, booleans, numbers, null."""
    if value is None:
        return (9,)
    if isinstance(value, bool):
        return (7, value)
    if is_number(value):
        return (8, value)
    if isinstance(value, str):
        return (6, value)
    if isinstance(value, list):
        return (4, tuple(sort_key(item) for item in value))
    raise AssertionError("the oracle sorts plain values alone")


def same_group(value: object) -> object:
    """Equal for values that DISTINCT and grouping take for one."""
    if isinstance(value, list):
        return ("list", tuple(same_group(item) for item in value))
    if isinstance(value, bool):
        return ("bool", value)
    return ("number", value) if is_number(value) else (type(value).__name__, value)


def add(a: object, b: object) -> object:
    if isinstance(a, list) or isinstance(b, list):
        if a is None or b is None:
            return None
        return (a if isinstance(a, list) else [a]) + (b if isinstance(b, list) else [b])
    if a is None or b is None:
        return None
    if isinstance(a, str) or isinstance(b, str):
        return text(a) + text(b)
    return calculate("+", a, b)


def calculate(operator: str, a: object, b: object) -> object:
    if a is None or b is None:
        return None
    if not is_number(a) or not is_number(b):
        raise Fault(f"{operator} of what is no number")
    results = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b}  # type: ignore[operator]
    return results[operator]()


def text(value: object) -> str:
    if isinstance(value, str):
        return value
    if is_number(value) and math.isfinite(value):  # type: ignore[arg-type]
        return str(value)
    raise Fault("no text")
