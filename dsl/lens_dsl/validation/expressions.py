"""Checking an expression against the variables in scope, the functions and the ontology."""

from __future__ import annotations

from dataclasses import replace

from lens_dsl import ast
from lens_dsl.errors import SemanticProblem
from lens_dsl.functions import FUNCTIONS, is_aggregate
from lens_dsl.ontology import Ontology, did_you_mean
from lens_dsl.validation.names import check_node_property, check_relationship_property, kind_name
from lens_dsl.validation.variables import (
    AnyType,
    Environment,
    NodeType,
    PathType,
    RelationshipType,
    ScalarType,
    VariableType,
    describe,
    type_of,
)
from lens_dsl.walk import children, rewrite, walk

# What the graph functions take; anything else that is surely of another type is refused.
_TAKES: dict[str, tuple[type[VariableType], ...]] = {
    "type": (RelationshipType,),
    "startnode": (RelationshipType,),
    "endnode": (RelationshipType,),
    "labels": (NodeType,),
    "nodes": (PathType,),
    "relationships": (PathType,),
    "length": (PathType,),
    "id": (NodeType, RelationshipType),
    "search": (NodeType,),
}


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
    if isinstance(part, ast.Property):
        _check_property(part, environment, ontology)
    if isinstance(part, ast.HasLabels):
        _check_labels(part, environment)
    if isinstance(part, (ast.Logical, ast.Not)):
        _check_conditions(part, environment)
    if isinstance(part, ast.In):
        _check_container(part, environment)
    if isinstance(part, ast.Call):
        _check_call(part, environment, aggregates)
        aggregates = aggregates and not is_aggregate(part.name)
    for child in children(part):
        _check(child, environment, ontology, aggregates)


def _check_property(part: ast.Property, environment: Environment, ontology: Ontology) -> None:
    if isinstance(part.subject, ast.Parameter):
        return
    subject = type_of(part.subject, environment)
    if isinstance(subject, NodeType):
        check_node_property(ontology, subject.kinds, part.name, part.span)
    elif isinstance(subject, RelationshipType) and not subject.many:
        check_relationship_property(ontology, subject.types, part.name, part.span)
    elif isinstance(subject, (PathType, RelationshipType)) or (
        isinstance(subject, ScalarType) and subject.name != "Map"
    ):
        problem = _wrong_type(part, f"{describe(subject)} has no properties")
        problem.type = "TypeError"
        raise problem


def _check_labels(part: ast.HasLabels, environment: Environment) -> None:
    subject = type_of(part.subject, environment)
    if not isinstance(subject, (NodeType, AnyType)):
        raise _wrong_type(part, f"{describe(subject)} has no labels")


def _check_conditions(part: ast.Logical | ast.Not, environment: Environment) -> None:
    for operand in children(part):
        kind = type_of(operand, environment)
        if not isinstance(kind, AnyType) and kind != ScalarType("Boolean"):
            word = part.operator if isinstance(part, ast.Logical) else "NOT"
            raise _wrong_type(operand, f"{word} cannot take {describe(kind)}")


def _check_container(part: ast.In, environment: Environment) -> None:
    kind = type_of(part.container, environment)
    if isinstance(kind, ScalarType) and kind.name != "List":
        raise _wrong_type(part.container, f"IN takes a list, not {describe(kind)}")


def _check_call(part: ast.Call, environment: Environment, aggregates: bool) -> None:
    signature = FUNCTIONS.get(part.name.lower())
    if signature is None:
        names = (known.name for known in FUNCTIONS.values())
        raise SemanticProblem(
            "UnknownFunction",
            f"no function is called {part.name}",
            span=part.span,
            hint=did_you_mean(part.name, names),
        )
    if signature.aggregate and not aggregates:
        raise SemanticProblem(
            "InvalidAggregation",
            f"{signature.name}() aggregates over rows and cannot stand here",
            span=part.span,
            hint="aggregate in a WITH first and use its alias",
        )
    if part.distinct and not signature.aggregate:
        raise _wrong_type(part, f"DISTINCT goes with an aggregation, not with {signature.name}()")
    _check_arguments(part, environment)


def _check_arguments(part: ast.Call, environment: Environment) -> None:
    signature = FUNCTIONS[part.name.lower()]
    if part.star:
        if signature.name == "count" and not part.distinct:
            return
        raise _wrong_type(part, "only count() takes a *, and without DISTINCT")
    given = len(part.arguments)
    if given < signature.least or (signature.most is not None and given > signature.most):
        takes = f"{signature.least}" if signature.most == signature.least else f"{signature.least} or more"
        raise SemanticProblem(
            "InvalidNumberOfArguments",
            f"{signature.name}() takes {takes} argument(s), not {given}",
            span=part.span,
        )
    allowed = _TAKES.get(signature.name.lower())
    subject = type_of(part.arguments[0], environment)
    if signature.name == "properties" and isinstance(subject, ScalarType) and subject.name != "Map":
        raise _wrong_type(part, f"properties() cannot take {describe(subject)}")
    text = type_of(part.arguments[-1], environment)
    if signature.name == "search" and text != ScalarType("String") and not isinstance(text, AnyType):
        raise _wrong_type(part, f"search() cannot look for {describe(text)}")
    wrong_many = isinstance(subject, RelationshipType) and subject.many
    if allowed and not isinstance(subject, AnyType) and (not isinstance(subject, allowed) or wrong_many):
        raise _wrong_type(part, f"{signature.name}() cannot take {describe(subject)}")


def _wrong_type(part: ast.Node, message: str) -> SemanticProblem:
    return SemanticProblem("InvalidArgumentType", message, span=part.span)


def has_aggregate(expression: ast.Expression) -> bool:
    """Whether an aggregation stands anywhere in it."""
    return any(isinstance(part, ast.Call) and is_aggregate(part.name) for part in walk(expression))
