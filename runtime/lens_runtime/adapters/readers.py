"""The module readers of a world: one a module, over the source its modules.yml names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from lens_dsl.errors import ConfigurationError, ReaderError
from lens_dsl.ontology import Ontology
from lens_runtime.adapters.csv_source import CsvSource
from lens_runtime.adapters.json_source import JsonSource
from lens_runtime.adapters.mapping import MappingFault, Row
from lens_runtime.adapters.record import Record, RecordReader, Stamp
from lens_runtime.adapters.relationship import RelationshipReader
from lens_runtime.adapters.sources import RecordSource, unavailable
from lens_runtime.adapters.sqlite_source import SqliteSource
from lens_runtime.graph import Coordinate
from lens_runtime.ports import Answer, Deadline, Forbidden, Found, ModuleReader, NotFound, Snapshot
from lens_runtime.projection.states import EdgeState, NodeState
from lens_runtime.scope import Actor
from lens_runtime.worlds.modules import Module, RecordMapping, RelationshipMapping, Source, SourceKind
from lens_runtime.worlds.policy import Policy
from lens_runtime.worlds.records import DataFault
from lens_runtime.worlds.templates import TemplateFault
from lens_runtime.worlds.world import World

_SOURCES: Mapping[SourceKind, Callable[[str, Source], RecordSource]] = {
    "json": JsonSource,
    "csv": CsvSource,
    "sqlite": SqliteSource,
    "generated": SqliteSource,
}


def open_readers(world: World, generated: Path) -> Mapping[str, ModuleReader]:
    """One reader a module, in declared order; ``generated`` is the folder of databases that its generator makes."""
    return {name: _reader(module, world, generated) for name, module in world.modules.items()}


def _reader(module: Module, world: World, generated: Path) -> MappedReader:
    source = module.source
    if source.kind == "generated":
        source = replace(source, path=str(generated / source.path))
    records = {
        mapping.kind: RecordReader.of(world.ontology.kinds[mapping.kind], mapping)
        for mapping in module.records
    }
    relationships = tuple(
        RelationshipReader.of(module.name, world.ontology, mapping) for mapping in module.relationships
    )
    opened = _SOURCES[source.kind](module.name, source)
    return MappedReader(
        module.name, opened, records, relationships, world.ontology, world.policy, world.contexts
    )


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

    def read(
        self, actor: Actor, context: str, kind: str, ids: Sequence[str], deadline: Deadline
    ) -> Mapping[str, Answer]:
        """One answer for every id asked; a record of another context is NotFound.

        Raises ReaderError: ``ReaderUnavailable`` where the source cannot be read, ``RecordUnreadable``
        where a record does not fit its mapping.
        """
        reader = self.records.get(kind)
        if reader is None:
            return {record_id: NotFound() for record_id in ids}
        with self._asked(kind):
            rows = self.source.find(reader, ids, deadline)
            return {
                record_id: self._answer(actor, context, reader, reader.record(rows[record_id]))
                if record_id in rows
                else NotFound()
                for record_id in ids
            }

    def snapshot(self) -> Snapshot:
        """Everything the module has, streamed: each record once, equal relationships of one record once.

        Iterating raises ReaderError (``ReaderUnavailable``) where the source cannot be reached, and
        ConfigurationError where its data is at fault: ``RecordUnreadable``, ``UnknownContext``,
        ``DuplicateRecord``.
        """
        return Snapshot(self._nodes(), self._edges())

    def _answer(self, actor: Actor, context: str, reader: RecordReader, record: Record) -> Answer:
        if record.context != context:
            return NotFound()
        if not self.policy.permits(actor, reader.kind.name, record.visibility, record.fields):
            return Forbidden()
        return Found(
            record.fields, record.revision, record.visibility, reader.label(record), record.observed_at
        )

    def _nodes(self) -> Iterator[NodeState]:
        for kind, reader in self.records.items():
            seen: set[str] = set()
            for row in self._rows(kind, reader.mapping):
                with self._at(kind, reader.mapping, row):
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

    def _edges(self) -> Iterator[EdgeState]:
        stamps = self._stamps()
        seen: defaultdict[tuple[str, str, str], set[tuple[str, str]]] = defaultdict(set)
        for reader in self.relationships:
            known = seen[reader.type.name, reader.source_kind.name, reader.target_kind.name]
            for row in self._rows(reader.type.name, reader.mapping):
                with self._at(reader.type.name, reader.mapping, row):
                    edge = reader.edge(row, stamps, self.contexts[0])
                if edge is None or (edge.source.entity_id, edge.target.entity_id) in known:
                    continue
                known.add((edge.source.entity_id, edge.target.entity_id))
                yield edge

    def _stamps(self) -> Mapping[tuple[str, str], Stamp]:
        stamps: dict[tuple[str, str], Stamp] = {}
        for kind in dict.fromkeys(reader.asserting_kind for reader in self.relationships):
            reader = self.records[kind]
            for row in self._rows(kind, reader.mapping):
                with self._at(kind, reader.mapping, row):
                    record_id = reader.id(row)
                    if record_id is not None:
                        stamps[kind, record_id] = reader.stamp(row)
        return stamps

    def _fits(self, kind: str, record: Record, seen: set[str]) -> None:
        if record.id in seen:
            raise ConfigurationError(
                "DuplicateRecord",
                f"module {self.module}: two records of {kind} have the id {record.id!r}",
                hint=f"map {kind} from a table or path that holds each record once",
            )
        seen.add(record.id)
        if record.context not in self.contexts:
            raise ConfigurationError(
                "UnknownContext",
                f"module {self.module}: {kind} {record.id!r} is in context {record.context!r}, "
                "which world.yml does not list",
                hint=f"known are: {', '.join(self.contexts)}",
            )

    def _rows(self, what: str, mapping: RecordMapping | RelationshipMapping) -> Iterator[Row]:
        """The raw records of a mapping, for a build: where they are at fault, so is the configuration."""
        rows: Iterator[Row] | None = None
        while True:
            with self._at(what, mapping, None):
                rows = rows or self.source.rows(mapping.rows, mapping.types)
                row = next(rows, None)
            if row is None:
                return
            yield row

    @contextmanager
    def _at(self, what: str, mapping: RecordMapping | RelationshipMapping, row: Row | None) -> Iterator[None]:
        try:
            yield
        except DataFault as fault:
            raise ConfigurationError(
                "RecordUnreadable",
                f"module {self.module}, {what}: {fault}",
                hint="correct the file, then build again",
            ) from None
        except (MappingFault, TemplateFault, RecursionError) as fault:
            place = self.source.place(mapping.rows, row)
            raise ConfigurationError(
                "RecordUnreadable",
                f"module {self.module}, {what}: {_told(fault)} ({place})",
                hint=f"correct the record, or the mapping of {what} in modules.yml",
            ) from None

    @contextmanager
    def _asked(self, what: str) -> Iterator[None]:
        try:
            yield
        except DataFault as fault:
            raise unavailable(self.module, str(fault)) from None
        except (MappingFault, TemplateFault, RecursionError) as fault:
            raise ReaderError("RecordUnreadable", f"module {self.module}, {what}: {_told(fault)}") from None


def _told(fault: Exception) -> str:
    return "it is nested too deeply" if isinstance(fault, RecursionError) else str(fault)
