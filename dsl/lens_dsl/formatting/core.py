"""One function for every node, ``write``, and how tightly each expression binds."""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Final

from lens_dsl import ast

OR, XOR, AND, NOT, COMPARISON, PREDICATE, SUM, PRODUCT, POWER, SIGN, ATOM = range(11)
"""The levels of the grammar, loosest first."""

LOGICAL: Final = {"OR": OR, "XOR": XOR, "AND": AND}
ARITHMETIC: Final = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "%": PRODUCT, "^": POWER}
_PREDICATES: Final = (ast.IsNull, ast.In, ast.StringTest, ast.HasLabels)


@singledispatch
def write(node: object) -> str:
    """The node as text, on one line. The other files of this package register what they write."""
    raise TypeError(f"not a part of a query: {type(node).__name__}")


def write_at(expression: ast.Expression, level: int) -> str:
    """The expression, in parentheses if it binds looser than ``level``."""
    text = write(expression)
    return text if binding_level(expression) >= level else f"({text})"


def binding_level(expression: ast.Expression) -> int:
    """How tightly the outermost operator binds."""
    if isinstance(expression, ast.Logical):
        return LOGICAL[expression.operator]
    if isinstance(expression, ast.Not):
        return NOT
    if isinstance(expression, ast.Comparison):
        return COMPARISON
    if isinstance(expression, _PREDICATES):
        return PREDICATE
    if isinstance(expression, ast.Arithmetic):
        return ARITHMETIC[expression.operator]
    if isinstance(expression, ast.Unary) or _is_negative(expression):
        return SIGN
    return ATOM


def _is_negative(expression: ast.Expression) -> bool:
    if not is_number(expression):
        return False
    assert isinstance(expression, ast.Literal)
    assert isinstance(expression.value, (int, float))
    return math.copysign(1, expression.value) < 0


def is_number(expression: ast.Expression) -> bool:
    """Whether it is a number literal; a boolean is none."""
    return isinstance(expression, ast.Literal) and type(expression.value) in (int, float)


def joined(left: str, operator: str, right: str) -> str:
    """``left operator right``, such that it cannot be read as a node and an arrow: ``(a) - ([b])``."""
    if left.endswith(")") and f"{operator}{right}".startswith(("-[", "--(", "<-[")):
        right = f"({right})"
    return f"{left} {operator} {right}"


def listed(nodes: tuple[ast.Node, ...]) -> str:
    """The nodes, with commas between them."""
    return ", ".join(map(write, nodes))


def where(condition: ast.Expression | None) -> str:
    """`` WHERE condition``, or nothing."""
    return "" if condition is None else f" WHERE {write(condition)}"
