"""What the builder's rules hand to each other, and how they pick it out of what a rule read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from lark import Token

from lens_dsl import ast
from lens_dsl.errors import Span

Children = list[Any]
"""Tokens, nodes of the AST and parts, in the order of the text."""

N = TypeVar("N", bound=ast.Node)


@dataclass(frozen=True, slots=True)
class Part:
    """Something read that is not a node of its own: a name, a WHERE, an expression in parentheses."""

    kind: str
    value: Any
    span: Span


def token_span(token: Token) -> Span:
    """Where the token stands."""
    start, end, line, column = token.start_pos, token.end_pos, token.line, token.column
    assert start is not None
    assert end is not None
    assert line is not None
    assert column is not None
    return Span(start, end, line, column)


def span_of(children: Children) -> Span:
    """From the first to the last child."""
    start = _child_span(children[0])
    if len(children) == 1:
        return start
    return Span(start.start, _child_span(children[-1]).end, start.line, start.column)


def _child_span(child: Any) -> Span:
    if isinstance(child, Token):
        return token_span(child)
    assert isinstance(child, (ast.Node, Part))
    return child.span


def operand(child: Any) -> Any:
    """The expression, out of its parentheses if it stood in any."""
    return child.value if isinstance(child, Part) else child


def operands(children: Children) -> Children:
    """Every expression among the children."""
    return [operand(child) for child in children if is_expression(child)]


def is_expression(child: Any) -> bool:
    """Whether the child is an expression, in parentheses or not."""
    return isinstance(child, ast.Expression) or (
        isinstance(child, Part) and child.kind in ("paren", "nested")
    )


def types(children: Children) -> set[str]:
    """The terminals read."""
    return {child.type for child in children if isinstance(child, Token)}


def nodes(children: Children, kind: type[N]) -> tuple[N, ...]:
    """The nodes of one class among the children."""
    return tuple(child for child in children if isinstance(child, kind))


def kinds(children: Children, kind: str) -> Iterator[Part]:
    """The parts of one kind among the children."""
    return (child for child in children if isinstance(child, Part) and child.kind == kind)


def find(children: Children, kind: str) -> Any:
    """The value of the first part of that kind; None if there is none."""
    return next((part.value for part in kinds(children, kind)), None)
