"""The evaluator: an expression and a row give a value, with three-valued logic throughout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lens_dsl import ast
from lens_dsl.errors import EvaluationProblem
from lens_runtime.evaluation.arithmetic import arithmetic, kind_of, negate
from lens_runtime.evaluation.equality import Truth, contains, equal
from lens_runtime.evaluation.functions import FUNCTIONS, Graph, coalesce
from lens_runtime.evaluation.ordering import less, less_or_equal
from lens_runtime.evaluation.patience import tick
from lens_runtime.graph import Node, Relationship, Value

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
    subject = evaluator.value(expression.subject, row)
    if subject is None:
        return None
    if isinstance(subject, (Node, Relationship)):
        return subject.properties.get(expression.name)
    if isinstance(subject, Mapping):
        return subject.get(expression.name)
    raise EvaluationProblem("InvalidArgumentType", f"{kind_of(subject)} has no properties")


def _index(evaluator: Evaluator, expression: ast.Index, row: Row) -> Value:
    subject, index = evaluator.value(expression.subject, row), evaluator.value(expression.index, row)
    if subject is None or index is None:
        return None
    if isinstance(subject, list):
        if isinstance(index, bool) or not isinstance(index, int):
            raise EvaluationProblem("InvalidArgumentType", f"a list has no element {kind_of(index)}")
        return subject[index] if -len(subject) <= index < len(subject) else None
    if isinstance(subject, (Mapping, Node, Relationship)):
        if not isinstance(index, str):
            raise EvaluationProblem(
                "MapElementAccessByNonString", f"a property is named by a String, not {kind_of(index)}"
            )
        return (subject if isinstance(subject, Mapping) else subject.properties).get(index)
    raise EvaluationProblem("InvalidArgumentType", f"{kind_of(subject)} has no elements")


def _slice(evaluator: Evaluator, expression: ast.Slice, row: Row) -> Value:
    subject = evaluator.value(expression.subject, row)
    bounds = []
    for bound in (expression.start, expression.end):
        value = None if bound is None else evaluator.value(bound, row)
        if bound is not None and value is None:
            return None
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise EvaluationProblem(
                "InvalidArgumentType", f"a slice is bounded by an Integer, not {kind_of(value)}"
            )
        bounds.append(value)
    if subject is None:
        return None
    if not isinstance(subject, list):
        raise EvaluationProblem("InvalidArgumentType", f"{kind_of(subject)} has no slices")
    return subject[bounds[0] : bounds[1]]


def _list(evaluator: Evaluator, expression: ast.ListLiteral, row: Row) -> Value:
    return [evaluator.value(item, row) for item in expression.items]


def _map(evaluator: Evaluator, expression: ast.MapLiteral, row: Row) -> Value:
    return {key: evaluator.value(value, row) for key, value in expression.entries}


def _unary(evaluator: Evaluator, expression: ast.Unary, row: Row) -> Value:
    value = evaluator.value(expression.operand, row)
    if expression.operator == "-":
        return negate(value)
    if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)):
        return value
    raise EvaluationProblem("InvalidArgumentType", f"+ cannot take {kind_of(value)}")


def _arithmetic(evaluator: Evaluator, expression: ast.Arithmetic, row: Row) -> Value:
    left, right = evaluator.value(expression.left, row), evaluator.value(expression.right, row)
    return arithmetic(expression.operator, left, right)


def _comparison(evaluator: Evaluator, expression: ast.Comparison, row: Row) -> Value:
    left = evaluator.value(expression.first, row)
    answer: Truth = True
    for operator, operand in expression.rest:
        right = evaluator.value(operand, row)
        answer = _and(answer, _compare(operator, left, right))
        left = right
    return answer


def _compare(operator: str, left: Value, right: Value) -> Truth:
    if operator == "=":
        return equal(left, right)
    if operator == "<>":
        return _not(equal(left, right))
    if operator in ("<", ">"):
        return less(left, right) if operator == "<" else less(right, left)
    return less_or_equal(left, right) if operator == "<=" else less_or_equal(right, left)


def _not(value: Truth) -> Truth:
    return None if value is None else not value


def _and(left: Truth, right: Truth) -> Truth:
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def _logical(evaluator: Evaluator, expression: ast.Logical, row: Row) -> Value:
    if expression.operator == "XOR":
        return _exclusive([evaluator.truth(operand, row) for operand in expression.operands])
    decisive = expression.operator == "OR"
    unknown = False
    for operand in expression.operands:
        value = evaluator.truth(operand, row)
        if value is decisive:
            return decisive
        unknown |= value is None
    return None if unknown else not decisive


def _exclusive(values: list[Truth]) -> Truth:
    if any(value is None for value in values):
        return None
    return sum(bool(value) for value in values) % 2 == 1


def _negation(evaluator: Evaluator, expression: ast.Not, row: Row) -> Value:
    return _not(evaluator.truth(expression.operand, row))


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
    name = expression.name.lower()
    values = [evaluator.value(argument, row) for argument in expression.arguments]
    if name == "coalesce":
        return coalesce(*values)
    if values[0] is None:
        return None
    if name in ("startnode", "endnode"):
        return _end(evaluator, name, values[0])
    return FUNCTIONS[name](*values)


def _end(evaluator: Evaluator, name: str, value: Value) -> Value:
    if not isinstance(value, Relationship):
        raise EvaluationProblem("InvalidArgumentValue", f"{name}() cannot take {kind_of(value)}")
    node_id = value.source if name == "startnode" else value.target
    return evaluator.graph.node(node_id) if evaluator.graph is not None else None


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
}
