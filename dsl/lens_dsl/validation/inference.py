"""What an expression gives, as far as that is sure from the text alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from lens_dsl import ast
from lens_dsl.functions import FUNCTIONS, NUMBERS
from lens_dsl.pattern import Subquery
from lens_dsl.validation.variables import (
    AnyType,
    Environment,
    NodeType,
    PathType,
    RelationshipType,
    ScalarType,
    VariableType,
)

ANY: Final = AnyType()
_LITERALS: Final = {bool: "Boolean", int: "Integer", float: "Float", str: "String"}
_ELEMENT: Final = frozenset({"head", "last"})
_AS_GIVEN: Final = frozenset({"min", "max", "tail", "reverse"})


def type_of(expression: ast.Expression, environment: Environment) -> VariableType:
    """What an expression gives where it is not null; AnyType where the text does not tell."""
    always = _ALWAYS.get(type(expression))
    if always is not None:
        return ScalarType(always)
    rule = _RULES.get(type(expression))
    return ANY if rule is None else rule(expression, environment)


def element_type(kind: VariableType) -> VariableType:
    """What the elements of a list of this type are."""
    if isinstance(kind, RelationshipType) and kind.many:
        return RelationshipType(kind.types)
    return kind.items if isinstance(kind, ScalarType) and kind.items is not None else ANY


def type_names(kind: VariableType) -> frozenset[str]:
    """The names that a type goes by in ``lens_dsl.functions``; ``Any`` alone where it can be everything."""
    if isinstance(kind, NodeType):
        return frozenset({"Node"})
    if isinstance(kind, RelationshipType):
        return frozenset({"List" if kind.many else "Relationship"})
    if isinstance(kind, PathType):
        return frozenset({"Path"})
    if isinstance(kind, AnyType):
        return frozenset({"Any"})
    return NUMBERS if kind.name == "Number" else frozenset({kind.name})


def is_number(kind: VariableType) -> bool:
    """Whether it is surely a number."""
    return isinstance(kind, ScalarType) and kind.name in NUMBERS


def joined(kinds: Iterable[VariableType]) -> VariableType:
    """The type of what can be of any of these types."""
    found: VariableType | None = None
    for kind in kinds:
        found = kind if found is None else _join(found, kind)
    return ANY if found is None else found


def _join(one: VariableType, other: VariableType) -> VariableType:
    if one == other:
        return one
    if is_number(one) and is_number(other):
        return ScalarType("Number")
    if isinstance(one, NodeType) and isinstance(other, NodeType):
        kinds = None if one.kinds is None or other.kinds is None else one.kinds | other.kinds
        return NodeType(kinds, one.leaf or other.leaf)
    lists = [isinstance(kind, ScalarType) and kind.name == "List" for kind in (one, other)]
    return ScalarType("List") if all(lists) else ANY


def _of_values(values: Iterable[ast.Expression], environment: Environment) -> VariableType:
    """The type of what can be the value of any of these; null says nothing of it."""
    telling = (value for value in values if value != ast.Literal(None))
    return joined(type_of(value, environment) for value in telling)


def _variable(expression: ast.Variable, environment: Environment) -> VariableType:
    return environment.get(expression.name, ANY)


def _literal(expression: ast.Literal, environment: Environment) -> VariableType:
    return ANY if expression.value is None else ScalarType(_LITERALS[type(expression.value)])


def _list(expression: ast.ListLiteral, environment: Environment) -> VariableType:
    return ScalarType("List", _of_values(expression.items, environment))


def _unary(expression: ast.Unary, environment: Environment) -> VariableType:
    return type_of(expression.operand, environment)


def _arithmetic(expression: ast.Arithmetic, environment: Environment) -> VariableType:
    left, right = type_of(expression.left, environment), type_of(expression.right, environment)
    if is_number(left) and is_number(right):
        whole = left == right == ScalarType("Integer") and expression.operator != "^"
        floating = expression.operator == "^" or ScalarType("Float") in (left, right)
        return ScalarType("Integer" if whole else "Float" if floating else "Number")
    names = type_names(left) | type_names(right)
    if expression.operator == "+" and "List" in names:
        return ScalarType("List")
    if expression.operator == "+" and "String" in names and names <= NUMBERS | {"String"}:
        return ScalarType("String")
    return ANY


def _index(expression: ast.Index, environment: Environment) -> VariableType:
    return element_type(type_of(expression.subject, environment))


def _slice(expression: ast.Slice, environment: Environment) -> VariableType:
    return ScalarType("List", element_type(type_of(expression.subject, environment)))


def _case(expression: ast.Case, environment: Environment) -> VariableType:
    results = [then for _, then in expression.branches]
    return _of_values([*results, *([expression.default] if expression.default else [])], environment)


def _comprehension(expression: ast.ListComprehension, environment: Environment) -> VariableType:
    element = element_type(type_of(expression.source, environment))
    if expression.result is None:
        return ScalarType("List", element)
    return ScalarType("List", type_of(expression.result, {**environment, expression.variable: element}))


def _call(expression: ast.Call, environment: Environment) -> VariableType:
    name = expression.name.lower()
    signature = FUNCTIONS.get(name)
    if signature is None:
        return ANY
    given = type_of(expression.arguments[0], environment) if expression.arguments else ANY
    if name in _AS_GIVEN:
        return given
    if name in _ELEMENT:
        return element_type(given)
    if name == "coalesce":
        return _of_values(expression.arguments, environment)
    if name == "collect":
        return ScalarType("List", given)
    if name == "nodes":
        return ScalarType("List", NodeType(None))
    if signature.gives == "Node":
        return NodeType(None)
    return ANY if signature.gives == "Any" else ScalarType(signature.gives)


def _subquery(expression: Subquery, environment: Environment) -> VariableType:
    return ScalarType("Boolean" if expression.column is None else "List")


_ALWAYS: Final[dict[type, str]] = {
    ast.MapLiteral: "Map",
    ast.MapProjection: "Map",
    ast.Comparison: "Boolean",
    ast.Logical: "Boolean",
    ast.Not: "Boolean",
    ast.IsNull: "Boolean",
    ast.In: "Boolean",
    ast.StringTest: "Boolean",
    ast.HasLabels: "Boolean",
    ast.Quantifier: "Boolean",
    ast.PatternPredicate: "Boolean",
    ast.Exists: "Boolean",
    ast.PatternComprehension: "List",
}
_RULES: Final[dict[type, Callable[[Any, Environment], VariableType]]] = {
    ast.Variable: _variable,
    ast.Literal: _literal,
    ast.ListLiteral: _list,
    ast.Unary: _unary,
    ast.Arithmetic: _arithmetic,
    ast.Index: _index,
    ast.Slice: _slice,
    ast.Case: _case,
    ast.ListComprehension: _comprehension,
    ast.Call: _call,
    Subquery: _subquery,
}
