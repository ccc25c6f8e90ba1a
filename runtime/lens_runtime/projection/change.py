"""One batch of changes as the statements that bring the tables from the old to the new, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lens_dsl.ontology import ANYTHING
from lens_dsl.plan import Statement
from lens_dsl.words import words
from lens_runtime.projection.identity import text_row_of
from lens_runtime.projection.intern import Interned, chunks
from lens_runtime.projection.links import AdjacencyRow, KeyRow, ScopeKey, adjacency, key_rows, scopes
from lens_runtime.projection.records import EdgeRecord, NodeRecord

Nodes = Mapping[int, NodeRecord]


@dataclass(frozen=True, slots=True)
class NodeChange:
    """A record before and after; None where there is none."""

    old: NodeRecord | None
    new: NodeRecord | None


@dataclass(frozen=True, slots=True)
class EdgeChange:
    """An edge before and after; a change of its ends' records alone leaves both equal."""

    old: EdgeRecord | None
    new: EdgeRecord | None


@dataclass(frozen=True, slots=True)
class Batch:
    """What changes together. ``before`` and ``after`` hold every node that an edge of the batch ends at."""

    nodes: Sequence[NodeChange]
    edges: Sequence[EdgeChange]
    before: Nodes
    after: Nodes


class Writer:
    """Turns batches into statements for one generation of one world."""

    def __init__(self, world: str, generation: int, types: Interned[str], vis: Interned[ScopeKey]) -> None:
        self._world = world
        self._generation = generation
        self._types = types
        self._vis = vis

    def statements(self, batch: Batch, now: int) -> list[Statement]:
        """The difference as fixed statements, to be run as one atomic write."""
        derived = [*self._keys(batch.nodes), *self._links(batch)]
        rows = [*self._node_rows(batch.nodes, now), *self._edge_rows(batch.edges, now)]
        scopes_ = chunks("add_scopes", ([vis, *key] for vis, key in self._vis.take_fresh()), self._world)
        return [*scopes_, *chunks("add_types", self._types.take_fresh()), *rows, *derived]

    def _node_rows(self, changes: Sequence[NodeChange], now: int) -> list[Statement]:
        gone = [change.old.nid for change in changes if change.old and not change.new]
        put = sorted((change.new for change in changes if change.new), key=lambda node: node.nid)
        rows = ((*node, *self._entries(node), self._text_row(node), _words(node)) for node in put)
        return [
            *chunks("drop_text", self._in_text_order(change.old for change in changes)),
            *chunks("drop_nodes", gone),
            *chunks("put_nodes", rows, self._generation, self._world, now),
            *chunks("add_text", self._in_text_order(put)),
        ]

    def _in_text_order(self, nodes: Iterable[NodeRecord | None]) -> list[int]:
        return [node.nid for node in sorted(filter(None, nodes), key=self._text_row)]

    def _text_row(self, node: NodeRecord) -> int:
        return text_row_of(self._generation, node.id)

    def _entries(self, node: NodeRecord) -> tuple[int | None, int | None]:
        """``vis`` (under the record's own guard) and ``vis_any``."""
        found = scopes(node, self._vis)
        if node.guard is None:
            return (None, found[0])
        return (found[0], found[1] if len(found) > 1 else None)

    def _edge_rows(self, changes: Sequence[EdgeChange], now: int) -> list[Statement]:
        gone = [change.old.eid for change in changes if change.old and not change.new]
        put = sorted((c.new for c in changes if c.new and c.new != c.old), key=lambda edge: edge.eid)
        return [*chunks("drop_edges", gone), *chunks("put_edges", put, self._generation, now)]

    def _keys(self, changes: Sequence[NodeChange]) -> list[Statement]:
        old: set[KeyRow] = {
            row for change in changes if change.old for row in key_rows(change.old, self._vis)
        }
        new: set[KeyRow] = {
            row for change in changes if change.new for row in key_rows(change.new, self._vis)
        }
        return [
            *chunks("drop_keys", sorted(old - new), self._generation),
            *chunks("add_keys", sorted(new - old), self._generation),
        ]

    def _links(self, batch: Batch) -> list[Statement]:
        old = set(self._adjacency((change.old for change in batch.edges), batch.before))
        new = set(self._adjacency((change.new for change in batch.edges), batch.after))
        gone, come = sorted(old - new), sorted(new - old)
        fan: Counter[tuple[int, ...]] = Counter(row[:4] for row in come)
        fan.subtract(row[:4] for row in gone)
        moved = sorted((group, n) for group, n in fan.items() if n)
        return [
            *chunks("drop_adjacency", gone),
            *chunks("add_adjacency", come),
            *chunks("add_fan", ([*group, n] for group, n in moved)),
            *chunks("drop_fan", (group for group, n in moved if n < 0)),
        ]

    def _adjacency(self, edges: Iterable[EdgeRecord | None], nodes: Nodes) -> Iterable[AdjacencyRow]:
        for edge in edges:
            if edge is not None and edge.src is not None and edge.dst is not None:
                source, target = nodes[edge.src], nodes[edge.dst]
                for name in _followed_as(edge, source, target):
                    yield from adjacency(edge, source, target, self._types(name), self._vis)


def _followed_as(edge: EdgeRecord, source: NodeRecord, target: NodeRecord) -> set[str]:
    """The types under which an edge is found: in an open world, which declares none, under "any" as well."""
    return {edge.type, ANYTHING} if ANYTHING in (source.kind, target.kind) else {edge.type}


def _words(node: NodeRecord) -> str:
    """What the record is found by: the words of its approved label and summary, and of nothing else (P15, P16)."""
    return " ".join(words(f"{node.label} {node.summary or ''}"))
