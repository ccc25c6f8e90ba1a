"""From a difference between a module and the projection to one batch: with every link that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lens_runtime.projection.change import Batch, EdgeChange, NodeChange
from lens_runtime.projection.records import EdgeRecord, NodeRecord
from lens_runtime.projection.tables import Tables


@dataclass(frozen=True, slots=True)
class Difference:
    """Records and relationships to put (new or changed) and to remove, by id, with what the tables hold of them."""

    nodes: Mapping[str, NodeRecord] = field(default_factory=dict)
    stored_nodes: Mapping[str, NodeRecord] = field(default_factory=dict)
    nodes_gone: Sequence[NodeRecord] = ()
    edges: Mapping[str, EdgeRecord] = field(default_factory=dict)
    stored_edges: Mapping[str, EdgeRecord] = field(default_factory=dict)
    edges_gone: Sequence[EdgeRecord] = ()

    @property
    def size(self) -> int:
        """How many records and relationships it writes."""
        return len(self.nodes) + len(self.nodes_gone) + len(self.edges) + len(self.edges_gone)


class Batcher:
    """Gives new records and relationships their surrogates, and finds the ends of every relationship touched."""

    def __init__(self, tables: Tables, nid: int, eid: int) -> None:
        self._tables = tables
        self._nid = nid
        self._eid = eid

    def batch(self, difference: Difference) -> Batch:
        """The whole batch; it reads the relationships around what comes, goes or moves to another scope."""
        changed = [*self._put_nodes(difference), *(NodeChange(node, None) for node in difference.nodes_gone)]
        come = {c.new.id: c.new.nid for c in changed if c.new and not c.old}
        gone = {c.old.nid for c in changed if c.old and not c.new}
        moved = {c.old.nid for c in changed if c.old and c.new and c.old.face != c.new.face}
        written = {*difference.edges, *(edge.id for edge in difference.edges_gone)}
        around = [
            e for e in self._tables.edges_around(sorted(gone | moved), sorted(come)) if e.id not in written
        ]
        before = self._before(changed, difference, around)
        after = {nid: node for nid, node in before.items() if nid not in gone}
        after |= {change.new.nid: change.new for change in changed if change.new}
        ends = {node.id: node.nid for node in after.values()}
        edges = [
            *(EdgeChange(edge, None) for edge in difference.edges_gone),
            *(EdgeChange(edge, _linked(edge, ends)) for edge in around),
            *self._put_edges(difference, ends),
        ]
        return Batch(changed, edges, before, after)

    def _put_nodes(self, difference: Difference) -> Iterable[NodeChange]:
        for id_, record in difference.nodes.items():
            stored = difference.stored_nodes.get(id_)
            if stored is None:
                self._nid += 1
            yield NodeChange(stored, record._replace(nid=stored.nid if stored else self._nid))

    def _put_edges(self, difference: Difference, ends: Mapping[str, int]) -> Iterable[EdgeChange]:
        for id_, record in difference.edges.items():
            stored = difference.stored_edges.get(id_)
            if stored is None:
                self._eid += 1
            first = stored or record
            put = record._replace(
                eid=first.eid or self._eid,
                revision=first.revision,
                event_id=first.event_id,
                src=ends.get(record.source_id),
                dst=ends.get(record.target_id),
            )
            yield EdgeChange(stored, put)

    def _before(
        self, changed: Sequence[NodeChange], difference: Difference, around: Sequence[EdgeRecord]
    ) -> dict[int, NodeRecord]:
        """Every record that the batch touches or that a relationship of it ends at, as it is stored."""
        before = {change.old.nid: change.old for change in changed if change.old}
        known = {id_ for c in changed for id_ in (c.old.id if c.old else "", c.new.id if c.new else "")}
        named = {end for e in difference.edges.values() for end in (e.source_id, e.target_id)}
        before |= {node.nid: node for node in self._tables.nodes(sorted(named - known)).values()}
        replaced = [edge for id_, edge in difference.stored_edges.items() if id_ in difference.edges]
        linked = (*around, *difference.edges_gone, *replaced)
        ends = {end for edge in linked for end in (edge.src, edge.dst) if end is not None}
        return before | self._tables.nodes_at(sorted(ends - before.keys()))


def _linked(edge: EdgeRecord, ends: Mapping[str, int]) -> EdgeRecord:
    return edge._replace(src=ends.get(edge.source_id), dst=ends.get(edge.target_id))
