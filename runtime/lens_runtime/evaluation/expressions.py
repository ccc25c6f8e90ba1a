"""The evaluator: an expression and a row give a value, with three-valued logic throughout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lens_dsl import ast
from lens_dsl.errors import EvaluationProblem
from lens_dsl.pattern import Subquery
from lens_runtime.evaluation import binders
from lens_runtime.evaluation.access import element_of, property_of, slice_of
from lens_runtime.evaluation.arithmetic import LARGEST, arithmetic, negate
from lens_runtime.evaluation.equality import Truth, contains, equal
from lens_runtime.evaluation.functions import call
from lens_runtime.evaluation.functions.graph import Graph
from lens_runtime.evaluation.kinds import is_number, kind_of
from lens_runtime.evaluation.logic import compare, decided, exclusive, negation
from lens_runtime.evaluation.patience import built, tick
from lens_runtime.evaluation.regular import matches
from lens_runtime.graph import Node, Value

Row = Mapping[str, Value]


@dataclass(frozen=True)
class Evaluator:
    """Evaluates expressions against rows; ``graph`` answers startNode() and endNode()."""

    parameters: Mapping[str, Value]
    graph: Graph | None = None

    def value(self, expression: ast.Expression, row: Row) -> Value:
        """The expression's value in this row. EvaluationProblem, with its place, where it has none."""
        tick()
        try:
            return _EVALUATE[type(expression)](self, expression, row)
        except EvaluationProblem as problem:
            problem.span = problem.span or expression.span
            raise

    def truth(self, expression: ast.Expression, row: Row) -> Truth:
        """The expression as a condition: True, False, or None for unknown; anything else is an error."""
        value = self.value(expression, row)
        if value is None or isinstance(value, bool):
            return value
        raise EvaluationProblem(
            "InvalidArgumentType", f"a condition is a Boolean, not {kind_of(value)}", span=expression.span
        )


def _literal(_: Evaluator, expression: ast.Literal, row: Row) -> Value:
    return expression.value


def _parameter(evaluator: Evaluator, expression: ast.Parameter, row: Row) -> Value:
    return evaluator.parameters[expression.name]


def _variable(_: Evaluator, expression: ast.Variable, row: Row) -> Value:
    return row[expression.name]


def _property(evaluator: Evaluator, expression: ast.Property, row: Row) -> Value:
    return property_of(evaluator.value(expression.subject, row), expression.name)


def _index(evaluator: Evaluator, expression: ast.Index, row: Row) -> Value:
    return element_of(evaluator.value(expression.subject, row), evaluator.value(expression.index, row))


def _slice(evaluator: Evaluator, expression: ast.Slice, row: Row) -> Value:
    subject = evaluator.value(expression.subject, row)
    start = 0 if expression.start is None else evaluator.value(expression.start, row)
    end = LARGEST if expression.end is None else evaluator.value(expression.end, row)
    return slice_of(subject, start, end)


def _list(evaluator: Evaluator, expression: ast.ListLiteral, row: Row) -> Value:
    built(len(expression.items))
    return [evaluator.value(item, row) for item in expression.items]


def _map(evaluator: Evaluator, expression: ast.MapLiteral, row: Row) -> Value:
    built(len(expression.entries))
    return {key: evaluator.value(value, row) for key, value in expression.entries}


def _unary(evaluator: Evaluator, expression: ast.Unary, row: Row) -> Value:
    value = evaluator.value(expression.operand, row)
    if expression.operator == "-":
        return negate(value)
    if value is None or is_number(value):
        return value
    raise EvaluationProblem("InvalidArgumentType", f"+ cannot take {kind_of(value)}")


def _arithmetic(evaluator: Evaluator, expression: ast.Arithmetic, row: Row) -> Value:
    left, right = evaluator.value(expression.left, row), evaluator.value(expression.right, row)
    return arithmetic(expression.operator, left, right)


