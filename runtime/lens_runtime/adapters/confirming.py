"""Asking a mapped module again: the column of the asserting record that a relationship was mapped from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lens_runtime.adapters.mapping import Row, inside
from lens_runtime.adapters.record import RecordReader
from lens_runtime.adapters.relationship import RelationshipReader
from lens_runtime.adapters.sources import RecordSource
from lens_runtime.ports import Assertion, Confirmation, Deadline

Lines = Mapping[str, Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Confirmer:
    """Looks relationships up again in a module's source; it authorizes nothing."""

    source: RecordSource
    records: Mapping[str, RecordReader]
    relationships: tuple[RelationshipReader, ...]

    def asserting_kind(self, asked: Assertion) -> str | None:
        """The kind of the record that asserts it; None for what the module does not map."""
        return next((each.asserting_kind for each in self.relationships if _maps(each, asked)), None)

    def confirm(self, asked: Sequence[Assertion], deadline: Deadline) -> dict[str, Confirmation]:
        """Whether each still stands where it was mapped from; ``unknown`` where that cannot be looked up."""
        lines: list[tuple[RelationshipReader, Lines | None]] = []
        for reader in self.relationships:
            ids = sorted({each.provenance.entity_id for each in asked if _maps(reader, each)})
            lines.append((reader, self._lines(reader, ids, deadline) if ids else {}))
        return {each.id: _confirmed(each, lines) for each in asked}

    def _lines(self, reader: RelationshipReader, ids: Sequence[str], deadline: Deadline) -> Lines | None:
        """The raw records that these asserting records' relationships are mapped from, by asserting id."""
        record, mapping = self.records[reader.asserting_kind], reader.mapping
        if mapping.types == record.mapping.types:
            if mapping.rows == record.mapping.rows:
                found = self.source.find(record, ids, deadline)
                return {record_id: (row,) for record_id, row in found.items()}
            within = f"{record.mapping.rows.each}."
            if mapping.rows.each is not None and mapping.rows.each.startswith(within):
                rest = mapping.rows.each.removeprefix(within)
                found = self.source.find(record, ids, deadline)
                return {record_id: tuple(inside(row, rest)) for record_id, row in found.items()}
        own = reader.asserting_kind == reader.source_kind.name
        column = mapping.source if own else mapping.target
        return self.source.lines(mapping.rows, mapping.types, column, ids, deadline)


def _maps(reader: RelationshipReader, asked: Assertion) -> bool:
    ends = (asked.source.entity_type, asked.target.entity_type)
    return reader.type.name == asked.type and (reader.source_kind.name, reader.target_kind.name) == ends


def _confirmed(asked: Assertion, lines: Sequence[tuple[RelationshipReader, Lines | None]]) -> Confirmation:
    joined = (asked.source.entity_id, asked.target.entity_id)
    found = [(reader, known) for reader, known in lines if _maps(reader, asked)]
    for reader, known in found:
        rows = () if known is None else known.get(asked.provenance.entity_id, ())
        if any(reader.ends(row) == joined for row in rows):
            return "confirmed"
    return "unknown" if not found or any(known is None for _, known in found) else "gone"
