"""Functions of nodes, relationships, paths and maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from lens_dsl.pattern import Subquery
from lens_dsl.words import words, words_sought
from lens_runtime.evaluation.access import properties_of
from lens_runtime.graph import Node, Path, Relationship, Value

ENDS: Final = frozenset({"startnode", "endnode"})


class Graph(Protocol):
    """What startNode(), endNode() and patterns in expressions need to know."""

    def node(self, node_id: str) -> Node | None:
        """The authorized node of that id; None where there is none."""

    def subquery(self, asked: Subquery, row: Mapping[str, Value]) -> Value:
        """Whether its pattern has a match for the row, or the list of its values."""


def end(name: str, relationship: Value, nodes: Graph | None) -> Value:
    """``startNode(r)`` and ``endNode(r)``."""
    assert isinstance(relationship, Relationship)
    node_id = relationship.source if name == "startnode" else relationship.target
    return nodes.node(node_id) if nodes is not None else None


def _identity(value: Node | Relationship) -> Value:
    # A text, stable and not a number: consecutive integers would tell how much is hidden.
    return value.id


def _labels(node: Node) -> Value:
    return list(node.labels)


def _type(relationship: Relationship) -> Value:
    return relationship.type


def _properties(value: Value) -> Value:
    return properties_of(value)


def _keys(value: Value) -> Value:
    # The key of a map is there even where its value is null; a property that is null is none.
    return list(properties_of(value))


def _nodes(path: Path) -> Value:
    return list(path.nodes)


def _relationships(path: Path) -> Value:
    return list(path.relationships)


def _length(path: Path) -> Value:
    return len(path.relationships)


def _search(node: Node, text: str) -> Value:
    # Case and accents make no difference; a text without a word is found nowhere.
    sought = words_sought(text)
    return bool(sought) and set(sought) <= set(words(f"{node.label} {node.summary or ''}"))


FUNCTIONS: Final[Mapping[str, Callable[..., Value]]] = {
    "id": _identity,
    "labels": _labels,
    "type": _type,
    "properties": _properties,
    "keys": _keys,
    "nodes": _nodes,
    "relationships": _relationships,
    "length": _length,
    "search": _search,
}
