"""Random patterns in expressions, and UNWIND: what stands in a query besides MATCH, WITH and RETURN."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from lens_dsl import ast
from tests.oracle.expressions import Expressions, Names, number

DIRECTIONS: tuple[ast.Direction, ...] = ("out", "in", "both")


def pattern_condition(
    draw: st.DrawFn, names: Names, types: Sequence[str], fresh: Callable[[str], str]
) -> ast.Expression:
    """Whether a known node is in a pattern: as a predicate, negated, by ``exists { }``, or by counting."""
    way = draw(st.sampled_from(["is", "is not", "exists", "exists", "count", "call"]))
    if way in ("is", "is not", "call"):
        pattern = ast.PatternPredicate(_path(draw, names, types, known=names.nodes))
        if way == "call":
            return ast.Call("exists", (pattern,))
        return pattern if way == "is" else ast.Not(pattern)
    if way == "count":
        return ast.Comparison(
            pattern_count(draw, names, types, fresh), ((">", ast.Literal(draw(st.integers(0, 2)))),)
        )
    far = fresh("m")
    path = _path(draw, names, types, known=names.nodes, far=far)
    inner = names.copy()
    inner.nodes.append(far)
    where = Expressions(draw, inner).predicate() if draw(st.booleans()) else None
    found = ast.Exists((path,), where)
    return ast.Not(found) if draw(st.booleans()) else found


def pattern_count(
    draw: st.DrawFn, names: Names, types: Sequence[str], fresh: Callable[[str], str]
) -> ast.Expression:
    """How many matches a pattern has."""
    far = fresh("m")
    path = _path(draw, names, types, known=names.nodes, far=far)
    inner = names.copy()
    inner.nodes.append(far)
    where = Expressions(draw, inner).predicate() if draw(st.booleans()) else None
    return ast.Call("size", (ast.PatternComprehension(path, where, ast.Property(ast.Variable(far), "id")),))


def unwind(draw: st.DrawFn, names: Names, name: str) -> ast.Unwind:
    """Over what was collected before, or a list of literals; ``name`` is a value from then on."""
    items = draw(st.lists(st.sampled_from([None, 0, 1, 2, "a"]), max_size=3))
    literals = (number(item) if isinstance(item, int) else ast.Literal(item) for item in items)
    sources: list[ast.Expression] = [ast.ListLiteral(tuple(literals)), *map(ast.Variable, names.lists)]
    source = draw(st.sampled_from(sources))
    names.scalars.append(name)
    return ast.Unwind(source, name)


def _path(
    draw: st.DrawFn, names: Names, types: Sequence[str], *, known: Sequence[str], far: str | None = None
) -> ast.PathPattern:
    """One or two hops from a known node, or over a known relationship, to another or a new one."""
    elements: list[ast.NodePattern | ast.RelationshipPattern] = [
        ast.NodePattern(draw(st.sampled_from(list(known))))
    ]
    for _ in range(draw(st.sampled_from([0, 0, 1]))):
        elements += [_hop(draw, types, None), ast.NodePattern(None)]
    again: list[str | None] = [None, *names.relationships]
    ends: list[str | None] = [None, *known] if far is None else [far]
    elements += [
        _hop(draw, types, draw(st.sampled_from(again))),
        ast.NodePattern(draw(st.sampled_from(ends))),
    ]
    return ast.PathPattern(None, tuple(elements))


def _hop(draw: st.DrawFn, types: Sequence[str], name: str | None) -> ast.RelationshipPattern:
    chosen: list[str] = draw(st.lists(st.sampled_from(types), max_size=2, unique=True))
    ways: list[tuple[int, int] | None] = [None, None, None, (0, 1), (1, 2)] if name is None else [None]
    hops = draw(st.sampled_from(ways))
    direction: ast.Direction = draw(st.sampled_from(DIRECTIONS))
    return ast.RelationshipPattern(name, tuple(chosen), direction, hops)
