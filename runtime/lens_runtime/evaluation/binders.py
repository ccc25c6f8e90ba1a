"""Expressions that bind a variable of their own: comprehensions, quantifiers, reduce(); and map projection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from lens_dsl import ast
from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.access import properties_of, property_of
from lens_runtime.evaluation.equality import Truth
from lens_runtime.evaluation.kinds import kind_of
from lens_runtime.evaluation.logic import decided, negation
from lens_runtime.evaluation.patience import built
from lens_runtime.graph import Value

Row = Mapping[str, Value]


class Evaluating(Protocol):
    """What evaluates the parts of an expression."""

    def value(self, expression: ast.Expression, row: Row) -> Value:
        """The expression's value in the row."""

    def truth(self, expression: ast.Expression, row: Row) -> Truth:
        """The expression as a condition in the row."""


def list_comprehension(evaluator: Evaluating, expression: ast.ListComprehension, row: Row) -> Value:
    """``[x IN list WHERE .. | ..]``; null of null."""
    rows = _rows(evaluator, expression, row)
    if rows is None:
        return None
    where, result = expression.where, expression.result
    found = []
    for inner in rows:
        if where is None or evaluator.truth(where, inner):
            found.append(inner[expression.variable] if result is None else evaluator.value(result, inner))
            built(1)
    return found


def quantifier(evaluator: Evaluating, expression: ast.Quantifier, row: Row) -> Truth:
    """``all``, ``any``, ``none`` and ``single``, three-valued; null of null."""
    rows = _rows(evaluator, expression, row)
    if rows is None:
        return None
    truths = (evaluator.truth(expression.where, inner) for inner in rows)
    if expression.kind == "single":
        return _single(truths)
    if expression.kind == "all":
        return decided(truths, decisive=False)
    found = decided(truths, decisive=True)
    return negation(found) if expression.kind == "none" else found


def _single(truths: Iterator[Truth]) -> Truth:
    found, unknown = 0, False
    for truth in truths:
        found += truth is True
        unknown |= truth is None
        if found > 1:
            return False
    return None if unknown else found == 1


def reduce(evaluator: Evaluating, expression: ast.Reduce, row: Row) -> Value:
    """``reduce(total = start, x IN list | ..)``; null of a null list."""
    total = evaluator.value(expression.initial, row)
    rows = _rows(evaluator, expression, row)
    if rows is None:
        return None
    for inner in rows:
        total = evaluator.value(expression.result, {**inner, expression.accumulator: total})
    return total


def _rows(
    evaluator: Evaluating, expression: ast.ListComprehension | ast.Quantifier | ast.Reduce, row: Row
) -> Iterator[Row] | None:
    """The row with each element of the list in turn; None where the list is null."""
    source = evaluator.value(expression.source, row)
    if source is None:
        return None
    if not isinstance(source, list):
        raise EvaluationProblem(
            "InvalidArgumentType",
            f"{expression.variable} IN takes a List, not {kind_of(source)}",
            span=expression.source.span,
        )
    return ({**row, expression.variable: item} for item in source)


def map_projection(evaluator: Evaluating, expression: ast.MapProjection, row: Row) -> Value:
    """``x {.name, .*, key: .., other}``; null of null."""
    subject = evaluator.value(expression.subject, row)
    if subject is None:
        return None
    projected: dict[str, Value] = {}
    for item in expression.items:
        match item:
            case ("property", str(name)):
                projected[name] = property_of(subject, name)
            case ("all",):
                projected |= properties_of(subject)
            case ("entry", str(name), value):
                projected[name] = evaluator.value(value, row)  # type: ignore[arg-type]
            case ("variable", ast.Variable(name) as variable):
                projected[name] = evaluator.value(variable, row)
    built(len(projected))
    return projected
