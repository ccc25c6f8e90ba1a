"""How values compare (``<``: three-valued) and how they sort (ORDER BY: total), as openCypher has it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cmp_to_key
from typing import Any

from lens_runtime.evaluation.equality import Truth, equal
from lens_runtime.evaluation.patience import tick
from lens_runtime.evaluation.temporal.values import INSTANTS, TEMPORAL, order_of
from lens_runtime.graph import Node, Path, Relationship, Value

_MAP, _NODE, _RELATIONSHIP, _LIST, _PATH, _TEMPORAL, _STRING, _BOOLEAN, _NUMBER, _NAN, _NULL = range(11)


def less(left: Any, right: Any) -> Truth:
    """``left < right``: None where the two have no order, False where one is NaN."""
    tick()
    if isinstance(left, INSTANTS):
        return order_of(left) < order_of(right) if type(left) is type(right) else None
    if _ordered(left, right):
        return bool(left < right)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return _less_lists(list(left), list(right))
    return None


def less_or_equal(left: Any, right: Any) -> Truth:
    """``left <= right``: None where the two have no order, False where one is NaN."""
    if isinstance(left, INSTANTS):
        return order_of(left) <= order_of(right) if type(left) is type(right) else None
    if _ordered(left, right):
        return bool(left <= right)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        smaller, same = less(left, right), equal(left, right)
        if smaller or same:
            return True
        return None if smaller is None or same is None else False
    return None


def _ordered(left: Value, right: Value) -> bool:
    """Whether the two are both numbers, both strings or both booleans."""
    ranks = {_rank(left), _rank(right)}
    return ranks <= {_NUMBER, _NAN} or ranks == {_STRING} or ranks == {_BOOLEAN}


def _less_lists(left: list[Value], right: list[Value]) -> Truth:
    for a, b in zip(left, right, strict=False):
        same = equal(a, b)
        if same is None:
            return None
        if not same:
            return less(a, b)
    return len(left) < len(right)


def compare(left: Value, right: Value) -> int:
    """Negative, 0 or positive: the total order of ORDER BY, ascending; null last, NaN before it."""
    tick()
    ranks = (_rank(left), _rank(right))
    if ranks[0] != ranks[1]:
        return ranks[0] - ranks[1]
    return _COMPARE[ranks[0]](left, right)


order_key = cmp_to_key(compare)


def _rank(value: Value) -> int:
    if value is None:
        return _NULL
    if isinstance(value, bool):
        return _BOOLEAN
    if isinstance(value, (int, float)):
        return _NAN if isinstance(value, float) and math.isnan(value) else _NUMBER
    ranks = (
        (str, _STRING),
        (Path, _PATH),
        (TEMPORAL, _TEMPORAL),
        ((list, tuple), _LIST),
        (Relationship, _RELATIONSHIP),
        (Node, _NODE),
    )
    return next((rank for kind, rank in ranks if isinstance(value, kind)), _MAP)


def _plain(left: Any, right: Any) -> int:
    return int(left > right) - int(left < right)


def _same(left: Value, right: Value) -> int:
    return 0


def _by_id(left: Any, right: Any) -> int:
    return _plain(left.id, right.id)


def _lists(left: Any, right: Any) -> int:
    for a, b in zip(left, right, strict=False):
        order = compare(a, b)
        if order:
            return order
    return len(left) - len(right)


def _temporals(left: Any, right: Any) -> int:
    return _plain(order_of(left), order_of(right))


def _maps(left: Value, right: Value) -> int:
    assert isinstance(left, Mapping)
    assert isinstance(right, Mapping)
    keys = (sorted(left), sorted(right))
    if keys[0] != keys[1]:
        return _plain(keys[0], keys[1])
    return _lists([left[k] for k in keys[0]], [right[k] for k in keys[0]])


def _paths(left: Value, right: Value) -> int:
    assert isinstance(left, Path)
    assert isinstance(right, Path)
    return _lists([*left.nodes, *left.relationships], [*right.nodes, *right.relationships])


_COMPARE = {
    _NULL: _same,
    _NAN: _same,
    _NUMBER: _plain,
    _BOOLEAN: _plain,
    _STRING: _plain,
    _PATH: _paths,
    _TEMPORAL: _temporals,
    _LIST: _lists,
    _RELATIONSHIP: _by_id,
    _NODE: _by_id,
    _MAP: _maps,
}
