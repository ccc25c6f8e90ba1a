"""Ways to write a query differently that may not change its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from lens_dsl import ast
from lens_dsl.walk import free_variables, walk
from tests.oracle.queries import Writer, conjunction
from tests.oracle.worlds import SmallWorld

Rule = Callable[[st.DrawFn, ast.Match], tuple[ast.Clause, ...]]
"""The clauses to write in place of a MATCH."""
TRUE: Final = ast.Literal(True)
FLIPPED: Final[dict[ast.Direction, ast.Direction]] = {"in": "out", "out": "in", "both": "both"}


def rewritten(draw: st.DrawFn, query: ast.Query, rule: Rule) -> ast.Query:
    """The query with one of its MATCH clauses written as the rule says."""
    clauses = query.parts[0].clauses
    places = [at for at, clause in enumerate(clauses) if isinstance(clause, ast.Match)]
    at = draw(st.sampled_from(places))
    chosen = clauses[at]
    assert isinstance(chosen, ast.Match)
    return ast.Query((ast.SingleQuery((*clauses[:at], *rule(draw, chosen), *clauses[at + 1 :])),))


def whole(query: ast.Query) -> ast.Query:
    """The query without the last LIMIT and SKIP: which of equal rows they keep is left open."""
    *before, last = query.parts[0].clauses
    assert isinstance(last, ast.Return)
    projection = replace(last.projection, skip=None, limit=None)
    return ast.Query((ast.SingleQuery((*before, ast.Return(projection))),))


def with_true(draw: st.DrawFn, clause: ast.Match) -> tuple[ast.Clause, ...]:
    """``WHERE true`` more, before or after what stands there."""
    terms = [TRUE] if clause.where is None else draw(st.permutations([clause.where, TRUE]))
    return (replace(clause, where=conjunction(list(terms))),)


def split(draw: st.DrawFn, clause: ast.Match) -> tuple[ast.Clause, ...]:
    """``WHERE a AND b`` as ``WHERE a WITH * WHERE b``; of an OPTIONAL MATCH, its terms in another order."""
    where = clause.where
    if not isinstance(where, ast.Logical) or where.operator != "AND":
        return (clause,)
    if clause.optional or not any(map(names_anything, clause.patterns)):
        return (replace(clause, where=ast.Logical("AND", tuple(draw(st.permutations(where.operands))))),)
    first, second = where.operands[:1], where.operands[1:]
    everything = ast.Projection((), star=True)
    return (
        replace(clause, where=conjunction(list(first))),
        ast.With(everything, conjunction(list(second))),
    )


def names_anything(pattern: ast.PathPattern) -> bool:
    """Whether a variable stands in it, so that ``WITH *`` has something to pass on."""
    return any(part.variable for part in (pattern, *pattern.elements))


def backwards(draw: st.DrawFn, clause: ast.Match) -> tuple[ast.Clause, ...]:
    """Patterns written from their other end, but for those whose variables hold the order."""
    if refers(clause):
        return (clause,)
    return (replace(clause, patterns=tuple(map(_reversed, clause.patterns))),)


def _reversed(pattern: ast.PathPattern) -> ast.PathPattern:
    steps = [part for part in pattern.elements if isinstance(part, ast.RelationshipPattern)]
    if pattern.variable or any(step.hops is not None and step.variable for step in steps):
        return pattern
    turned = (
        replace(part, direction=FLIPPED[part.direction])
        if isinstance(part, ast.RelationshipPattern)
        else part
        for part in reversed(pattern.elements)
    )
    return replace(pattern, elements=tuple(turned))


def refers(clause: ast.Match) -> bool:
    """Whether an inline map names a variable: it may be one that is bound before it, and not after."""
    parts = (part for pattern in clause.patterns for part in pattern.elements)
    return any(part.properties is not None and free_variables(part.properties) for part in parts)


def swapped(draw: st.DrawFn, clause: ast.Match) -> tuple[ast.Clause, ...]:
    """Comma parts in another order."""
    if refers(clause):
        return (clause,)
    return (replace(clause, patterns=tuple(draw(st.permutations(clause.patterns)))),)


RULES: Final[dict[str, Rule]] = {
    "WHERE true": with_true,
    "WHERE in two": split,
    "a pattern reversed": backwards,
    "comma parts swapped": swapped,
}


@st.composite
def partitions(draw: st.DrawFn, world: SmallWorld) -> tuple[ast.Query, tuple[ast.Query, ...]]:
    """A query, and three that share its rows out: where a predicate is true, false, unknown (TLP).

    The predicate stands in the last MATCH, where the store may prune by it, or in a WITH of its own.
    """
    writer = Writer(draw, world)
    for number in range(draw(st.integers(1, 2))):
        writer.match(optional=number > 0 and writer.often(2))
    predicate = writer.expressions.predicate()
    items = tuple(ast.Item(writer.expressions.value(), writer.name("v")) for _ in range(2))
    last = ast.Return(ast.Projection(items))
    *before, match = writer.clauses
    assert isinstance(match, ast.Match)
    inside = not match.optional and draw(st.booleans())

    def kept(term: ast.Expression) -> ast.Query:
        if inside:
            terms = [each for each in (match.where, term) if each is not None]
            return query(*before, replace(match, where=conjunction(terms)), last)
        return query(*writer.clauses, ast.With(ast.Projection((), star=True), term), last)

    thirds = (predicate, ast.Not(predicate), ast.IsNull(predicate, False))
    return query(*writer.clauses, last), tuple(map(kept, thirds))


def query(*clauses: ast.Clause) -> ast.Query:
    return ast.Query((ast.SingleQuery(clauses),))


def leaves_open(query: ast.Query) -> bool:
    """Whether it may show which of 1 and 1.0 stands for both, and that depends on the order of rows."""
    return any(
        (isinstance(part, ast.Call) and part.name == "toString")
        or (isinstance(part, ast.Arithmetic) and part.operator == "+")
        for part in walk(query)
    )
