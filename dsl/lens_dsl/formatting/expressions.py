"""Expressions as text."""

from __future__ import annotations

from lens_dsl import ast
from lens_dsl.formatting.atoms import function_text, key_text, literal_text, name_text, parameter_text
from lens_dsl.formatting.core import (
    ARITHMETIC,
    ATOM,
    LOGICAL,
    NOT,
    PREDICATE,
    SUM,
    is_number,
    joined,
    listed,
    where,
    write,
    write_at,
)
from lens_dsl.pattern import Subquery


@write.register
def _(expression: ast.Literal) -> str:
    return literal_text(expression.value)


@write.register
def _(expression: ast.Parameter) -> str:
    return parameter_text(expression)


@write.register
def _(expression: ast.Variable) -> str:
    return name_text(expression.name)


@write.register
def _(expression: Subquery) -> str:
    return expression.text


@write.register
def _(expression: ast.Property) -> str:
    return f"{write_at(expression.subject, ATOM)}.{key_text(expression.name)}"


@write.register
def _(expression: ast.Index) -> str:
    return f"{write_at(expression.subject, ATOM)}[{write(expression.index)}]"


@write.register
def _(expression: ast.Slice) -> str:
    start = "" if expression.start is None else write(expression.start)
    end = "" if expression.end is None else write(expression.end)
    return f"{write_at(expression.subject, ATOM)}[{start}..{end}]"


@write.register
def _(expression: ast.ListLiteral) -> str:
    items = expression.items
    if len(items) == 1 and isinstance(items[0], ast.In) and isinstance(items[0].item, ast.Variable):
        return f"[({write(items[0])})]"  # bare, it would be a comprehension
    return f"[{listed(items)}]"


@write.register
def _(expression: ast.MapLiteral) -> str:
    return "{" + ", ".join(f"{key_text(key)}: {write(value)}" for key, value in expression.entries) + "}"


@write.register
def _(expression: ast.Unary) -> str:
    operand = write_at(expression.operand, ATOM)
    if expression.operator == "-" and is_number(expression.operand) and not operand.startswith("("):
        operand = f"({operand})"
    return f"{expression.operator}{operand}"


@write.register
def _(expression: ast.Arithmetic) -> str:
    level = ARITHMETIC[expression.operator]
    left = write_at(expression.left, level)
    return joined(left, expression.operator, write_at(expression.right, level + 1))


@write.register
def _(expression: ast.Comparison) -> str:
    text = write_at(expression.first, PREDICATE)
    for operator, operand in expression.rest:
        text = joined(text, operator, write_at(operand, PREDICATE))
    return text


@write.register
def _(expression: ast.Logical) -> str:
    level = LOGICAL[expression.operator] + 1
    return f" {expression.operator} ".join(write_at(term, level) for term in expression.operands)


@write.register
def _(expression: ast.Not) -> str:
    return f"NOT {write_at(expression.operand, NOT)}"


@write.register
def _(expression: ast.IsNull) -> str:
    return f"{write_at(expression.operand, PREDICATE)} IS {'NOT ' if expression.negated else ''}NULL"


@write.register
def _(expression: ast.In) -> str:
    item = write_at(expression.item, PREDICATE)
    return f"{item} IN {write_at(expression.container, SUM)}"


@write.register
def _(expression: ast.StringTest) -> str:
    left = write_at(expression.left, PREDICATE)
    return f"{left} {expression.operator} {write_at(expression.right, SUM)}"


@write.register
def _(expression: ast.HasLabels) -> str:
    labels = "".join(f":{key_text(label)}" for label in expression.labels)
    return write_at(expression.subject, ATOM) + labels


@write.register
def _(expression: ast.Call) -> str:
    arguments = "*" if expression.star else listed(expression.arguments)
    distinct = "DISTINCT " if expression.distinct else ""
    return f"{function_text(expression.name)}({distinct}{arguments})"


@write.register
def _(expression: ast.Case) -> str:
    words = ["CASE"] if expression.subject is None else ["CASE", write(expression.subject)]
    words.extend(f"WHEN {write(when)} THEN {write(then)}" for when, then in expression.branches)
    if expression.default is not None:
        words.append(f"ELSE {write(expression.default)}")
    return " ".join([*words, "END"])


@write.register
def _(expression: ast.ListComprehension) -> str:
    result = "" if expression.result is None else f" | {write(expression.result)}"
    return f"[{_binding(expression.variable, expression.source)}{where(expression.where)}{result}]"


@write.register
def _(expression: ast.Quantifier) -> str:
    binding = _binding(expression.variable, expression.source)
    return f"{expression.kind}({binding}{where(expression.where)})"


@write.register
def _(expression: ast.Reduce) -> str:
    initial = write_at(expression.initial, PREDICATE)
    start = joined(name_text(expression.accumulator), "=", initial)
    binding = _binding(expression.variable, expression.source)
    return f"reduce({start}, {binding} | {write(expression.result)})"


@write.register
def _(expression: ast.MapProjection) -> str:
    return f"{write(expression.subject)} {{{', '.join(map(_projected, expression.items))}}}"


@write.register
def _(expression: ast.PatternPredicate) -> str:
    return write(expression.pattern)


@write.register
def _(expression: ast.PatternComprehension) -> str:
    return f"[{write(expression.pattern)}{where(expression.where)} | {write(expression.result)}]"


@write.register
def _(expression: ast.Exists) -> str:
    if isinstance(expression.body, ast.Query):
        return f"exists {{ {write(expression.body)} }}"
    return f"exists {{ {listed(expression.body)}{where(expression.where)} }}"


def _binding(variable: str, source: ast.Expression) -> str:
    return f"{name_text(variable)} IN {write_at(source, SUM)}"


def _projected(item: tuple[object, ...]) -> str:
    """One item of a map projection; see ``ast.MapProjection``."""
    kind, *values = item
    if kind == "all":
        return ".*"
    if kind == "property":
        return f".{key_text(str(values[0]))}"
    if kind == "entry":
        return f"{key_text(str(values[0]))}: {write(values[1])}"
    return write(values[0])
