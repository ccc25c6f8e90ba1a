"""What a module says of a record or a relationship, as far as the projection may keep it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from lens_runtime.graph import Coordinate
from lens_runtime.scope import UNGUARDED

Operation = Literal["upsert", "delete"]


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a module's change feed: how many events came before, and a mark of what stands there.

    The mark tells one feed from another with the same numbers. A position without one counts what was written
    of a module that has no feed, and no feed goes on from it.
    """

    seq: int
    mark: str = ""

    def __str__(self) -> str:
        return f"{self.seq}-{self.mark}" if self.mark else str(self.seq)

    @classmethod
    def parse(cls, text: str) -> Position:
        """The position that a text names; ValueError where it names none."""
        seq, _, mark = text.partition("-")
        return cls(int(seq), mark)


@dataclass(frozen=True, slots=True)
class NodeState:
    """A record: ``properties`` are its declared keys, indexed and projected properties, nothing else.

    ``keys`` are the properties a query may start from; ``guard`` is ``-`` or ``field=value``
    (``None`` where the guarding field is null: only actors with ``any`` see it).
    ``observed_at`` is in milliseconds since 1970 UTC.
    """

    coordinate: Coordinate
    revision: str
    label: str
    visibility: str
    context: str = "main"
    guard: str | None = UNGUARDED
    summary: str | None = None
    observed_at: int | None = None
    keys: tuple[str, ...] = ("id",)
    properties: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return str(self.coordinate)


@dataclass(frozen=True, slots=True)
class EdgeState:
    """A relationship, with the record that asserts it. Its target need not exist (yet)."""

    type: str
    source: Coordinate
    target: Coordinate
    visibility: str
    provenance_module: str
    provenance_entity_id: str
    provenance_revision: str
    provenance_event_id: str | None = None
    context: str = "main"
    observed_at: int | None = None
    properties: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"({self.source})-[{self.type}]->({self.target})"


@dataclass(frozen=True, slots=True)
class Change:
    """One event: what a module says of a record now, and of every relationship that this record asserts.

    ``node`` is None where the record is gone; its module may still assert relationships in its name.
    ``revision`` is the record's, a whole number that grows where the module counts its revisions.
    """

    position: Position
    op: Operation
    coordinate: Coordinate
    revision: str
    node: NodeState | None = None
    relationships: tuple[EdgeState, ...] = ()

    @property
    def seq(self) -> int:
        """Its place in the module's total order."""
        return self.position.seq


@dataclass(frozen=True, slots=True)
class Feed:
    """What a module has had to tell since a cursor.

    ``head`` stands after its newest event. ``changes`` is None where the feed does not go on from the cursor,
    because it was replaced or cut, or because it is now mapped in another way: then a snapshot is taken.
    """

    head: Position
    changes: Iterable[Change] | None = None
