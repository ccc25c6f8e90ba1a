"""Clauses and whole queries as text."""

from __future__ import annotations

from collections.abc import Iterator

from lens_dsl import ast
from lens_dsl.formatting.atoms import name_text
from lens_dsl.formatting.core import listed, write


def lines(query: ast.Query) -> Iterator[str]:
    """The query, a clause at a time."""
    for at, part in enumerate(query.parts):
        if at:
            yield "UNION ALL" if query.union_all[at - 1] else "UNION"
        for clause in part.clauses:
            yield from _clause(clause)


@write.register
def _(query: ast.Query) -> str:
    return " ".join(lines(query))


def _clause(clause: ast.Clause) -> Iterator[str]:
    if isinstance(clause, ast.Match):
        yield f"{'OPTIONAL ' if clause.optional else ''}MATCH {listed(clause.patterns)}"
        yield from _where(clause.where)
    elif isinstance(clause, ast.Unwind):
        yield f"UNWIND {write(clause.source)} AS {name_text(clause.variable)}"
    elif isinstance(clause, ast.With):
        yield from _projection("WITH", clause.projection)
        yield from _where(clause.where)
    else:
        yield from _projection("RETURN", clause.projection)


def _projection(word: str, projection: ast.Projection) -> Iterator[str]:
    items = ["*"] if projection.star else []
    items.extend(map(write, projection.items))
    yield f"{word} {'DISTINCT ' if projection.distinct else ''}{', '.join(items)}"
    if projection.order:
        yield f"ORDER BY {listed(projection.order)}"
    if projection.skip is not None:
        yield f"SKIP {write(projection.skip)}"
    if projection.limit is not None:
        yield f"LIMIT {write(projection.limit)}"


def _where(condition: ast.Expression | None) -> Iterator[str]:
    if condition is not None:
        yield f"WHERE {write(condition)}"


@write.register
def _(item: ast.Item) -> str:
    alias = "" if item.alias is None else f" AS {name_text(item.alias)}"
    return write(item.expression) + alias


@write.register
def _(item: ast.SortItem) -> str:
    return write(item.expression) + (" DESC" if item.descending else "")
