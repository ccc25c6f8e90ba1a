"""Open worlds: any label, type and property. Their records live in the projection alone, which hydrates them.

A record is entered as one of the kind ``ANYTHING`` under its id and under each of its labels; all of its properties
stand in the projection, under one name that no property of its own can take the place of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from lens_dsl.ontology import ANYTHING, label_key
from lens_runtime.graph import Coordinate, Node, Value
from lens_runtime.projection.states import EdgeState, NodeState

MODULE = "graph"
UNMARKED = "-"
"""The visibility class of what has no ``visibility`` property: every actor of an open world may read it."""
_FIELDS = "properties"


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


def node_states(nodes: Iterable[OpenNode], context: str = "main") -> Iterator[NodeState]:
    """The records as the projection keeps them."""
    for node in nodes:
        labels = {label_key(label): "" for label in node.labels}
        yield NodeState(
            _coordinate(node.id),
            revision="1",
            label=node.id,
            visibility=_class(node.properties),
            context=context,
            keys=("id", *labels),
            properties={"id": node.id, **labels, _FIELDS: dict(node.properties)},
        )


def edge_states(relationships: Iterable[OpenRelationship], context: str = "main") -> Iterator[EdgeState]:
    """The relationships as the projection keeps them."""
    for each in relationships:
        yield EdgeState(
            each.type,
            _coordinate(each.source),
            _coordinate(each.target),
            _class(each.properties),
            MODULE,
            each.id,
            "1",
            context=context,
            properties=each.properties,
        )


def opened(node: Node) -> Node:
    """A record of an open world as a query sees it, from what the projection has of it."""
    labels = tuple(name[1:] for name in node.properties if name.startswith(label_key("")))
    fields = node.properties[_FIELDS]
    assert isinstance(fields, Mapping)
    return replace(node, properties=fields, labels=labels, hydrated=True)


def classes_of(states: Iterable[NodeState | EdgeState]) -> frozenset[str]:
    """Every visibility class that is used."""
    return frozenset({UNMARKED, *(state.visibility for state in states)})


def _coordinate(record_id: str) -> Coordinate:
    return Coordinate(MODULE, ANYTHING, record_id)


def _class(properties: Mapping[str, Value]) -> str:
    found = properties.get("visibility")
    return found if isinstance(found, str) and found else UNMARKED
