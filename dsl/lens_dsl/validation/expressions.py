"""Checking an expression against the variables in scope, the functions and the ontology."""

from __future__ import annotations

from dataclasses import replace

from lens_dsl import ast
from lens_dsl.errors import SemanticProblem
from lens_dsl.functions import FUNCTIONS, TEMPORAL, is_aggregate, is_volatile
from lens_dsl.ontology import Ontology, did_you_mean
from lens_dsl.validation.inference import ANY, element_type, type_of
from lens_dsl.validation.names import check_node_property, check_relationship_property, kind_name
from lens_dsl.validation.operands import check_condition, check_operands, wrong_type
from lens_dsl.validation.variables import (
    Environment,
    NodeType,
    PathType,
    RelationshipType,
    ScalarType,
    describe,
)
from lens_dsl.walk import BINDERS, children, rewrite, walk

_WITH_PROPERTIES = TEMPORAL | {"Map"}


def check_expression(
    expression: ast.Expression, environment: Environment, ontology: Ontology, *, aggregates: bool = False
) -> ast.Expression:
    """The expression with stored names for labels; SemanticProblem where it means nothing here.

    ``aggregates`` says whether count() and its like may stand in it (a projection); elsewhere they are refused.
    """
    _check(expression, environment, ontology, aggregates)
    return rewrite(expression, lambda part: _resolved(part, ontology))


def _resolved(part: ast.Expression, ontology: Ontology) -> ast.Expression | None:
    if not isinstance(part, ast.HasLabels):
        return None
    return replace(part, labels=tuple(kind_name(ontology, label, part.span) for label in part.labels))


def _check(part: ast.Expression, environment: Environment, ontology: Ontology, aggregates: bool) -> None:
    if isinstance(part, ast.Variable) and part.name not in environment:
        raise SemanticProblem(
            "UndefinedVariable",
            f"the variable {part.name} is not defined here",
            span=part.span,
            hint=did_you_mean(part.name, (name for name in environment if not name.startswith("#")))
            + "; a text stands in quotes, a parameter behind a $",
        )
    if isinstance(part, BINDERS):
        _check_binder(part, environment, ontology, aggregates)
        return
    if isinstance(part, ast.Property):
        _check_property(part, part.subject, part.name, environment, ontology)
    if isinstance(part, ast.MapProjection):
        _check_map_projection(part, environment, ontology)
    check_operands(part, environment)
    if isinstance(part, ast.Call) and is_aggregate(part.name):
        _check_aggregate(part, aggregates)
        aggregates = False
    for child in children(part):
        _check(child, environment, ontology, aggregates)


def _check_binder(
    part: ast.ListComprehension | ast.Quantifier | ast.Reduce,
    environment: Environment,
    ontology: Ontology,
    aggregates: bool,
) -> None:
    """What binds a variable of its own: only its list is evaluated once, and may aggregate."""
    _check(part.source, environment, ontology, aggregates)
    kind = type_of(part.source, environment)
    if isinstance(kind, (NodeType, PathType)) or (isinstance(kind, ScalarType) and kind.name != "List"):
        raise wrong_type(part.source, f"{part.variable} IN takes a list, not {describe(kind)}")
    inner = {**environment, part.variable: element_type(kind)}
    if isinstance(part, ast.Reduce):
        _check(part.initial, environment, ontology, aggregates)
        _check(part.result, {**inner, part.accumulator: ANY}, ontology, False)
        return
    if part.where is not None:
        _check(part.where, inner, ontology, False)
        check_condition(part.where, inner, "WHERE")
    if isinstance(part, ast.ListComprehension) and part.result is not None:
        _check(part.result, inner, ontology, False)


def _check_map_projection(part: ast.MapProjection, environment: Environment, ontology: Ontology) -> None:
    for item in part.items:
        name = item[1] if item[0] == "property" else ""
        _check_property(part, part.subject, str(name), environment, ontology)


def _check_property(
    part: ast.Node, owner: ast.Expression, name: str, environment: Environment, ontology: Ontology
) -> None:
    """Whether ``owner`` can have properties, and one of this name (none in particular where it is empty)."""
    subject = type_of(owner, environment)
    if isinstance(subject, NodeType):
        if name:
            check_node_property(ontology, subject.kinds, name, part.span)
    elif isinstance(subject, RelationshipType) and not subject.many:
        if name:
            check_relationship_property(ontology, subject.types, name, part.span)
    elif isinstance(subject, (PathType, RelationshipType)) or (
        isinstance(subject, ScalarType) and subject.name not in _WITH_PROPERTIES
    ):
        problem = wrong_type(part, f"{describe(subject)} has no properties")
        problem.type = "TypeError"
        raise problem


def _check_aggregate(part: ast.Call, allowed: bool) -> None:
    name = FUNCTIONS[part.name.lower()].name
    if not allowed:
        raise SemanticProblem(
            "InvalidAggregation",
            f"{name}() aggregates over rows and cannot stand here",
            span=part.span,
            hint="aggregate in a WITH first and use its alias",
        )
    if any(map(has_aggregate, part.arguments)):
        raise SemanticProblem(
            "NestedAggregation",
            f"{name}() cannot take what is an aggregation itself",
            span=part.span,
            hint="aggregate in a WITH first and use its alias",
        )
    volatile = next((p for p in walk(part) if isinstance(p, ast.Call) and is_volatile(p.name)), None)
    if volatile is not None:
        raise SemanticProblem(
            "NonConstantExpression",
            f"{name}() cannot take what is another value each time it is asked for",
            span=volatile.span,
            hint="compute it in a WITH first",
        )


def has_aggregate(expression: ast.Expression) -> bool:
    """Whether an aggregation stands anywhere in it."""
    return any(isinstance(part, ast.Call) and is_aggregate(part.name) for part in walk(expression))
