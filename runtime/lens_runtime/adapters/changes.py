"""What a module's feed says, as events: the state that each record that changed has now, with its relationships."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from lens_runtime.adapters.faults import RawRecords
from lens_runtime.adapters.record import Record, RecordReader, Stamp
from lens_runtime.adapters.relationship import RelationshipReader
from lens_runtime.adapters.sqlite_feed import Assertion, Entry, Pair, SqliteFeed
from lens_runtime.graph import Coordinate
from lens_runtime.projection.states import Change, EdgeState, Feed, NodeState, Position
from lens_runtime.worlds.modules import Rows

Triple = tuple[str, str, str]  # type, source kind, target kind


class Unhurried:
    """The deadline of a build: none."""

    def remaining(self) -> float:
        """Without end."""
        return float("inf")

    def check(self) -> None:
        """Never raises."""


@dataclass(frozen=True, slots=True)
class FeedReader:
    """Reads a feed's events; raises as ``RawRecords`` does, naming the kind or type that does not fit."""

    raw: RawRecords
    feed: SqliteFeed
    records: Mapping[str, RecordReader]
    relationships: Sequence[RelationshipReader]
    context: str
    node: Callable[[RecordReader, Record], NodeState]

    def since(self, cursor: Position | None) -> Feed:
        """The feed from a cursor on."""
        with self._at_feed():
            head = self.feed.head()
            goes_on = cursor is not None and self.feed.goes_on(cursor)
        return Feed(head, self._changes(cursor) if cursor is not None and goes_on else None)

    def asserted(self, edges: Iterable[EdgeState]) -> Iterator[EdgeState]:
        """These relationships, each with the revision and the event that first asserted it."""
        known: dict[Triple, dict[Pair, Assertion]] = {}
        with self._at_feed():
            for reader in self.relationships:
                known.setdefault(_triple(reader), {}).update(self.feed.assertions(reader))
        for edge in edges:
            triple = (edge.type, edge.source.entity_type, edge.target.entity_type)
            yield _first(edge, known[triple])

    def _at_feed(self) -> AbstractContextManager[None]:
        return self.raw.at(f"feed {self.feed.table}", Rows(table=self.feed.table))

    def _changes(self, cursor: Position) -> Iterator[Change]:
        pages = self.feed.pages(cursor.seq)
        while True:
            with self._at_feed():
                page = next(pages, None)
            if page is None:
                return
            yield from self._page(page)

    def _page(self, page: Sequence[Entry]) -> Iterator[Change]:
        last = {entry.subject: entry for entry in page}
        records = self._records(last.values())
        edges = self._edges(last.values(), records)
        for entry in page:
            if entry.kind not in self.records:
                continue
            newest = entry is last[entry.subject]
            if newest or entry.op == "delete":
                record = records.get(entry.subject) if newest and entry.op == "upsert" else None
                said = tuple(edges[entry.subject]) if newest else ()
                yield self._change(entry, record, said)

    def _change(self, entry: Entry, record: Record | None, said: tuple[EdgeState, ...]) -> Change:
        reader = self.records[entry.kind]
        with self.raw.at(entry.kind, reader.mapping.rows):
            node = None if record is None else self.node(reader, record)
        return Change(
            position=entry.position,
            op="delete" if record is None else "upsert",
            coordinate=Coordinate(self.raw.module, entry.kind, entry.id),
            revision=entry.revision if record is None else record.revision,
            node=node,
            relationships=said,
        )

    def _records(self, entries: Iterable[Entry]) -> Mapping[Pair, Record]:
        """The records that these lines name, as they are now."""
        wanted = _by_kind(entries)
        found: dict[Pair, Record] = {}
        for kind, reader in self.records.items():
            with self.raw.at(kind, reader.mapping.rows):
                rows = self.feed.source.find(reader, wanted[kind], Unhurried()) if wanted[kind] else {}
                found |= {(kind, id_): reader.record(row) for id_, row in rows.items()}
        return found

    def _edges(
        self, entries: Iterable[Entry], records: Mapping[Pair, Record]
    ) -> Mapping[Pair, Sequence[EdgeState]]:
        """What these records assert, equal relationships once, the mapping declared first before others."""
        wanted = _by_kind(entries)
        stamps = {key: Stamp(one.revision, one.context, one.observed_at) for key, one in records.items()}
        edges: defaultdict[Pair, dict[tuple[Triple, Pair], EdgeState]] = defaultdict(dict)
        for reader in self.relationships:
            kind = reader.asserting_kind
            for edge in self._related(reader, wanted[kind], stamps):
                ends = (edge.source.entity_id, edge.target.entity_id)
                edges[kind, edge.provenance_entity_id].setdefault((_triple(reader), ends), edge)
        return defaultdict(tuple, {key: tuple(found.values()) for key, found in edges.items()})

    def _related(
        self, reader: RelationshipReader, ids: Sequence[str], stamps: Mapping[Pair, Stamp]
    ) -> Iterator[EdgeState]:
        if not ids:
            return
        mapping = reader.mapping
        with self.raw.at(reader.type.name, mapping.rows):
            known = self.feed.assertions(reader, ids)
            for row in self.feed.source.related(mapping.rows, reader.asserting_end, ids, mapping.types):
                edge = reader.edge(row, stamps, self.context)
                if edge is not None:
                    yield _first(edge, known)


def _by_kind(entries: Iterable[Entry]) -> defaultdict[str, list[str]]:
    wanted: defaultdict[str, list[str]] = defaultdict(list)
    for entry in entries:
        wanted[entry.kind].append(entry.id)
    return wanted


def _triple(reader: RelationshipReader) -> Triple:
    return (reader.type.name, reader.source_kind.name, reader.target_kind.name)


def _first(edge: EdgeState, known: Mapping[Pair, Assertion]) -> EdgeState:
    first = known.get((edge.source.entity_id, edge.target.entity_id))
    if first is None:
        return edge
    return replace(edge, provenance_revision=first.revision, provenance_event_id=first.event_id)
