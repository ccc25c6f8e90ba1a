"""Keeping the variables that an expression binds itself apart from those around it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from lens_dsl import ast
from lens_dsl.walk import BINDERS, rewrite, walk

Binder = ast.ListComprehension | ast.Quantifier | ast.Reduce
_OUTER = ("source", "initial")
_INNER = ("where", "result")


def renamed_apart(expression: ast.Expression, names: Collection[str]) -> ast.Expression:
    """The same expression, in which no comprehension, quantifier or reduce() binds one of ``names``.

    What stands for something else outside of it can then be told by its name, and be put in by name.
    """

    def change(part: ast.Expression) -> ast.Expression | None:
        if not isinstance(part, BINDERS):
            return None
        for name in _bound(part):
            if name in names:
                part = _renamed(part, name, _fresh(name, {*names, *_named(part)}))
        return _with(part, (*_OUTER, *_INNER), lambda inner: renamed_apart(inner, names))

    return rewrite(expression, change)


def _bound(part: Binder) -> tuple[str, ...]:
    return (part.variable, part.accumulator) if isinstance(part, ast.Reduce) else (part.variable,)


def _named(part: Binder) -> set[str]:
    return {inner.name for inner in walk(part) if isinstance(inner, ast.Variable)}


def _fresh(name: str, names: Collection[str]) -> str:
    while name in names:
        name += "'"
    return name


def _renamed(part: Binder, old: str, new: str) -> Binder:
    """The binder with ``new`` in place of a variable that it binds."""
    bound: dict[str, Any] = {
        place: new for place in ("variable", "accumulator") if getattr(part, place, None) == old
    }
    return replace(_with(part, _INNER, lambda inner: _substituted(inner, old, new)), **bound)


def _substituted(expression: ast.Expression, old: str, new: str) -> ast.Expression:
    """The expression with ``new`` in place of a variable that it takes from outside."""
    named = ("variable", ast.Variable(old))

    def change(part: ast.Expression) -> ast.Expression | None:
        if part == ast.Variable(old):
            return replace(ast.Variable(new), span=part.span)
        if isinstance(part, ast.MapProjection) and named in part.items:
            # ``m {x}`` has the key x, whatever the variable is called.
            entry = ("entry", old, ast.Variable(old))
            items = tuple(entry if item == named else item for item in part.items)
            return rewrite(replace(part, items=items), change)
        if isinstance(part, BINDERS) and old in _bound(part):
            return _with(part, _OUTER, lambda inner: _substituted(inner, old, new))
        return None

    return rewrite(expression, change)


def _with(
    part: Binder, places: Collection[str], change: Callable[[ast.Expression], ast.Expression]
) -> Binder:
    """The binder with the parts at these places changed, as far as it has them."""
    parts = {place: getattr(part, place, None) for place in places}
    changed: dict[str, Any] = {place: change(inner) for place, inner in parts.items() if inner is not None}
    return replace(part, **changed)
