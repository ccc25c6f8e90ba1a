"""Looking over an answer's shoulder: how often modules were called, and whether they stand by what was told."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lens_runtime.engine import Engine
from lens_runtime.envelope import ContextEnvelope
from lens_runtime.envelope.shape import CoordinatePart, Evidence, Fact
from lens_runtime.graph import Coordinate
from lens_runtime.hydration import BATCH, Sources
from lens_runtime.ports import (
    Answer,
    Assertion,
    Confirmation,
    Deadline,
    Forbidden,
    Found,
    ModuleReader,
    Snapshot,
)
from lens_runtime.projection.states import Feed, Position
from lens_runtime.scope import Actor

ECHOES = frozenset({"not_found_or_not_visible", "out_of_lens"})
"""Unknowns that are about what the caller named itself: they tell of no record."""


@dataclass
class Calls:
    """How many calls of readers there were; they come from several threads."""

    count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self) -> None:
        """Count one."""
        with self._lock:
            self.count += 1


@dataclass(frozen=True, slots=True)
class CountingReader:
    """A module's reader that counts what it is asked."""

    reader: ModuleReader
    calls: Calls

    @property
    def module(self) -> str:
        """The module's name."""
        return self.reader.module

    def read(
        self, actor: Actor, context: str, kind: str, ids: Sequence[str], deadline: Deadline
    ) -> Mapping[str, Answer]:
        """As the reader, and one call more."""
        self.calls.add()
        return self.reader.read(actor, context, kind, ids, deadline)

    def confirm(
        self, actor: Actor, context: str, relationships: Sequence[Assertion], deadline: Deadline
    ) -> Mapping[str, Confirmation]:
        """As the reader, and one call more."""
        self.calls.add()
        return self.reader.confirm(actor, context, relationships, deadline)

    def snapshot(self) -> Snapshot:
        """As the reader."""
        return self.reader.snapshot()

    def changes(self, cursor: Position | None) -> Feed | None:
        """As the reader."""
        return self.reader.changes(cursor)


def counted(engine: Engine, calls: Calls) -> Engine:
    """The engine with every reader counted."""
    sources = engine.sources
    readers = {name: CountingReader(reader, calls) for name, reader in sources.readers.items()}
    return replace(engine, sources=Sources(readers, sources.ontology))


@dataclass(frozen=True, slots=True)
class Audit:
    """What is wrong with an answer: records that this actor may not learn of, facts that are no longer so."""

    leaked: tuple[Coordinate, ...]
    stale_as_fresh: tuple[Coordinate, ...]


def audit(
    envelope: ContextEnvelope, forbidden: Sequence[Coordinate], engine: Engine, deadline: Deadline
) -> Audit:
    """The envelope held against a list of forbidden records, and against the modules, asked once more.

    A forbidden record is leaked wherever its coordinate stands; any other where its module denies this actor a
    fact. Raises ReaderError where a module cannot be asked: nothing can be said of the answer then.
    """
    said = _answers(envelope.facts, engine, deadline)
    denied = {at for at, answer in said.items() if isinstance(answer, Forbidden)}
    shown = mentioned(envelope)
    told = [unknown.message for unknown in envelope.unknowns if unknown.code not in ECHOES]
    leaked = {at for at in forbidden if at in shown or any(str(at) in message for message in told)}
    late = {
        at
        for fact in envelope.facts
        if not fact.stale and not _still(fact, said[at := coordinate(fact.coordinate)])
    }
    return Audit(_sorted(denied | leaked), _sorted(late - denied))


def mentioned(envelope: ContextEnvelope) -> set[Coordinate]:
    """Every record whose coordinate stands in the envelope, but for what only repeats the caller's own words."""
    links = envelope.relationships
    parts: list[CoordinatePart | Evidence | None] = [
        *(fact.coordinate for fact in envelope.facts),
        *(link.source for link in links),
        *(link.target for link in links),
        *(link.provenance for link in links),
        *envelope.evidence,
        *(unknown.about for unknown in envelope.unknowns if unknown.code not in ECHOES),
    ]
    made = (each.anchor for each in envelope.aggregates)
    anchors = {
        Coordinate(each["module"], each["entityType"], each["entityId"]) for each in made if each is not None
    }
    return anchors | {coordinate(part) for part in parts if part is not None}


def coordinate(part: CoordinatePart | Evidence) -> Coordinate:
    """The coordinate that a part of an envelope names."""
    return Coordinate(part.module, part.entity_type, part.entity_id)


def _still(fact: Fact, answer: Answer) -> bool:
    return isinstance(answer, Found) and answer.revision == fact.revision


def _answers(facts: Sequence[Fact], engine: Engine, deadline: Deadline) -> dict[Coordinate, Answer]:
    """What the modules say of the facts now, for the actor of the engine's scope."""
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for fact in facts:
        groups[fact.coordinate.module, fact.coordinate.entity_type].append(fact.coordinate.entity_id)
    scope, found = engine.scope, {}
    for (module, kind), ids in groups.items():
        reader = engine.sources.readers[module]
        for start in range(0, len(ids), BATCH):
            asked = ids[start : start + BATCH]
            answers = reader.read(scope.actor, scope.context, kind, asked, deadline)
            found.update({Coordinate(module, kind, each): answers[each] for each in asked})
    return found


def _sorted(found: set[Coordinate]) -> tuple[Coordinate, ...]:
    return tuple(sorted(found, key=str))
