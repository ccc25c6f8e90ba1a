"""The builder's rules of what begins as an expression and turns out to bind a variable.

``[x IN xs WHERE ..]``, ``[p = (a)-->(b) | ..]``, ``all(x IN xs WHERE ..)`` and ``reduce(a = 0, x IN xs | ..)``
are read by the grammar as ordinary expressions in brackets; here they get their meaning.
"""

from __future__ import annotations

from typing import Any, Final

from lens_dsl import ast
from lens_dsl.errors import QueryError, Span, SyntaxProblem, UnsupportedFeature
from lens_dsl.parsing.builder.parts import Children, Part, find, operand, operands, span_of
from lens_dsl.parsing.literals import shortened

_QUANTIFIERS: Final = frozenset({"all", "any", "none", "single"})
_PATH_SEARCHES: Final = frozenset({"shortestpath", "allshortestpaths"})


class ComprehensionRules:
    """Lists, comprehensions, quantifiers, reductions and map projections."""

    def list(self, children: Children) -> ast.ListLiteral | ast.ListComprehension:
        items = operands(children)
        if len(items) == 1 and (binding := _binding(children[1])):
            variable, source = binding
            return ast.ListComprehension(
                variable=variable, source=source, where=None, result=None, span=span_of(children)
            )
        return ast.ListLiteral(items=tuple(items), span=span_of(children))

    def comprehension(self, children: Children) -> ast.ListComprehension | ast.PatternComprehension:
        span = span_of(children)
        where, results = find(children, "where"), operands(children[2:])
        if binding := _binding(children[1]):
            variable, source = binding
            result = results[0] if results else None
            return ast.ListComprehension(
                variable=variable, source=source, where=where, result=result, span=span
            )
        pattern = _path_in(children[1])
        if pattern is None:
            raise _wrong(
                "a comprehension begins with 'variable IN list' or with a pattern",
                children[1].span,
                "write [x IN list WHERE condition | result] or [(a)-->(b) WHERE condition | result]",
            )
        if not results:
            raise _wrong(
                "a pattern comprehension says what it collects after '|'",
                span,
                "write [(a)-->(b) WHERE condition | result]",
            )
        return ast.PatternComprehension(pattern=pattern, where=where, result=results[0], span=span)

    def quantifier(self, children: Children) -> ast.Quantifier:
        name = children[0].value
        kind = name.lower()
        if kind not in _QUANTIFIERS:
            raise _wrong(
                f"WHERE cannot stand in a call of {shortened(name)}()",
                children[3].span,
                "only all, any, none and single take 'x IN list WHERE condition'; "
                "to filter a list write [x IN list WHERE condition]",
            )
        binding = _binding(children[2])
        if binding is None:
            raise _quantifier_shape(kind, children[2].span)
        return ast.Quantifier(
            kind=kind,
            variable=binding[0],
            source=binding[1],
            where=find(children, "where"),
            span=span_of(children),
        )

    def reduce(self, children: Children) -> ast.Reduce:
        name, _, first, _, second, _, result, _ = children
        start, binding = _assignment(first), _binding(second)
        if name.value.lower() != "reduce" or start is None or binding is None:
            raise _reduce_shape(span_of(children))
        return ast.Reduce(
            accumulator=start[0],
            initial=start[1],
            variable=binding[0],
            source=binding[1],
            result=operand(result),
            span=span_of(children),
        )

    def call_star(self, children: Children) -> ast.Call:
        name = children[0].value
        if name.lower() != "count":
            raise _wrong(
                f"'*' is no argument of {shortened(name)}()", span_of(children), "only count(*) takes a '*'"
            )
        return ast.Call(name=name, arguments=(), star=True, span=span_of(children))

    def map_projection(self, children: Children) -> ast.MapProjection:
        items: tuple[tuple[object, ...], ...] = tuple(
            ("entry", *part.value) if part.kind == "entry" else part.value
            for part in children
            if isinstance(part, Part)
        )
        return ast.MapProjection(subject=children[0], items=items, span=span_of(children))

    def projected_property(self, children: Children) -> Part:
        return Part("projected", ("property", children[1].value), span_of(children))

    def projected_all(self, children: Children) -> Part:
        return Part("projected", ("all",), span_of(children))

    def projected_variable(self, children: Children) -> Part:
        name = children[0]
        return Part("projected", ("variable", ast.Variable(name.value, span=name.span)), span_of(children))


def refuse_function(name: Part, arguments: tuple[ast.Expression, ...]) -> None:
    """Names that only look like functions: they take a shape of their own, or are refused."""
    lower = name.value.lower()
    if lower in _PATH_SEARCHES:
        raise shortest_path(name.value, name.span)
    if lower in _QUANTIFIERS:
        raise _quantifier_shape(lower, name.span)
    if lower == "reduce":
        raise _reduce_shape(name.span)


def shortest_path(name: str, span: Span) -> QueryError:
    """The refusal of a path search, by the name it was written with."""
    return UnsupportedFeature(
        "UnsupportedFeature",
        f"{name} is not supported",
        span=span,
        hint="match a bounded path, (a)-[*1..4]-(b), then ORDER BY length(path) LIMIT 1",
    )


def _binding(child: Any) -> tuple[str, ast.Expression] | None:
    """``x IN xs``, not in parentheses: the variable and the list."""
    if not isinstance(child, ast.In) or not isinstance(child.item, ast.Variable):
        return None
    return (child.item.name, child.container) if child.item.span.start == child.span.start else None


def _assignment(child: Any) -> tuple[str, ast.Expression] | None:
    """``a = value``, not in parentheses: the variable and the value."""
    if not isinstance(child, ast.Comparison) or not isinstance(child.first, ast.Variable):
        return None
    (operator, value), *more = child.rest
    bare = child.first.span.start == child.span.start
    return (child.first.name, value) if operator == "=" and bare and not more else None


def _path_in(child: Any) -> ast.PathPattern | None:
    """``(a)-->(b)`` or ``p = (a)-->(b)``, the pattern not in parentheses of its own."""
    if isinstance(child, ast.PatternPredicate):
        return child.pattern
    if assignment := _assignment(child):
        variable, value = assignment
        if isinstance(value, ast.PatternPredicate) and value.span.end == child.span.end:
            return ast.PathPattern(variable=variable, elements=value.pattern.elements, span=child.span)
    return None


def _quantifier_shape(kind: str, span: Span) -> SyntaxProblem:
    return _wrong(f"{kind}() takes a list and a condition", span, f"write {kind}(x IN list WHERE condition)")


def _reduce_shape(span: Span) -> SyntaxProblem:
    return _wrong(
        "reduce() takes a start value, a list and an expression",
        span,
        "write reduce(total = 0, x IN list | total + x), a start value with AND, OR or NOT in parentheses",
    )


def _wrong(message: str, span: Span, hint: str) -> SyntaxProblem:
    return SyntaxProblem("UnexpectedSyntax", message, span=span, hint=hint)
