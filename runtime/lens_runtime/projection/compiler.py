"""The projection compiler: it compares what a module has with the projection, and writes the difference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeVar

from lens_dsl.errors import ConfigurationError
from lens_dsl.plan import Statement
from lens_runtime.ports import Clock, Snapshot, Store
from lens_runtime.projection.batching import Batcher, Difference
from lens_runtime.projection.change import Writer
from lens_runtime.projection.declared import Declared
from lens_runtime.projection.folding import Folder
from lens_runtime.projection.intern import chunks, load_scopes, load_types
from lens_runtime.projection.records import (
    EdgeRecord,
    NodeRecord,
    differs,
    edge_record,
    node_record,
    reasserted,
)
from lens_runtime.projection.states import Change, EdgeState, Feed, NodeState, Position
from lens_runtime.projection.tables import PAGE, Tables

T = TypeVar("T")
R = TypeVar("R", NodeRecord, EdgeRecord)
EVENTS = 500
"""How many events of a feed are one atomic write."""


class Supply(Protocol):
    """Where the projection of one module comes from; every ``ModuleReader`` is one."""

    def changes(self, cursor: Position | None) -> Feed | None:
        """The feed from this cursor on, None where the module has none."""

    def snapshot(self) -> Snapshot:
        """Everything the module has."""


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

    def add(self, difference: Difference) -> None:
        """Count what was written."""
        self.nodes_put += len(difference.nodes)
        self.nodes_removed += len(difference.nodes_gone)
        self.edges_put += len(difference.edges)
        self.edges_removed += len(difference.edges_gone)


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
        self._batcher = Batcher(self._tables, int(nid or 0), int(eid or 0))
        self._folder = Folder(self._tables, declared)

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules projected so far."""
        return tuple(self._cursors)

    def bring(self, module: str, supply: Supply) -> Changes:
        """Bring the projection of one module up to date: by its feed where it goes on from the cursor.

        Else by a snapshot, after which the cursor stands where the feed's head was before it was taken.
        """
        feed = supply.changes(self._cursors.get(module))
        if feed is None:
            return self.project(module, supply.snapshot())
        changes = Changes(module)
        if feed.changes is not None:
            self._drain(changes, feed.changes)
        else:
            changes = self.project(module, supply.snapshot())
        if feed.changes is None or self._cursors[module].seq < feed.head.seq:
            self._write(changes, Difference(), feed.head)
        return changes

    def _drain(self, changes: Changes, events: Iterable[Change]) -> None:
        """Write events batch by batch, each with its cursor; those before the cursor were written already."""
        for page in _pages(events, EVENTS):
            cursor = self._cursors[changes.module]
            fresh = sorted((event for event in page if event.seq > cursor.seq), key=lambda event: event.seq)
            if fresh:
                difference = self._folder.difference(changes.module, fresh)
                self._write(changes, difference, fresh[-1].position)

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
            self._count(changes, Difference())
        self._note_null_references(module, snapshot.null_references)
        return changes

    def forget(self, module: str) -> Changes:
        """Remove all a module has, and its cursor: it is no longer part of the world."""
        changes = self.project(module, Snapshot())
        self._store.write([Statement("drop_cursor", (self._generation, module))])
        del self._cursors[module]
        return changes

    def _note_null_references(self, module: str, found: Mapping[str, int]) -> None:
        if self._tables.null_references(module) != found:
            at = (self._generation, module)
            added = chunks("add_null_references", sorted(found.items()), *at)
            self._store.write([Statement("clear_null_references", at), *added])

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
        for page in _pages(states, PAGE):
            new: dict[str, R] = {}
            for state in page:
                found = record(changes.module, state)
                _refuse_contradiction(state, new.setdefault(found.id, found), found)
            old = stored(list(new))
            for id_ in new.keys() & seen:
                _refuse_contradiction(id_, old[id_], new[id_])
            seen.update(new)
            put(changes, {id_: new[id_] for id_ in sorted(new)}, old)
        return seen

    def _put_nodes(
        self, changes: Changes, new: Mapping[str, NodeRecord], old: Mapping[str, NodeRecord]
    ) -> None:
        changed = {id_: node for id_, node in new.items() if differs(old.get(id_), node)}
        self._count(changes, Difference(nodes=changed, stored_nodes=old))

    def _remove_nodes(self, changes: Changes, seen: set[str]) -> None:
        for page in self._tables.ids("module_nodes", changes.module):
            gone = self._tables.nodes([id_ for id_ in page if id_ not in seen])
            self._count(changes, Difference(nodes_gone=list(gone.values())))

    def _put_edges(
        self, changes: Changes, new: Mapping[str, EdgeRecord], old: Mapping[str, EdgeRecord]
    ) -> None:
        again = [edge for id_, edge in old.items() if reasserted(edge, new[id_])]
        kept = {id_: edge for id_, edge in old.items() if not reasserted(edge, new[id_])}
        changed = {id_: edge for id_, edge in new.items() if differs(kept.get(id_), edge)}
        self._count(changes, Difference(edges=changed, stored_edges=kept, edges_gone=again))

    def _remove_edges(self, changes: Changes, seen: set[str]) -> None:
        for page in self._tables.ids("module_edges", changes.module):
            gone = self._tables.edges([id_ for id_ in page if id_ not in seen])
            self._count(changes, Difference(edges_gone=list(gone.values())))

    def _count(self, changes: Changes, difference: Difference) -> None:
        """Write what differs from a snapshot, and count it on the cursor; nothing where nothing differs."""
        if difference.size or changes.module not in self._cursors:
            cursor = self._cursors.get(changes.module, Position(0))
            self._write(changes, difference, Position(cursor.seq + difference.size))

    def _write(self, changes: Changes, difference: Difference, cursor: Position) -> None:
        now = self._clock.now()
        statements = self._writer.statements(self._batcher.batch(difference), now)
        set_cursor = Statement("set_cursor", (self._generation, changes.module, str(cursor), now))
        self._store.write([*statements, set_cursor])
        self._cursors[changes.module] = cursor
        changes.add(difference)


def _pages(states: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(states)
    while page := list(islice(rest, size)):
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
