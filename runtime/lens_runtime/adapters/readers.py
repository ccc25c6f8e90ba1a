"""The module readers of a world: one a module, over the source its modules.yml names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lens_dsl.errors import ConfigurationError
from lens_dsl.ontology import Ontology
from lens_runtime.adapters.changes import FeedReader
from lens_runtime.adapters.confirming import Confirmer
from lens_runtime.adapters.csv_source import CsvSource
from lens_runtime.adapters.faults import FAULTS, RawRecords, asked, told
from lens_runtime.adapters.graph_file import GraphFileReader
from lens_runtime.adapters.http_reader import HttpReader, ModuleClient
from lens_runtime.adapters.json_source import JsonSource
from lens_runtime.adapters.mapping import Row
from lens_runtime.adapters.record import Record, RecordReader
from lens_runtime.adapters.relating import Relating
from lens_runtime.adapters.relationship import RelationshipReader
from lens_runtime.adapters.sources import RecordSource
from lens_runtime.adapters.sqlite_feed import SqliteFeed
from lens_runtime.adapters.sqlite_source import SqliteSource
from lens_runtime.clock import SystemClock
from lens_runtime.graph import Coordinate
from lens_runtime.ports import (
    Answer,
    Assertion,
    Clock,
    Confirmation,
    Deadline,
    Forbidden,
    Found,
    ModuleReader,
    NotFound,
    Snapshot,
    Unreadable,
)
from lens_runtime.projection.states import Feed, NodeState, Position
from lens_runtime.scope import Actor
from lens_runtime.worlds.modules import Module, Source, SourceKind
from lens_runtime.worlds.policy import Policy
from lens_runtime.worlds.world import World

_SOURCES: Mapping[SourceKind, Callable[[str, Source], RecordSource]] = {
    "json": JsonSource,
    "csv": CsvSource,
    "sqlite": SqliteSource,
    "generated": SqliteSource,
}


def open_readers(
    world: World, generated: Path, clock: Clock | None = None, token: str | None = None
) -> Mapping[str, ModuleReader]:
    """One reader a module, in declared order; ``generated`` is the folder of databases that its generator makes.

    ``clock`` tells computed properties the time; the system's clock by default. ``token`` goes out with every
    request to the modules that are served elsewhere.
    """
    now = clock or SystemClock()
    remote = {
        name: module.source.path for name, module in world.modules.items() if module.source.kind == "http"
    }
    client = ModuleClient(token) if remote else None
    return {
        name: HttpReader(name, remote[name], client)
        if client is not None and name in remote
        else _reader(module, world, generated, now)
        for name, module in world.modules.items()
    }


def _reader(module: Module, world: World, generated: Path, clock: Clock) -> ModuleReader:
    source = module.source
    if source.kind == "graph":
        return GraphFileReader(module.name, Path(source.path), world.policy, world.policy.classes[0])
    if source.kind == "generated":
        source = replace(source, path=str(generated / source.path))
    records = {
        mapping.kind: RecordReader.of(world.ontology.kinds[mapping.kind], mapping, clock)
        for mapping in module.records
    }
    relationships = tuple(
        RelationshipReader.of(module.name, world.ontology, mapping) for mapping in module.relationships
    )
    opened = _SOURCES[source.kind](module.name, source)
    feed = None
    if source.feed is not None and isinstance(opened, SqliteSource):
        feed = SqliteFeed(opened, source.feed, _definition(module, world))
    return MappedReader(
        module.name, opened, records, relationships, world.ontology, world.policy, world.contexts, feed
    )


def _definition(module: Module, world: World) -> str:
    """All that decides what the projection is told of a raw record, as one text."""
    policy = world.policy
    mapped = (module.records, module.relationships, world.ontology.digest, world.contexts)
    return repr((mapped, policy.classes, sorted(policy.guards.items())))


@dataclass(frozen=True, slots=True)
class MappedReader:
    """A module's public reader: every record is mapped live and authorized by the policy, one by one."""

    module: str
    source: RecordSource
    records: Mapping[str, RecordReader]
    relationships: tuple[RelationshipReader, ...]
    ontology: Ontology
    policy: Policy
    contexts: tuple[str, ...]
    feed: SqliteFeed | None = None

    def read(
        self, actor: Actor, context: str, kind: str, ids: Sequence[str], deadline: Deadline
    ) -> Mapping[str, Answer]:
        """One answer for every id asked; a record of another context is NotFound.

        Raises ReaderError: ``ReaderUnavailable`` where the source cannot be read, ``RecordUnreadable`` where
        it has no such table or column.
        """
        reader = self.records.get(kind)
        if reader is None:
            return {record_id: NotFound() for record_id in ids}
        with asked(self.module, kind):
            rows = self.source.find(reader, ids, deadline)
            return {
                record_id: self._answer(actor, context, reader, rows[record_id])
                if record_id in rows
                else NotFound()
                for record_id in ids
            }

    def confirm(
        self, actor: Actor, context: str, relationships: Sequence[Assertion], deadline: Deadline
    ) -> Mapping[str, Confirmation]:
        """Re-reads the column of the asserting record that each relationship was mapped from.

        Raises ReaderError as ``read`` does.
        """
        confirmer = Confirmer(self.source, self.records, self.relationships)
        answers: dict[str, Confirmation] = {each.id: "unknown" for each in relationships}
        by_kind: defaultdict[str, list[Assertion]] = defaultdict(list)
        for each in relationships:
            kind = confirmer.asserting_kind(each)
            if kind is not None and each.provenance.module == self.module:
                by_kind[kind].append(each)
        for kind, asserted in by_kind.items():
            ids = sorted({each.provenance.entity_id for each in asserted})
            records = self.read(actor, context, kind, ids, deadline)
            with asked(self.module, kind):
                found = [e for e in asserted if isinstance(records[e.provenance.entity_id], Found)]
                answers.update(confirmer.confirm(found, deadline))
        return answers

    def snapshot(self) -> Snapshot:
        """Everything the module has, streamed: each record once, equal relationships of one record once.

        Iterating raises ReaderError (``ReaderUnavailable``) where the source cannot be reached, and
        ConfigurationError where its data is at fault: ``RecordUnreadable``, ``UnknownContext``,
        ``DuplicateRecord``.
        """
        relating = Relating(self._raw, self.records, self.relationships, self.contexts[0])
        reader, edges = self._feed_reader(), relating.edges()
        return Snapshot(
            self._nodes(), edges if reader is None else reader.asserted(edges), relating.null_references
        )

    def changes(self, cursor: Position | None) -> Feed | None:
        """What changed since this cursor; None where the source has no feed. Raises as ``snapshot`` does."""
        reader = self._feed_reader()
        return None if reader is None else reader.since(cursor)

    @property
    def _raw(self) -> RawRecords:
        return RawRecords(self.module, self.source)

    def _feed_reader(self) -> FeedReader | None:
        if self.feed is None:
            return None
        return FeedReader(
            self._raw, self.feed, self.records, self.relationships, self.contexts[0], self._checked_node
        )

    def _checked_node(self, reader: RecordReader, record: Record) -> NodeState:
        self._knows_context(reader.kind.name, record)
        return self._node(reader, record)

    def _answer(self, actor: Actor, context: str, reader: RecordReader, row: Row) -> Answer:
        try:
            record = reader.record(row)
            if record.context != context:
                return NotFound()
            if not self.policy.permits(actor, reader.kind.name, record.visibility, record.fields):
                return Forbidden()
            label, summary = reader.label(record), reader.summary(record)
        except FAULTS as fault:
            return Unreadable(told(fault))
        return Found(record.fields, record.revision, record.visibility, label, record.observed_at, summary)

    def _nodes(self) -> Iterator[NodeState]:
        raw = self._raw
        for kind, reader in self.records.items():
            seen: set[str] = set()
            for row in raw.of(kind, reader.mapping):
                with raw.at(kind, reader.mapping.rows, row):
                    record = reader.record(row)
                    self._fits(kind, record, seen)
                    node = self._node(reader, record)
                yield node

    def _node(self, reader: RecordReader, record: Record) -> NodeState:
        kind = reader.kind
        return NodeState(
            coordinate=Coordinate(self.module, kind.name, record.id),
            revision=record.revision,
            label=reader.label(record),
            visibility=record.visibility,
            context=record.context,
            guard=self.policy.guard(kind.name, record.fields),
            summary=reader.summary(record),
            observed_at=record.observed_at,
            keys=kind.anchors,
            properties={name: record.fields[name] for name in kind.stored},
        )

    def _fits(self, kind: str, record: Record, seen: set[str]) -> None:
        if record.id in seen:
            raise ConfigurationError(
                "DuplicateRecord",
                f"module {self.module}: two records of {kind} have the id {record.id!r}",
                hint=f"map {kind} from a table or path that holds each record once",
            )
        seen.add(record.id)
        self._knows_context(kind, record)

    def _knows_context(self, kind: str, record: Record) -> None:
        if record.context not in self.contexts:
            raise ConfigurationError(
                "UnknownContext",
                f"module {self.module}: {kind} {record.id!r} is in context {record.context!r}, "
                "which world.yml does not list",
                hint=f"known are: {', '.join(self.contexts)}",
            )
