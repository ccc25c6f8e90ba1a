"""Going through expressions without knowing every class of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, cast

from lens_dsl.ast import Expression, ListComprehension, Node, Quantifier, Reduce, Variable

BINDERS = (ListComprehension, Quantifier, Reduce)


def children(expression: Node) -> Iterator[Expression]:
    """The expressions directly below, in the order they are written."""
    for entry in fields(expression):
        yield from _nodes(getattr(expression, entry.name))


def _nodes(value: object) -> Iterator[Expression]:
    if isinstance(value, Node):
        yield cast(Expression, value)
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)


def walk(expression: Node) -> Iterator[Expression]:
    """The expression itself and everything below it, outermost first."""
    yield cast(Expression, expression)
    for child in children(expression):
        yield from walk(child)


def rewrite(expression: Expression, change: Callable[[Expression], Expression | None]) -> Expression:
    """A copy in which every part that ``change`` answers for is what it answered; outermost first."""
    changed = change(expression)
    if changed is not None:
        return changed
    updates: dict[str, Any] = {}
    for entry in fields(expression):
        old = getattr(expression, entry.name)
        new = _rewritten(old, change)
        if new is not old:
            updates[entry.name] = new
    return replace(expression, **updates) if updates else expression


def _rewritten(value: object, change: Callable[[Expression], Expression | None]) -> object:
    if isinstance(value, Node):
        return rewrite(cast(Expression, value), change)
    if isinstance(value, tuple):
        items = tuple(_rewritten(item, change) for item in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value


def free_variables(expression: Node) -> frozenset[str]:
    """The variables an expression needs from outside: those it binds itself are not among them."""
    if isinstance(expression, Variable):
        return frozenset({expression.name})
    if isinstance(expression, BINDERS):
        inner = {expression.variable}
        if isinstance(expression, Reduce):
            inner.add(expression.accumulator)
            outside = free_variables(expression.source) | free_variables(expression.initial)
            return outside | (free_variables(expression.result) - inner)
        rest = (part for part in children(expression) if part is not expression.source)
        return free_variables(expression.source) | (_union(rest) - inner)
    return _union(children(expression))


def _union(parts: Iterator[Expression]) -> frozenset[str]:
    return frozenset().union(*(free_variables(part) for part in parts))
