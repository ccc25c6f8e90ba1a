"""The graph a query is decided on: plain values, hydrated and authorized, without surrogates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Value = object  # None, bool, int, float, str, list, dict, Node, Relationship, Path


@dataclass(frozen=True, slots=True)
class Coordinate:
    """Where a record lives: ``module:Type:ID``, split at the first two colons."""

    module: str
    entity_type: str
    entity_id: str

    def __str__(self) -> str:
        return f"{self.module}:{self.entity_type}:{self.entity_id}"

    @classmethod
    def parse(cls, text: str) -> Coordinate:
        """The coordinate a text names; ValueError where it has fewer than two colons."""
        module, kind, entity_id = text.split(":", 2)
        return cls(module, kind, entity_id)


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A record as the projection has it (``properties``) or, once hydrated, as its module says it is."""

    id: str
    coordinate: Coordinate
    revision: str
    label: str
    visibility: str
    observed_at: int | None
    properties: Mapping[str, Value] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    summary: str | None = None
    projected_revision: str | None = None
    hydrated: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class Provenance:
    """The record that asserts a relationship, at the revision and event that first did (P8, P9)."""

    module: str
    entity_id: str
    revision: str
    event_id: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Relationship:
    """A typed, directed relationship between two nodes, named by their ids."""

    id: str
    type: str
    source: str
    target: str
    provenance: Provenance
    visibility: str
    observed_at: int | None
    properties: Mapping[str, Value] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Relationship) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class Path:
    """A walk: one node more than relationships."""

    nodes: tuple[Node, ...]
    relationships: tuple[Relationship, ...] = ()
