"""The builder's rules of expressions."""

from __future__ import annotations

from typing import Final, cast

from lark import Token

from lens_dsl import ast
from lens_dsl.parsing.builder.comprehensions import ComprehensionRules, refuse_function
from lens_dsl.parsing.builder.parts import (
    Children,
    Part,
    find,
    kinds,
    nodes,
    operand,
    operands,
    span_of,
    token_span,
    types,
)
from lens_dsl.parsing.literals import read_float, read_integer, read_name, read_string

_STRING_TESTS: Final = {"STARTS": "STARTS WITH", "ENDS": "ENDS WITH", "CONTAINS": "CONTAINS", "MATCHES": "=~"}


class ExpressionRules(ComprehensionRules):
    """Operators, then atoms."""

    def logical(self, children: Children) -> ast.Logical:
        operator = children[1].type
        flat: list[ast.Expression] = []
        for term in map(operand, children[::2]):
            if isinstance(term, ast.Logical) and term.operator == operator:
                flat.extend(term.operands)
            else:
                flat.append(term)
        return ast.Logical(operator=operator, operands=tuple(flat), span=span_of(children))

    def negation(self, children: Children) -> ast.Not:
        return ast.Not(operand=operand(children[1]), span=span_of(children))

    def comparison(self, children: Children) -> ast.Comparison:
        first, *others = map(operand, children[::2])
        operators = [str(token) for token in children[1::2]]
        return ast.Comparison(
            first=first,
            rest=tuple(zip(operators, others, strict=True)),  # type: ignore[arg-type]
            span=span_of(children),
        )

    def is_null(self, children: Children) -> ast.IsNull:
        return ast.IsNull(
            operand=operand(children[0]), negated="NOT" in types(children), span=span_of(children)
        )

    def in_(self, children: Children) -> ast.In:
        return ast.In(item=operand(children[0]), container=operand(children[2]), span=span_of(children))

    def string_test(self, children: Children) -> ast.StringTest:
        return ast.StringTest(
            operator=_STRING_TESTS[children[1].type],  # type: ignore[arg-type]
            left=operand(children[0]),
            right=operand(children[-1]),
            span=span_of(children),
        )

    def labelled(self, children: Children) -> ast.HasLabels:
        labels = tuple(part.value for part in kinds(children[1:], "name"))
        return ast.HasLabels(subject=operand(children[0]), labels=labels, span=span_of(children))

    def arithmetic(self, children: Children) -> ast.Arithmetic:
        left, operator, right = children
        return ast.Arithmetic(
            operator=str(operator),  # type: ignore[arg-type]
            left=operand(left),
            right=operand(right),
            span=span_of(children),
        )

    def unary(self, children: Children) -> ast.Unary | ast.Literal:
        """A sign; a minus before a number literal makes a negative literal."""
        sign, value = children
        if sign.type == "MINUS" and _is_unsigned_number(value):
            return ast.Literal(value=-value.value, span=span_of(children))
        return ast.Unary(
            operator="-" if sign.type == "MINUS" else "+", operand=operand(value), span=span_of(children)
        )

    def property(self, children: Children) -> ast.Property:
        return ast.Property(subject=operand(children[0]), name=children[2].value, span=span_of(children))

    def index(self, children: Children) -> ast.Index:
        return ast.Index(subject=operand(children[0]), index=operand(children[2]), span=span_of(children))

    def slice(self, children: Children) -> ast.Slice:
        middle = next(
            at for at, child in enumerate(children) if isinstance(child, Token) and child.type == "RANGE"
        )
        start, end = operands(children[2:middle]), operands(children[middle:])
        return ast.Slice(
            subject=operand(children[0]),
            start=start[0] if start else None,
            end=end[0] if end else None,
            span=span_of(children),
        )

    # ------------------------------------------------------------ atoms

    def paren(self, children: Children) -> Part:
        inner = children[1]
        return Part("nested" if isinstance(inner, Part) else "paren", operand(inner), span_of(children))

    def name(self, children: Children) -> Part:
        return Part("name", read_name(str(children[0])), token_span(children[0]))

    def temporal_function(self, children: Children) -> Part:
        return Part("name", "".join(str(children[0]).split()), token_span(children[0]))

    def variable(self, children: Children) -> ast.Variable:
        return ast.Variable(name=children[0].value, span=span_of(children))

    def parameter(self, children: Children) -> ast.Parameter:
        return ast.Parameter(name=read_name(children[0][1:]), span=span_of(children))

    def integer(self, children: Children) -> ast.Literal:
        span = span_of(children)
        return ast.Literal(value=read_integer(str(children[0]), span), span=span)

    def float(self, children: Children) -> ast.Literal:
        span = span_of(children)
        return ast.Literal(value=read_float(str(children[0]), span), span=span)

    def string(self, children: Children) -> ast.Literal:
        span = span_of(children)
        return ast.Literal(value=read_string(str(children[0]), span), span=span)

    def true(self, children: Children) -> ast.Literal:
        return ast.Literal(value=True, span=span_of(children))

    def false(self, children: Children) -> ast.Literal:
        return ast.Literal(value=False, span=span_of(children))

    def null(self, children: Children) -> ast.Literal:
        return ast.Literal(value=None, span=span_of(children))

    def map_literal(self, children: Children) -> ast.MapLiteral:
        entries = tuple(part.value for part in kinds(children, "entry"))
        return ast.MapLiteral(entries=entries, span=span_of(children))

    def entry(self, children: Children) -> Part:
        return Part("entry", (children[0].value, operand(children[2])), span_of(children))

    def call(self, children: Children) -> ast.Call:
        span = span_of(children)
        arguments = tuple(operands(children))
        refuse_function(children[0], arguments)
        return ast.Call(
            name=children[0].value, arguments=arguments, distinct="DISTINCT" in types(children), span=span
        )

    def case(self, children: Children) -> ast.Case:
        subjects = operands(children[1:2])
        return ast.Case(
            subject=subjects[0] if subjects else None,
            branches=tuple(part.value for part in kinds(children, "branch")),
            default=find(children, "default"),
            span=span_of(children),
        )

    def branch(self, children: Children) -> Part:
        return Part("branch", (operand(children[1]), operand(children[3])), span_of(children))

    def default(self, children: Children) -> Part:
        return Part("default", operand(children[1]), span_of(children))

    def exists(self, children: Children) -> ast.Exists:
        queries = nodes(children, ast.Query)
        return ast.Exists(
            body=queries[0] if queries else nodes(children, ast.PathPattern),
            where=find(children, "where"),
            span=span_of(children),
        )


def _is_unsigned_number(child: object) -> bool:
    """A number literal without a sign or parentheses."""
    if not isinstance(child, ast.Literal) or isinstance(child.value, bool):
        return False
    return isinstance(child.value, (int, float)) and cast(float, child.value) >= 0
