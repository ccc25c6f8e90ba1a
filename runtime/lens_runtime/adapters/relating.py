"""The relationships of a module, streamed in one pass over each table or path that its records come from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lens_runtime.adapters.columns import typed
from lens_runtime.adapters.faults import RawRecords
from lens_runtime.adapters.mapping import Row
from lens_runtime.adapters.record import RecordReader, Stamp
from lens_runtime.adapters.relationship import RelationshipReader
from lens_runtime.projection.states import EdgeState
from lens_runtime.worlds.modules import ColumnType, Rows

Stamps = Mapping[tuple[str, str], Stamp]
Known = set[tuple[str, str, str, str, str]]


@dataclass(slots=True)
class Relating:
    """Streams a module's relationships; raises as ``RawRecords`` does, naming the type or kind that does not fit.

    ``null_references`` counts, by type and once the stream is through, the raw records that name no other end.
    """

    raw: RawRecords
    records: Mapping[str, RecordReader]
    relationships: Sequence[RelationshipReader]
    context: str
    null_references: Counter[str] = field(default_factory=Counter)

    def edges(self) -> Iterator[EdgeState]:
        """Every relationship, equal ones of one record once."""
        places: defaultdict[str, set[Rows | None]] = defaultdict(set)
        for one in self.relationships:
            places[one.type.name].add(one.mapping.rows if self._is_of_its_record(one) else None)
        by_rows: defaultdict[Rows | None, list[RelationshipReader]] = defaultdict(list)
        for one in self.relationships:
            where = places[one.type.name]
            by_rows[next(iter(where)) if len(where) == 1 else None].append(one)
        for rows, readers in by_rows.items():
            yield from self._by_mapping(readers) if rows is None else self._by_record(readers, rows)

    def _is_of_its_record(self, one: RelationshipReader) -> bool:
        """Whether it is mapped from the record that asserts it: nothing need then be remembered of any other."""
        record, mapping = self.records[one.asserting_kind].mapping, one.mapping
        own_id = mapping.source if one.asserting_kind == mapping.source_kind else mapping.target
        same_types = _named(mapping.types, record.id) == _named(record.types, record.id)
        return own_id == record.id and mapping.rows == record.rows and same_types

    def _by_record(self, readers: Sequence[RelationshipReader], rows: Rows) -> Iterator[EdgeState]:
        asserting = {one.asserting_kind: self.records[one.asserting_kind] for one in readers}
        for row in self.raw.untyped(readers[0].type.name, rows):
            stamps = dict(self._stamps(asserting, row))
            known: Known = set()
            for one in readers:
                yield from self._fresh(one, row, one.mapping.types, stamps, known)

    def _by_mapping(self, readers: Sequence[RelationshipReader]) -> Iterator[EdgeState]:
        stamps: dict[tuple[str, str], Stamp] = {}
        for kind in dict.fromkeys(one.asserting_kind for one in readers):
            record = self.records[kind]
            for row in self.raw.untyped(kind, record.mapping.rows):
                stamps.update(self._stamps({kind: record}, row))
        known: Known = set()
        for one in readers:
            for row in self.raw.of(one.type.name, one.mapping):
                yield from self._fresh(one, row, {}, stamps, known)

    def _stamps(
        self, asserting: Mapping[str, RecordReader], row: Row
    ) -> Iterator[tuple[tuple[str, str], Stamp]]:
        for kind, record in asserting.items():
            with self.raw.at(kind, record.mapping.rows, row):
                read = _with_types(row, record.mapping.types)
                record_id = record.id(read)
                stamp = record.stamp(read) if record_id is not None else None
            if record_id is not None and stamp is not None:
                yield (kind, record_id), stamp

    def _fresh(
        self,
        one: RelationshipReader,
        row: Row,
        types: Mapping[str, ColumnType],
        stamps: Stamps,
        known: Known,
    ) -> Iterator[EdgeState]:
        with self.raw.at(one.type.name, one.mapping.rows, row):
            edge = one.edge(_with_types(row, types), stamps, self.context)
        if edge is None:
            self.null_references[one.type.name] += 1
            return
        source, target = edge.source, edge.target
        said = (edge.type, source.entity_type, target.entity_type, source.entity_id, target.entity_id)
        if said not in known:
            known.add(said)
            yield edge


def _named(types: Mapping[str, ColumnType], text: str) -> Mapping[str, ColumnType]:
    return {name: wanted for name, wanted in types.items() if name in text}


def _with_types(row: Row, types: Mapping[str, ColumnType]) -> Row:
    if not types or not isinstance(row.value, dict):
        return row
    return Row(typed(row.value, types), row.key, row.parent, row.line)
