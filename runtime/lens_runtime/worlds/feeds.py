"""The change feed of a module's database: tables and triggers that write it in the transaction of each change.

A feed named ``changes`` is two tables. ``changes`` has a line an event, in the order of its ``seq``;
``changes_relationships`` says at which revision and event each relationship was first asserted. Whatever writes
the module's own tables need not know of either.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw

from lens_dsl.errors import ConfigurationError
from lens_dsl.ontology import Ontology
from lens_runtime.worlds.modules import Module, RecordMapping, RelationshipMapping
from lens_runtime.worlds.templates import is_template
from lens_runtime.worlds.world import World


def assertions_table(feed: str) -> str:
    """The name of the table that goes with a feed's."""
    return f"{feed}_relationships"


def is_column(text: str | None) -> bool:
    """Whether a text of a mapping is the plain name of a column, as all must be that a feed is made of."""
    return text is not None and not is_template(text) and not text.startswith(("^", "@", "."))


def feed_statements(module: Module, ontology: Ontology) -> list[str]:
    """The statements that give a module's database its feed, or bring its triggers up to date; none without a feed.

    To be run in one transaction. They append an event for every record there is.
    """
    if module.source.feed is None:
        return []
    return list(_Layout(module.source.feed, module, ontology).statements())


def feeds_digest(world: World) -> str:
    """What tells the feeds that a world's generated databases should have from others; empty where it names none."""
    statements = [
        statement
        for module in world.modules.values()
        if module.source.kind == "generated"
        for statement in feed_statements(module, world.ontology)
    ]
    return hashlib.sha256("\n".join(statements).encode()).hexdigest()[:16] if statements else ""


def install_feed(database: Path, module: Module, ontology: Ontology) -> None:
    """Run ``feed_statements`` on a database; ConfigurationError (``FeedNotInstalled``) where they do not fit it."""
    with closing(apsw.Connection(str(database))) as connection:
        try:
            with connection:
                for statement in feed_statements(module, ontology):
                    connection.execute(statement)
        except apsw.Error as fault:
            raise ConfigurationError(
                "FeedNotInstalled",
                f"module {module.name}: {database.name} cannot have a feed: {fault}",
                hint="modules.yml must name tables and columns that the generator makes, and a base for a view",
            ) from fault


