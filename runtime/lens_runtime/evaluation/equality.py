"""When two values are equal (openCypher: three-valued), and when they are the same group (never unknown)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence

from lens_runtime.evaluation.patience import tick
from lens_runtime.evaluation.temporal.values import TEMPORAL
from lens_runtime.graph import Node, Path, Relationship, Value

Truth = bool | None


def equal(left: Value, right: Value) -> Truth:
    """``left = right``: None where it is unknown; values of different types are different."""
    tick()
    if left is None or right is None:
        return None
    if _is_number(left) and _is_number(right):
        return left == right
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return _equal_lists(left, right)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return _equal_maps(left, right)
    if type(left) is not type(right):
        return False
    if isinstance(left, Path) and isinstance(right, Path):
        return left.nodes == right.nodes and left.relationships == right.relationships
    return left == right


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _equal_lists(left: Sequence[Value], right: Sequence[Value]) -> Truth:
    if len(left) != len(right):
        return False
    return _all(equal(a, b) for a, b in zip(left, right, strict=True))


def _equal_maps(left: Mapping[str, Value], right: Mapping[str, Value]) -> Truth:
    if left.keys() != right.keys():
        return False
    return _all(equal(left[key], right[key]) for key in left)


def _all(parts: Iterable[Truth]) -> Truth:
    """AND of three-valued parts: a known difference wins over an unknown."""
    unknown = False
    for part in parts:
        if part is False:
            return False
        unknown |= part is None
    return None if unknown else True


def contains(item: Value, container: Value) -> Truth:
    """``item IN container``; the container is a list or null (checked by the caller)."""
    if not isinstance(container, (list, tuple)):
        return None
    unknown = False
    for candidate in container:
        answer = equal(item, candidate)
        if answer:
            return True
        unknown |= answer is None
    return None if unknown else False


def group_key(value: Value) -> Hashable:
    """A key that is the same for values of one group (DISTINCT, grouping): null and NaN are like themselves."""
    tick()
    if value is None:
        return ("null",)
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, (int, float)):
        return ("number", "NaN") if isinstance(value, float) and math.isnan(value) else ("number", value)
    if isinstance(value, str):
        return ("string", value)
    if isinstance(value, (list, tuple)):
        return ("list", tuple(group_key(item) for item in value))
    if isinstance(value, Mapping):
        return ("map", frozenset((key, group_key(item)) for key, item in value.items()))
    if isinstance(value, Node):
        return ("node", value.id)
    if isinstance(value, Relationship):
        return ("relationship", value.id)
    if isinstance(value, TEMPORAL):
        return ("temporal", value)
    assert isinstance(value, Path)
    return ("path", tuple(n.id for n in value.nodes), tuple(r.id for r in value.relationships))
