"""What one stage brought from the store, before and after the modules' readers have had their say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from lens_dsl.ast import Direction
from lens_runtime.cuts import Cut
from lens_runtime.graph import Coordinate, Node, Relationship

Place = tuple[int, str]  # the bit of a step or an anchor, and the id of a node ("" for the anchor itself)


@dataclass(frozen=True, slots=True)
class Missing:
    """A relationship of a visible record that leads to none; ``target`` is None where nobody knows which it was."""

    relationship: Relationship
    source: Coordinate
    target: Coordinate | None


@dataclass(frozen=True)
class Subgraph:
    """Nodes, relationships and marks of one stage.

    ``held`` are the nodes that hold an anchor's or step's bit, in the store's order; ``walked`` are the
    (near, relationship, far) of each step; ``cuts`` say at which node of which step something visible was
    left out; ``missing`` the relationships whose target its module no longer has.
    """

    nodes: Mapping[str, Node] = field(default_factory=dict)
    relationships: Mapping[str, Relationship] = field(default_factory=dict)
    held: Mapping[int, Sequence[str]] = field(default_factory=dict)
    cuts: Mapping[Place, frozenset[Cut]] = field(default_factory=dict)
    walked: Mapping[int, Sequence[tuple[str, str, str]]] = field(default_factory=dict)
    missing: tuple[Missing, ...] = ()

    @cached_property
    def _around(self) -> dict[str, tuple[list[Relationship], list[Relationship]]]:
        return _adjacency(self.relationships.values())

    def node(self, node_id: str) -> Node | None:
        """The node of that id; None where this stage has none."""
        return self.nodes.get(node_id)

    def around(
        self, node_id: str, types: Iterable[str], direction: Direction
    ) -> Iterator[tuple[Relationship, str]]:
        """Relationships at a node, newest first, with the id of the far end; a loop comes once. No types are all."""
        wanted = set(types)
        outward, inward = self._around.get(node_id, ((), ()))
        if direction in ("out", "both"):
            yield from ((r, r.target) for r in outward if not wanted or r.type in wanted)
        if direction in ("in", "both"):
            loops = direction == "both"
            yield from (
                (r, r.source)
                for r in inward
                if (not wanted or r.type in wanted) and not (loops and r.source == r.target)
            )

    def connected(self, starts: Iterable[str]) -> Subgraph:
        """The same without what its relationships do not join to these nodes any more."""
        reached = {node for node in starts if node in self.nodes}
        frontier = list(reached)
        while frontier:
            outward, inward = self._around.get(frontier.pop(), ((), ()))
            near = {*(r.target for r in outward), *(r.source for r in inward)} - reached
            reached |= near
            frontier += near
        return self.restricted({node: self.nodes[node] for node in self.nodes if node in reached}, self.cuts)

    def restricted(self, nodes: Mapping[str, Node], cuts: Mapping[Place, frozenset[Cut]]) -> Subgraph:
        """The same with these nodes only, and without relationships that lost an end."""
        kept = {
            key: value
            for key, value in self.relationships.items()
            if value.source in nodes and value.target in nodes
        }
        held = {bit: [node for node in ids if node in nodes] for bit, ids in self.held.items()}
        return replace(self, nodes=nodes, relationships=kept, held=held, cuts=cuts)


def _adjacency(
    relationships: Iterable[Relationship],
) -> dict[str, tuple[list[Relationship], list[Relationship]]]:
    around: dict[str, tuple[list[Relationship], list[Relationship]]] = {}
    for relationship in sorted(relationships, key=lambda r: (-(r.observed_at or 0), r.id)):
        around.setdefault(relationship.source, ([], []))[0].append(relationship)
        around.setdefault(relationship.target, ([], []))[1].append(relationship)
    return around
