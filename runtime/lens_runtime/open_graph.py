"""Open worlds: any label, type and property. Their records live in the projection alone, which hydrates them.

A record is entered as one of the kind ``ANYTHING`` under its id and under each of its labels; all of its properties
stand in the projection, under one name that no property of its own can take the place of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lens_dsl.ontology import ANYTHING, label_key
from lens_runtime.graph import Coordinate, Node, Value
from lens_runtime.projection.states import EdgeState, NodeState

_FIELDS = "properties"
REVISION = "1"
"""The graph of an open world does not count revisions."""


@dataclass(frozen=True, slots=True)
class OpenNode:
    """A record of an open world."""

    id: str
    labels: tuple[str, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenRelationship:
    """A relationship of an open world, between two records by their ids; ``id`` tells parallel ones apart."""

    id: str
    type: str
    source: str
    target: str
    properties: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenGraph:
    """A module's graph. What has no ``visibility`` property is of the ``unmarked`` class."""

    module: str
    unmarked: str
    nodes: Sequence[OpenNode] = ()
    relationships: Sequence[OpenRelationship] = ()
    context: str = "main"

    def node_states(self) -> Iterator[NodeState]:
        """The records as the projection keeps them."""
        for node in self.nodes:
            labels = {label_key(label): "" for label in node.labels}
            yield NodeState(
                Coordinate(self.module, ANYTHING, node.id),
                revision=REVISION,
                label=node.id,
                visibility=self.class_of(node.properties),
                context=self.context,
                keys=("id", *labels),
                properties={"id": node.id, **labels, _FIELDS: dict(node.properties)},
            )

    def edge_states(self) -> Iterator[EdgeState]:
        """The relationships as the projection keeps them."""
        for each in self.relationships:
            yield EdgeState(
                each.type,
                Coordinate(self.module, ANYTHING, each.source),
                Coordinate(self.module, ANYTHING, each.target),
                self.class_of(each.properties),
                self.module,
                each.id,
                REVISION,
                context=self.context,
                properties=each.properties,
            )

    def class_of(self, properties: Mapping[str, Value]) -> str:
        """The visibility class of what has these properties."""
        found = properties.get("visibility")
        return found if isinstance(found, str) and found else self.unmarked


def opened(node: Node) -> Node:
    """A record of an open world as a query sees it, from what the projection has of it."""
    labels = tuple(name[1:] for name in node.properties if name.startswith(label_key("")))
    fields = node.properties[_FIELDS]
    assert isinstance(fields, Mapping)
    return replace(node, properties=fields, labels=labels, hydrated=True)
