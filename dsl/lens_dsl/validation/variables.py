"""What each variable of a query stands for, as far as the text tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lens_dsl import ast


@dataclass(frozen=True, slots=True)
class NodeType:
    """A node; ``kinds`` it can be of, None in an open world. A ``leaf`` is made by a producer: no pattern goes on."""

    kinds: frozenset[str] | None
    leaf: bool = False


@dataclass(frozen=True, slots=True)
class RelationshipType:
    """A relationship of one of ``types``; with ``many`` a list of them."""

    types: tuple[str, ...]
    many: bool = False


@dataclass(frozen=True, slots=True)
class PathType:
    """A named path."""


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A value that is surely no node, relationship or path: ``name`` says what it is."""

    name: str


@dataclass(frozen=True, slots=True)
class AnyType:
    """A computed value: it can be anything, a node too."""


VariableType = NodeType | RelationshipType | PathType | ScalarType | AnyType
Environment = Mapping[str, VariableType]

_SCALAR_NAMES = {bool: "Boolean", int: "Integer", float: "Float", str: "String"}
_NUMBERS = ("count", "size", "length", "tointeger", "tofloat", "abs")
_STRINGS = ("type", "tostring", "tolower", "toupper", "trim")
_BOOLEANS = (ast.Comparison, ast.Logical, ast.Not, ast.IsNull, ast.In, ast.StringTest, ast.HasLabels)


def type_of(expression: ast.Expression, environment: Environment) -> VariableType:
    """What an expression gives, as far as that is sure from the text alone."""
    if isinstance(expression, ast.Variable):
        return environment.get(expression.name, AnyType())
    if isinstance(expression, ast.Literal) and expression.value is not None:
        return ScalarType(_SCALAR_NAMES[type(expression.value)])
    if isinstance(expression, ast.MapLiteral):
        return ScalarType("Map")
    if isinstance(expression, ast.ListLiteral):
        return ScalarType("List")
    if isinstance(expression, _BOOLEANS):
        return ScalarType("Boolean")
    if isinstance(expression, ast.Call):
        return _called(expression.name.lower())
    return AnyType()


def _called(name: str) -> VariableType:
    if name in _NUMBERS:
        return ScalarType("Number")
    if name in _STRINGS:
        return ScalarType("String")
    if name in ("collect", "labels", "keys", "nodes", "relationships"):
        return ScalarType("List")
    if name in ("startnode", "endnode"):
        return NodeType(None)
    return AnyType()


def describe(kind: VariableType) -> str:
    """The type in words, for a message."""
    if isinstance(kind, NodeType):
        return "a node"
    if isinstance(kind, RelationshipType):
        return "a list of relationships" if kind.many else "a relationship"
    if isinstance(kind, PathType):
        return "a path"
    return f"a {kind.name}" if isinstance(kind, ScalarType) else "a value"
