"""Walks: what they bind, the ways that they can be walked again, and the paths they make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lens_dsl import ast
from lens_dsl.pattern import PathSlot
from lens_dsl.plan import Expansion
from lens_runtime.graph import Node, Path, Relationship, Value
from lens_runtime.table import Row


def bound_to(action: Expansion, walk: tuple[Relationship, ...]) -> Value:
    """What a walk binds its variable to: a relationship, or a list of them in the order of the pattern."""
    if not action.slot.many:
        return walk[0]
    return list(reversed(walk)) if action.reversed else list(walk)


def walked(value: Value) -> list[Relationship]:
    """The relationships that a relationship variable of a pattern holds: one, or those of a walk."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, Relationship)]


def ways_along(walk: Sequence[Relationship], direction: ast.Direction) -> Iterator[tuple[str, str]]:
    """The first and the last node of every way that these relationships can be walked in this order."""
    first = walk[0]
    starts = {"out": [first.source], "in": [first.target], "both": [first.source, first.target]}[direction]
    for start in dict.fromkeys(starts):
        at: str | None = start
        for relationship in walk:
            if at == relationship.source and direction != "in":
                at = relationship.target
            elif at == relationship.target and direction != "out":
                at = relationship.source
            else:
                at = None
        if at is not None:
            yield start, at


def path_of(path: PathSlot, row: Row, node: Callable[[str], Node | None]) -> Path:
    """The nodes and relationships of a named path in the order it is written; ``node`` finds them by their ids."""
    start = row[path.nodes[0]]
    assert isinstance(start, Node)
    nodes, relationships = [start], []
    for name in path.relationships:
        for relationship in walked(row[name]):
            near = nodes[-1].id
            far = node(relationship.target if relationship.source == near else relationship.source)
            assert far is not None
            relationships.append(relationship)
            nodes.append(far)
    return Path(tuple(nodes), tuple(relationships))