@dataclass(frozen=True, slots=True)
class _Layout:
    feed: str
    module: Module
    ontology: Ontology

    def statements(self) -> Iterator[str]:
        yield from _tables(self.feed)
        records: defaultdict[str, list[RecordMapping]] = defaultdict(list)
        links: defaultdict[str, list[RelationshipMapping]] = defaultdict(list)
        for record in self.module.records:
            records[_base(record)].append(record)
        for link in self.module.relationships:
            links[self._written(link)].append(link)
        tables = dict.fromkeys((*records, *links))
        for table in tables:
            yield from self._triggers(table, records[table], links[table])
        for table in tables:
            column = records[table][0].id if records[table] else self._asserting(links[table][0])
            yield f"UPDATE {_name(table)} SET {_name(column)} = {_name(column)}"

    def _triggers(
        self, table: str, records: Sequence[RecordMapping], links: Sequence[RelationshipMapping]
    ) -> Iterator[str]:
        own = {record.id for record in records}
        for link in links:
            if self._asserting(link) not in own:
                index = f"{self.feed}_{table}_{self._asserting(link)}"
                yield f"CREATE INDEX IF NOT EXISTS {_name(index)} ON {_name(table)} ({_name(self._asserting(link))})"
        for operation in ("INSERT", "UPDATE", "DELETE"):
            body = [*self._record_events(operation, records), *self._link_events(operation, links, own)]
            body += [text for link in links for text in self._assertions(operation, link)]
            trigger = _name(f"{self.feed}_{table}_{operation.lower()}")
            yield f"DROP TRIGGER IF EXISTS {trigger}"
            yield f"CREATE TRIGGER {trigger} AFTER {operation} ON {_name(table)} BEGIN {'; '.join(body)}; END"

    def _record_events(self, operation: str, records: Sequence[RecordMapping]) -> Iterator[str]:
        for record in records:
            if operation != "INSERT":
                gone = (
                    f"NEW.{_name(record.id)} IS NOT OLD.{_name(record.id)}" if operation == "UPDATE" else "1"
                )
                yield self._record_event("delete", record, "OLD", gone)
            if operation != "DELETE":
                yield self._record_event("upsert", record, "NEW", "1")

    def _record_event(self, op: str, record: RecordMapping, line: str, where: str) -> str:
        id_ = f"CAST({line}.{_name(record.id)} AS TEXT)"
        revision = f"coalesce(CAST({line}.{_name(record.revision)} AS TEXT), '')"
        at = f"CAST({line}.{_name(record.observed_at)} AS TEXT)" if is_column(record.observed_at) else "NULL"
        return self._event(op, record.kind, id_, revision, at, f"{where} AND {id_} <> ''")

    def _link_events(
        self, operation: str, links: Sequence[RelationshipMapping], own: set[str]
    ) -> Iterator[str]:
        """A line of a link table is news of the record that asserts the relationship."""
        seen: set[tuple[str, str]] = set()
        for link in links:
            kind, column = self._asserting_kind(link), self._asserting(link)
            if column in own or (kind, column) in seen:
                continue
            seen.add((kind, column))
            lines = {"INSERT": ("NEW",), "DELETE": ("OLD",), "UPDATE": ("OLD", "NEW")}[operation]
            for line in lines:
                end = f"CAST({line}.{_name(column)} AS TEXT)"
                where = f"{end} <> ''"
                if lines == ("OLD", "NEW") and line == "OLD":
                    where += f" AND NEW.{_name(column)} IS NOT OLD.{_name(column)}"
                yield self._event("upsert", kind, end, self._revision(kind, end), "NULL", where)

    def _event(self, op: str, kind: str, id_: str, revision: str, at: str, where: str) -> str:
        return (
            f"INSERT INTO {_name(self.feed)} (op, kind, id, revision, at) "
            f"SELECT '{op}', '{kind}', {id_}, {revision}, {at} WHERE {where}"
        )

    def _assertions(self, operation: str, link: RelationshipMapping) -> Iterator[str]:
        table = _name(assertions_table(self.feed))
        columns = (link.source, link.target)
        if operation != "INSERT":
            ends = [f"CAST(OLD.{_name(column)} AS TEXT)" for column in columns]
            moved = " OR ".join(f"NEW.{_name(c)} IS NOT OLD.{_name(c)}" for c in columns)
            yield (
                f"DELETE FROM {table} WHERE type = '{link.type}' AND source_kind = '{link.source_kind}' "
                f"AND source = {ends[0]} AND target_kind = '{link.target_kind}' AND target = {ends[1]}"
                + (f" AND ({moved})" if operation == "UPDATE" else "")
                + "".join(f" AND NOT EXISTS ({text})" for text in self._saying(link))
            )
        if operation != "DELETE":
            ends = [f"CAST(NEW.{_name(column)} AS TEXT)" for column in columns]
            asserting = ends[columns.index(self._asserting(link))]
            yield (
                f"INSERT INTO {table} (type, source_kind, source, target_kind, target, revision, seq) "
                f"SELECT '{link.type}', '{link.source_kind}', {ends[0]}, '{link.target_kind}', {ends[1]}, "
                f"{self._revision(self._asserting_kind(link), asserting)}, "
                f"(SELECT max(seq) FROM {_name(self.feed)}) "
                f"WHERE {ends[0]} <> '' AND {ends[1]} <> '' ON CONFLICT DO NOTHING"
            )

    def _saying(self, link: RelationshipMapping) -> Iterator[str]:
        """Queries for lines that still say what a line said before, in whatever table."""
        for other in self.module.relationships:
            if (other.type, other.source_kind, other.target_kind) == (
                link.type,
                link.source_kind,
                link.target_kind,
            ):
                yield (
                    f"SELECT 1 FROM {_name(self._written(other))} o "
                    f"WHERE o.{_name(other.source)} IS OLD.{_name(link.source)} "
                    f"AND o.{_name(other.target)} IS OLD.{_name(link.target)}"
                )

    def _revision(self, kind: str, id_: str) -> str:
        """The revision of a record as its table has it now; empty where the record is not there."""
        record = self.module.record(kind)
        if record is None or record.revision is None:
            return "''"
        return (
            f"coalesce((SELECT CAST(r.{_name(record.revision)} AS TEXT) FROM {_name(_base(record))} r "
            f"WHERE r.{_name(record.id)} = {id_}), '')"
        )

    def _asserting_kind(self, link: RelationshipMapping) -> str:
        own = self.ontology.kinds[link.source_kind].module == self.module.name
        return link.source_kind if own else link.target_kind

    def _asserting(self, link: RelationshipMapping) -> str:
        return link.source if self._asserting_kind(link) == link.source_kind else link.target

    def _written(self, link: RelationshipMapping) -> str:
        """The table that a relationship's lines are written to: the base of a view that records are read from."""
        bases: Mapping[str | None, str] = {one.rows.table: _base(one) for one in self.module.records}
        return bases.get(link.rows.table, link.rows.table or "")


def _tables(feed: str) -> Iterator[str]:
    yield f"""CREATE TABLE IF NOT EXISTS {_name(feed)} (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL CHECK (op IN ('upsert', 'delete')),
        kind TEXT NOT NULL, id TEXT NOT NULL, revision TEXT NOT NULL, at TEXT) STRICT"""
    table = assertions_table(feed)
    yield f"""CREATE TABLE IF NOT EXISTS {_name(table)} (
        type TEXT NOT NULL, source_kind TEXT NOT NULL, source TEXT NOT NULL, target_kind TEXT NOT NULL,
        target TEXT NOT NULL, revision TEXT NOT NULL, seq INTEGER NOT NULL,
        PRIMARY KEY (type, source_kind, source, target_kind, target)) STRICT, WITHOUT ROWID"""
    yield f"CREATE INDEX IF NOT EXISTS {_name(f'{table}_target')} ON {_name(table)} (type, target_kind, target)"


def _base(record: RecordMapping) -> str:
    return record.base or record.rows.table or ""


def _name(name: str | None) -> str:
    return '"' + (name or "").replace('"', '""') + '"'
