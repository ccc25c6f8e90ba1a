"""Expressions as a clause has them: patterns in them resolved, each where it may stand, then checked as a whole."""

from __future__ import annotations

from dataclasses import replace

from lens_dsl import ast
from lens_dsl.errors import SyntaxProblem
from lens_dsl.validation.expressions import check_expression
from lens_dsl.validation.inference import ANY, element_type, type_of
from lens_dsl.validation.operands import check_condition
from lens_dsl.validation.reading import Reading
from lens_dsl.validation.variables import Environment
from lens_dsl.walk import BINDERS, rewrite

_PATTERNS = (ast.PatternPredicate, ast.PatternComprehension, ast.Exists)
# Where a pattern is a condition: as the whole of it, and below these.
_CONDITIONAL = (ast.Logical, ast.Not)


def read_expression(
    expression: ast.Expression, environment: Environment, reading: Reading, *, aggregates: bool = False
) -> ast.Expression:
    """The expression with every name in it resolved; SemanticProblem or SyntaxProblem where it means nothing."""
    resolved = _resolved(expression, environment, reading, condition=False)
    return check_expression(resolved, environment, reading.ontology, aggregates=aggregates)


def read_condition(expression: ast.Expression, environment: Environment, reading: Reading) -> ast.Expression:
    """As ``read_expression``, for the whole or a term of a WHERE: it may be a pattern."""
    resolved = _resolved(expression, environment, reading, condition=True)
    checked = check_expression(resolved, environment, reading.ontology)
    check_condition(checked, environment, "WHERE")
    return checked


def _resolved(
    expression: ast.Expression, environment: Environment, reading: Reading, *, condition: bool
) -> ast.Expression:
    def change(part: ast.Expression) -> ast.Expression | None:
        if isinstance(part, ast.Call) and _tests_pattern(part):
            return reading.subqueries(part.arguments[0], environment, reading)
        if isinstance(part, ast.PatternPredicate) and not condition:
            raise SyntaxProblem(
                "UnexpectedSyntax",
                "a pattern is a condition and stands in a WHERE, alone or under AND, OR, XOR, NOT",
                span=part.span,
                hint="write exists((a)-->(b)), or a list of what it finds: [(a)-->(b) | b]",
            )
        if isinstance(part, _PATTERNS):
            return reading.subqueries(part, environment, reading)
        if isinstance(part, BINDERS):
            return _binder(part, environment, reading)
        if part is expression:
            return None
        below = condition and isinstance(expression, _CONDITIONAL)
        return _resolved(part, environment, reading, condition=below)

    return rewrite(expression, change)


def _tests_pattern(part: ast.Call) -> bool:
    """``exists((a)-->(b))``."""
    return (
        part.name.lower() == "exists"
        and len(part.arguments) == 1
        and (isinstance(part.arguments[0], ast.PatternPredicate))
    )


def _binder(
    part: ast.ListComprehension | ast.Quantifier | ast.Reduce, environment: Environment, reading: Reading
) -> ast.Expression:
    """What binds a variable of its own, with that in scope below it; its WHERE is a condition."""
    source = _resolved(part.source, environment, reading, condition=False)
    inner = {**environment, part.variable: element_type(type_of(source, environment))}
    if isinstance(part, ast.Reduce):
        initial = _resolved(part.initial, environment, reading, condition=False)
        inner[part.accumulator] = ANY
        result = _resolved(part.result, inner, reading, condition=False)
        return replace(part, source=source, initial=initial, result=result)
    where = part.where and _resolved(part.where, inner, reading, condition=True)
    if isinstance(part, ast.Quantifier):
        assert where is not None
        return replace(part, source=source, where=where)
    mapped = part.result and _resolved(part.result, inner, reading, condition=False)
    return replace(part, source=source, where=where, result=mapped)
