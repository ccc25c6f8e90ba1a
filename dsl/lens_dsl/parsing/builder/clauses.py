"""From what the grammar saw to the query's AST, bottom-up while the parser runs.

Lark calls the method named after each rule, with everything the rule read, punctuation included. Nothing
here recurses, whatever the text.
"""

from __future__ import annotations

from contextvars import ContextVar

from lark import Token, Transformer

from lens_dsl import ast
from lens_dsl.parsing.builder.expressions import ExpressionRules
from lens_dsl.parsing.builder.parts import Children, Part, find, kinds, nodes, operand, span_of, types
from lens_dsl.parsing.builder.patterns import PatternRules

SOURCE: ContextVar[str] = ContextVar("SOURCE")
"""The text being parsed: one builder serves every parse of the process."""


class Builder(ExpressionRules, PatternRules, Transformer[Token, ast.Query]):
    """The rules of whole queries and their clauses."""

    def start(self, children: Children) -> ast.Query:
        query = children[0]
        assert isinstance(query, ast.Query)
        return query

    def query(self, children: Children) -> ast.Query:
        return ast.Query(
            parts=nodes(children, ast.SingleQuery),
            union_all=tuple(part.value for part in kinds(children, "union")),
            span=span_of(children),
        )

    def union(self, children: Children) -> Part:
        return Part("union", "ALL" in types(children), span_of(children))

    def single_query(self, children: Children) -> ast.SingleQuery:
        return ast.SingleQuery(clauses=tuple(children), span=span_of(children))

    def match(self, children: Children) -> ast.Match:
        return ast.Match(
            optional="OPTIONAL" in types(children),
            patterns=nodes(children, ast.PathPattern),
            where=find(children, "where"),
            span=span_of(children),
        )

    def unwind(self, children: Children) -> ast.Unwind:
        return ast.Unwind(
            source=operand(children[1]), variable=find(children, "name"), span=span_of(children)
        )

    def with_clause(self, children: Children) -> ast.With:
        return ast.With(projection=children[1], where=find(children, "where"), span=span_of(children))

    def return_clause(self, children: Children) -> ast.Return:
        return ast.Return(projection=children[1], span=span_of(children))

    def where(self, children: Children) -> Part:
        return Part("where", operand(children[1]), span_of(children))

    def projection(self, children: Children) -> ast.Projection:
        seen = types(children)
        return ast.Projection(
            items=nodes(children, ast.Item),
            star="STAR" in seen,
            distinct="DISTINCT" in seen,
            order=find(children, "order") or (),
            skip=find(children, "skip"),
            limit=find(children, "limit"),
            span=span_of(children),
        )

    def item(self, children: Children) -> ast.Item:
        written = span_of(children[:1])
        return ast.Item(
            expression=operand(children[0]),
            alias=find(children, "name"),
            text=SOURCE.get()[written.start : written.end],
            span=span_of(children),
        )

    def order(self, children: Children) -> Part:
        return Part("order", nodes(children, ast.SortItem), span_of(children))

    def sort_item(self, children: Children) -> ast.SortItem:
        return ast.SortItem(
            expression=operand(children[0]), descending="DESC" in types(children), span=span_of(children)
        )

    def skip(self, children: Children) -> Part:
        return Part("skip", operand(children[1]), span_of(children))

    def limit(self, children: Children) -> Part:
        return Part("limit", operand(children[1]), span_of(children))
