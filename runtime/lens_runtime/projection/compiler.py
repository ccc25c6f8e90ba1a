"""The projection compiler: it compares what a module has with the projection, and writes the difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

from lens_dsl.errors import ConfigurationError
from lens_dsl.plan import Statement
from lens_runtime.ports import Clock, Snapshot, Store
from lens_runtime.projection.change import Batch, EdgeChange, NodeChange, Writer
from lens_runtime.projection.declared import Declared
from lens_runtime.projection.intern import load_scopes, load_types
from lens_runtime.projection.records import EdgeRecord, NodeRecord, edge_record, node_record
from lens_runtime.projection.states import EdgeState, NodeState
from lens_runtime.projection.tables import PAGE, Tables

T = TypeVar("T")
R = TypeVar("R", NodeRecord, EdgeRecord)


@dataclass(slots=True)
class Changes:
    """What a projection of one module wrote: records and relationships put (new or changed) and removed."""

    module: str
    nodes_put: int = 0
    nodes_removed: int = 0
    edges_put: int = 0
    edges_removed: int = 0

    @property
    def total(self) -> int:
        """All of them; 0 for a replay."""
        return self.nodes_put + self.nodes_removed + self.edges_put + self.edges_removed


class Projector:
    """Projects modules into one generation. The caller holds ``store.writing()`` and made the schema."""

    def __init__(self, store: Store, declared: Declared, generation: int, clock: Clock) -> None:
        self._store = store
        self._declared = declared
        self._generation = generation
        self._clock = clock
        self._tables = Tables(store, generation)
        self._writer = Writer(
            declared.world, generation, load_types(store), load_scopes(store, declared.world)
        )
        self._cursors = self._tables.cursors()
        nid, eid, _ = store.inspect([Statement("highest")]).results[0][0]
        self._nid, self._eid = int(nid or 0), int(eid or 0)

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules projected so far."""
        return tuple(self._cursors)

    def project(self, module: str, snapshot: Snapshot) -> Changes:
        """Bring the projection of one module to this snapshot; a replay writes nothing.

        Each batch (its records, relationships, links and cursor) is one atomic write, so what a crash leaves
        behind is whole, and the next run writes the rest. ConfigurationError names what is not declared.
        """
        changes = Changes(module)
        nodes = self._put(changes, snapshot.nodes, self._node, self._tables.nodes, self._put_nodes)
        edges = self._put(changes, snapshot.edges, self._edge, self._tables.edges, self._put_edges)
        self._remove_edges(changes, edges)
        self._remove_nodes(changes, nodes)
        if module not in self._cursors:
            self._write(changes, Batch((), (), {}, {}), 0)
        return changes

    def forget(self, module: str) -> Changes:
        """Remove all a module has, and its cursor: it is no longer part of the world."""
        changes = self.project(module, Snapshot())
        self._store.write([Statement("drop_cursor", (self._generation, module))])
        del self._cursors[module]
        return changes

    def _node(self, module: str, state: NodeState) -> NodeRecord:
        self._declared.check_node(module, state)
        return node_record(self._declared.world, state)

    def _edge(self, module: str, state: EdgeState) -> EdgeRecord:
        self._declared.check_edge(module, state)
        return edge_record(self._declared.world, state)

    def _put(
        self,
        changes: Changes,
        states: Iterable[T],
        record: Callable[[str, T], R],
        stored: Callable[[list[str]], dict[str, R]],
        put: Callable[[Changes, Mapping[str, R], Mapping[str, R]], None],
    ) -> set[str]:
        """Write what is new or changed among these states; the ids of all of them."""
        seen: set[str] = set()
        for page in _pages(states):
            new: dict[str, R] = {}
            for state in page:
                found = record(changes.module, state)
                _refuse_contradiction(state, new.setdefault(found.id, found), found)
            old = stored(list(new))
            for id_ in new.keys() & seen:
                _refuse_contradiction(id_, old[id_], new[id_])
            seen.update(new)
            changed = {i: new[i] for i in sorted(new) if i not in old or old[i].digest != new[i].digest}
            if changed:
                put(changes, changed, old)
        return seen

    def _put_nodes(
        self, changes: Changes, new: Mapping[str, NodeRecord], old: Mapping[str, NodeRecord]
    ) -> None:
        changed = []
        for id_, record in new.items():
            before = old.get(id_)
            if before is None:
                self._nid += 1
            changed.append(NodeChange(before, replace(record, nid=before.nid if before else self._nid)))
        self._write(changes, self._relinked(changed), len(changed))
        changes.nodes_put += len(changed)

    def _remove_nodes(self, changes: Changes, seen: set[str]) -> None:
        for page in self._tables.ids("module_nodes", changes.module):
            gone = [
                NodeChange(node, None)
                for node in self._tables.nodes([i for i in page if i not in seen]).values()
            ]
            if gone:
                self._write(changes, self._relinked(gone), len(gone))
                changes.nodes_removed += len(gone)

    def _relinked(self, changed: list[NodeChange]) -> Batch:
        """These changes of records, with every edge whose links follow from them."""
        come = {change.new.id: change.new.nid for change in changed if change.new and not change.old}
        gone = {change.old.nid for change in changed if change.old and not change.new}
        restamped = {c.old.nid for c in changed if c.old and c.new and c.old.face != c.new.face}
        edges = self._tables.edges_around(sorted(gone | restamped), sorted(come))
        before = {change.old.nid: change.old for change in changed if change.old}
        ends = {end for edge in edges for end in (edge.src, edge.dst) if end is not None}
        before |= self._tables.nodes_at(sorted(ends - before.keys()))
        after = {nid: node for nid, node in before.items() if nid not in gone}
        after |= {change.new.nid: change.new for change in changed if change.new}

        def end(id_: str, nid: int | None) -> int | None:
            return come.get(id_) if nid is None else None if nid in gone else nid

        relinked = [
            EdgeChange(
                edge, replace(edge, src=end(edge.source_id, edge.src), dst=end(edge.target_id, edge.dst))
            )
            for edge in edges
        ]
        return Batch(changed, relinked, before, after)

    def _put_edges(
        self, changes: Changes, new: Mapping[str, EdgeRecord], old: Mapping[str, EdgeRecord]
    ) -> None:
        ends = self._tables.nodes(
            sorted({end for edge in new.values() for end in (edge.source_id, edge.target_id)})
        )
        changed = []
        for id_, record in new.items():
            before = old.get(id_)
            if before is None:
                self._eid += 1
            first = before or record
            source, target = ends.get(record.source_id), ends.get(record.target_id)
            put = replace(
                record,
                eid=before.eid if before else self._eid,
                revision=first.revision,
                event_id=first.event_id,
                src=source.nid if source else None,
                dst=target.nid if target else None,
            )
            changed.append(EdgeChange(before, put))
        nodes = {node.nid: node for node in ends.values()}
        self._write(changes, Batch((), changed, nodes, nodes), len(changed))
        changes.edges_put += len(changed)

    def _remove_edges(self, changes: Changes, seen: set[str]) -> None:
        for page in self._tables.ids("module_edges", changes.module):
            gone = self._tables.edges([id_ for id_ in page if id_ not in seen]).values()
            if gone:
                ends = {end for edge in gone for end in (edge.src, edge.dst) if end is not None}
                batch = Batch(
                    (), [EdgeChange(edge, None) for edge in gone], self._tables.nodes_at(sorted(ends)), {}
                )
                self._write(changes, batch, len(gone))
                changes.edges_removed += len(gone)

    def _write(self, changes: Changes, batch: Batch, count: int) -> None:
        now = self._clock.now()
        cursor = self._cursors[changes.module] = self._cursors.get(changes.module, 0) + count
        statements = self._writer.statements(batch, now)
        set_cursor = Statement("set_cursor", (self._generation, changes.module, str(cursor), now))
        self._store.write([*statements, set_cursor])


def _pages(states: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(states)
    while page := list(islice(rest, PAGE)):
        yield page


def _refuse_contradiction(
    what: object, first: NodeRecord | EdgeRecord, second: NodeRecord | EdgeRecord
) -> None:
    """A module may say a thing twice, but not two things of the same record."""
    if first.digest != second.digest:
        name = getattr(what, "coordinate", None) or getattr(what, "type", None) or what
        raise ConfigurationError(
            "Contradiction", f"{name}: the module's snapshot has it twice, with different content"
        )