def _comparison(evaluator: Evaluator, expression: ast.Comparison, row: Row) -> Value:
    left = evaluator.value(expression.first, row)
    links: list[Truth] = []
    for operator, operand in expression.rest:
        right = evaluator.value(operand, row)
        links.append(compare(operator, left, right))
        left = right
    return decided(links, decisive=False)


def _logical(evaluator: Evaluator, expression: ast.Logical, row: Row) -> Value:
    truths = (evaluator.truth(operand, row) for operand in expression.operands)
    if expression.operator == "XOR":
        return exclusive(truths)
    return decided(truths, decisive=expression.operator == "OR")


def _negation(evaluator: Evaluator, expression: ast.Not, row: Row) -> Value:
    return negation(evaluator.truth(expression.operand, row))


def _is_null(evaluator: Evaluator, expression: ast.IsNull, row: Row) -> Value:
    return (evaluator.value(expression.operand, row) is None) is not expression.negated


def _in(evaluator: Evaluator, expression: ast.In, row: Row) -> Value:
    item, container = evaluator.value(expression.item, row), evaluator.value(expression.container, row)
    if container is not None and not isinstance(container, list):
        raise EvaluationProblem("InvalidArgumentType", f"IN takes a List, not {kind_of(container)}")
    return contains(item, container)


_STRING_TESTS: dict[str, Callable[[str, str], bool]] = {
    "STARTS WITH": str.startswith,
    "ENDS WITH": str.endswith,
    "CONTAINS": str.__contains__,
    "=~": matches,
}


def _string_test(evaluator: Evaluator, expression: ast.StringTest, row: Row) -> Value:
    left, right = evaluator.value(expression.left, row), evaluator.value(expression.right, row)
    if not (isinstance(left, str) and isinstance(right, str)):
        return None
    return _STRING_TESTS[expression.operator](left, right)


def _has_labels(evaluator: Evaluator, expression: ast.HasLabels, row: Row) -> Value:
    subject = evaluator.value(expression.subject, row)
    if subject is None:
        return None
    if not isinstance(subject, Node):
        raise EvaluationProblem("InvalidArgumentType", f"{kind_of(subject)} has no labels")
    return all(label in subject.labels for label in expression.labels)


def _call(evaluator: Evaluator, expression: ast.Call, row: Row) -> Value:
    values = [evaluator.value(argument, row) for argument in expression.arguments]
    return call(expression.name.lower(), values, evaluator.graph)


def _case(evaluator: Evaluator, expression: ast.Case, row: Row) -> Value:
    subject = None if expression.subject is None else evaluator.value(expression.subject, row)
    for when, then in expression.branches:
        if expression.subject is None:
            chosen = evaluator.truth(when, row)
        else:
            chosen = equal(subject, evaluator.value(when, row))
        if chosen:
            return evaluator.value(then, row)
    return None if expression.default is None else evaluator.value(expression.default, row)


def _subquery(evaluator: Evaluator, expression: Subquery, row: Row) -> Value:
    if evaluator.graph is None:
        raise TypeError("a pattern in an expression needs a graph to be matched on")
    return evaluator.graph.subquery(expression, row)


_EVALUATE: dict[type, Callable[..., Value]] = {
    ast.Literal: _literal,
    ast.Parameter: _parameter,
    ast.Variable: _variable,
    ast.Property: _property,
    ast.Index: _index,
    ast.Slice: _slice,
    ast.ListLiteral: _list,
    ast.MapLiteral: _map,
    ast.Unary: _unary,
    ast.Arithmetic: _arithmetic,
    ast.Comparison: _comparison,
    ast.Logical: _logical,
    ast.Not: _negation,
    ast.IsNull: _is_null,
    ast.In: _in,
    ast.StringTest: _string_test,
    ast.HasLabels: _has_labels,
    ast.Call: _call,
    ast.Case: _case,
    ast.ListComprehension: binders.list_comprehension,
    ast.Quantifier: binders.quantifier,
    ast.Reduce: binders.reduce,
    ast.MapProjection: binders.map_projection,
    Subquery: _subquery,
}
