"""Patterns in expressions: pattern predicates, pattern comprehensions and ``exists { }``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from lens_dsl import ast
from lens_dsl.errors import SemanticProblem, UnsupportedFeature
from lens_dsl.formatter import format_expression
from lens_dsl.ontology import did_you_mean
from lens_dsl.pattern import Block, Column, MatchBlock, Subquery
from lens_dsl.validation.conditions import read_expression
from lens_dsl.validation.matches import MatchReader
from lens_dsl.validation.pipeline import read_clauses
from lens_dsl.validation.reading import Reading
from lens_dsl.validation.variables import Environment, VariableType
from lens_dsl.walk import walk


def read_subquery(expression: ast.Expression, environment: Environment, reading: Reading) -> ast.Expression:
    """The pattern with its names resolved. SemanticProblem or UnsupportedFeature where it means nothing here."""
    column = None
    inner = dict(environment)
    if isinstance(expression, ast.PatternPredicate):
        _refuse_new_variables(expression.pattern, environment)
        parts: tuple[tuple[Block, ...], ...] = ((_match((expression.pattern,), None, inner, reading),),)
    elif isinstance(expression, ast.PatternComprehension):
        parts = ((_match((expression.pattern,), expression.where, inner, reading),),)
        column = Column("#value", read_expression(expression.result, inner, reading))
    elif isinstance(expression, ast.Exists) and isinstance(expression.body, ast.Query):
        parts = tuple(
            read_clauses(part.clauses, dict(environment), reading, outer=environment)[0]
            for part in expression.body.parts
        )
    elif isinstance(expression, ast.Exists) and isinstance(expression.body, tuple):
        parts = ((_match(expression.body, expression.where, inner, reading),),)
    else:
        raise TypeError(f"no pattern stands in a {type(expression).__name__}")
    names = sorted(set(_names(expression)) & environment.keys())
    uses = tuple((name, ast.Variable(name, span=expression.span)) for name in names)
    text = format_expression(expression)
    found = Subquery(reading.name("sub"), text, uses, parts, column, span=expression.span)
    return cast(ast.Expression, found)


def _match(
    patterns: tuple[ast.PathPattern, ...],
    where: ast.Expression | None,
    environment: dict[str, VariableType],
    reading: Reading,
) -> MatchBlock:
    clause = ast.Match(False, patterns, where, span=patterns[0].span)
    reader = MatchReader(reading, environment)
    block = reader.read(clause)
    if reader.virtual:
        raise UnsupportedFeature(
            "VirtualRelationship",
            "what a producer makes cannot stand in a pattern inside an expression",
            span=clause.span,
            hint="match it in a clause of its own",
        )
    return block


def _refuse_new_variables(pattern: ast.PathPattern, environment: Environment) -> None:
    for element in pattern.elements:
        name = element.variable
        if name is not None and name not in environment:
            raise SemanticProblem(
                "UndefinedVariable",
                f"the variable {name} is not defined here, and a pattern in a condition binds none",
                span=element.span,
                hint=did_you_mean(name, (known for known in environment if not known.startswith("#"))),
            )


def _names(expression: ast.Expression) -> Iterator[str]:
    for part in walk(expression):
        if isinstance(part, ast.Variable):
            yield part.name
        elif isinstance(part, (ast.NodePattern, ast.RelationshipPattern)) and part.variable is not None:
            yield part.variable
