"""Patterns: nodes and relationships to be found."""

from __future__ import annotations

from dataclasses import dataclass

from lens_dsl.ast.base import Direction, Node
from lens_dsl.ast.expressions import MapLiteral, Parameter


@dataclass(frozen=True, slots=True)
class NodePattern(Node):
    """``(v:A|B:C {k: 1})``: ``labels`` is a conjunction of alternatives, here ((A, B), (C,))."""

    variable: str | None
    labels: tuple[tuple[str, ...], ...] = ()
    properties: MapLiteral | Parameter | None = None


@dataclass(frozen=True, slots=True)
class RelationshipPattern(Node):
    """``-[v:A|B*1..3 {k: 1}]->``; ``hops`` is None for one plain hop, else (low, high), None = not written."""

    variable: str | None
    types: tuple[str, ...] = ()
    direction: Direction = "both"
    hops: tuple[int | None, int | None] | None = None
    properties: MapLiteral | Parameter | None = None


@dataclass(frozen=True, slots=True)
class PathPattern(Node):
    """``p = (a)-[r]->(b)``: nodes and relationships alternate, nodes at both ends."""

    variable: str | None
    elements: tuple[NodePattern | RelationshipPattern, ...]
