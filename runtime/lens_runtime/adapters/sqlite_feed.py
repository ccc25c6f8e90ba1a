"""A module's change feed in the tables of its SQLite database, as ``lens_runtime.worlds.feeds`` lays them out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lens_runtime.adapters.mapping import Row, content_hash
from lens_runtime.adapters.relationship import RelationshipReader
from lens_runtime.adapters.sqlite_source import SqliteSource
from lens_runtime.projection.states import Position
from lens_runtime.worlds.feeds import assertions_table

PAGE = 500
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the feed: a record that changed, its revision then, and whether it was deleted."""

    position: Position
    op: str
    kind: str
    id: str
    revision: str

    @property
    def subject(self) -> Pair:
        """Kind and id of the record."""
        return (self.kind, self.id)


@dataclass(frozen=True, slots=True)
class Assertion:
    """When a relationship was first asserted: the record's revision then, and the event."""

    revision: str
    event_id: str


@dataclass(frozen=True, slots=True)
class SqliteFeed:
    """Reads the feed's tables. ``definition`` is part of every mark: what is mapped anew is read anew."""

    source: SqliteSource
    table: str
    definition: str

    def head(self) -> Position:
        """Where the newest event stands; 0 where there is none yet."""
        rows = self.source.select(f'SELECT * FROM "{self.table}" ORDER BY seq DESC LIMIT 1')
        return next((self._entry(row).position for row in rows), self._start())

    def goes_on(self, position: Position) -> bool:
        """Whether this feed has that position, so that nothing between it and the head is missing."""
        if position.seq == 0:
            first = next(self.source.select(f'SELECT min(seq) AS seq FROM "{self.table}"'))
            return position == self._start() and _cell(first, "seq") in (None, 1)
        rows = self.source.select(f'SELECT * FROM "{self.table}" WHERE seq = ?1', (position.seq,))
        return any(self._entry(row).position == position for row in rows)

    def pages(self, after: int) -> Iterator[list[Entry]]:
        """The events after that sequence number, in order."""
        statement = f'SELECT * FROM "{self.table}" WHERE seq > ?1 ORDER BY seq LIMIT {PAGE}'
        while page := [self._entry(row) for row in self.source.select(statement, (after,))]:
            yield page
            after = page[-1].position.seq

    def assertions(
        self, reader: RelationshipReader, ids: Sequence[str] | None = None
    ) -> Mapping[Pair, Assertion]:
        """When relationships of this mapping were first asserted, by source and target id; of these records, or all."""
        end = "source" if reader.asserting_kind == reader.source_kind.name else "target"
        statement = (
            f'SELECT source, target, revision, seq FROM "{assertions_table(self.table)}" '
            "WHERE type = ?1 AND source_kind = ?2 AND target_kind = ?3"
        )
        bindings = [reader.type.name, reader.source_kind.name, reader.target_kind.name]
        if ids is not None:
            statement += f" AND {end} IN (SELECT value FROM json_each(?4))"
            bindings.append(json.dumps(list(ids)))
        rows = self.source.select(statement, tuple(bindings))
        return {
            (str(_cell(row, "source")), str(_cell(row, "target"))): Assertion(
                str(_cell(row, "revision")), str(_cell(row, "seq"))
            )
            for row in rows
        }

    def _start(self) -> Position:
        return Position(0, content_hash([self.definition]))

    def _entry(self, row: Row) -> Entry:
        mark = content_hash([self.definition, row.value])
        seq, op, kind, id_, revision = (_cell(row, name) for name in ("seq", "op", "kind", "id", "revision"))
        return Entry(Position(int(str(seq)), mark), str(op), str(kind), str(id_), str(revision))


def _cell(row: Row, name: str) -> object:
    return dict(row.value)[name] if isinstance(row.value, dict) else None
