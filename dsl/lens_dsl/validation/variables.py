"""What each variable of a query stands for, as far as the text tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


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
    """A value that is surely no node, relationship or path: ``name`` says what it is, ``items`` what a list holds."""

    name: str
    items: VariableType | None = None


@dataclass(frozen=True, slots=True)
class AnyType:
    """A computed value: it can be anything, a node too."""


VariableType = NodeType | RelationshipType | PathType | ScalarType | AnyType
Environment = Mapping[str, VariableType]


def describe(kind: VariableType) -> str:
    """The type in words, for a message."""
    if isinstance(kind, NodeType):
        return "a node"
    if isinstance(kind, RelationshipType):
        return "a list of relationships" if kind.many else "a relationship"
    if isinstance(kind, PathType):
        return "a path"
    if not isinstance(kind, ScalarType):
        return "a value"
    return f"an {kind.name}" if kind.name == "Integer" else f"a {kind.name}"
