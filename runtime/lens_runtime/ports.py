"""What the runtime needs from outside: one Protocol a port, each with a contract suite that its adapters pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

from lens_dsl.lens import Lens
from lens_dsl.plan import Statement
from lens_runtime.graph import Coordinate, Provenance
from lens_runtime.projection.states import EdgeState, Feed, NodeState, Position
from lens_runtime.scope import Actor, Scope

Cell = None | int | float | str


class Deadline(Protocol):
    """The time left for one request."""

    def remaining(self) -> float:
        """Seconds left; 0.0 once it has passed."""

    def check(self) -> None:
        """Raise ``ExecutionError`` (DeadlineExceeded) once it has passed."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One batch of reads: rows a statement, and what they cost. ``rows_read`` is None where nothing counts it."""

    results: tuple[tuple[tuple[Cell, ...], ...], ...]
    statements: int
    round_trips: int
    rows_read: int | None


class Store(Protocol):
    """Where the projection lives. Only the fixed statements of ``lens_dsl.sql`` and ``projection.sql`` run."""

    def read(self, statements: Sequence[Statement], scope: Scope, deadline: Deadline) -> Reading:
        """Run fixed statements of ``lens_dsl.sql.READS`` for this actor, in one round trip.

        The store itself resolves the actor's scopes and binds them as ``?1``; a statement's own
        parameters follow from ``?2``. Raises StoreError (NotBuilt before the first build),
        ConfigurationError for tables of another version, or OverBudget where a step seeks more
        groups than ``lens_dsl.sql.MAX_GROUPS``.
        """

    def commit(self, statements: Sequence[Statement], scope: Scope, deadline: Deadline) -> None:
        """Keep what a session made: fixed statements of ``lens_dsl.aggregates_sql.COMMITS``, all of them or none.

        All that a session can write. The store itself resolves the actor's scopes and binds them as ``?1``,
        with the world as ``?2`` and the context as ``?3``. Raises StoreError (ReadOnly, StoreBusy, ...), or
        AccessDenied (MayNotCommit) where this actor may only read.
        """

    def inspect(self, statements: Sequence[Statement]) -> Reading:
        """Run fixed administrative reads of ``projection.sql.INSPECTIONS``: the compiler's and the operator's."""

    def write(self, statements: Sequence[Statement]) -> None:
        """Run fixed statements of ``projection.sql.WRITES`` as one atomic write."""

    def writing(self) -> AbstractContextManager[None]:
        """Be the one writer meanwhile. StoreError (StoreBusy) says who is, after 5 seconds of waiting."""

    def close(self) -> None:
        """Let go of connections; further calls raise StoreError."""


@dataclass(frozen=True, slots=True)
class EngineFacts:
    """What a database's engine says of itself and of the file.

    ``limits`` gives for each limit of its connections what they hold and what they should; ``size`` is in bytes;
    ``writer`` says who writes now, None where nobody does.
    """

    version: str
    features: frozenset[str]
    limits: Mapping[str, tuple[int, int]]
    size: int
    writer: str | None


class Examiner(Protocol):
    """What only the engine of a database can tell, where this process runs it. It reads, and nothing else."""

    @property
    def file(self) -> str:
        """Where the database is."""

    def facts(self) -> EngineFacts:
        """The engine and the file in numbers. StoreError (NotBuilt) where there is none."""

    def faults(self) -> tuple[str, ...]:
        """What is broken in the file itself, at most ten lines; none where it is whole."""

    def plans(self) -> Mapping[str, tuple[str, ...]]:
        """How each of ``projection.plans.PLANNED`` would be run here: the lines of its query plan."""


@dataclass(frozen=True, slots=True)
class Found:
    """A record as its module has it now."""

    fields: Mapping[str, object]
    revision: str
    visibility: str
    label: str
    observed_at: int | None = None
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class NotFound:
    """The module has no such record."""


@dataclass(frozen=True, slots=True)
class Forbidden:
    """The record exists and this actor may not read it; nothing of it may come out."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The record exists and does not fit its mapping; ``reason`` names fields, never values, for the operator."""

    reason: str


Answer = Found | NotFound | Forbidden | Unreadable


@dataclass(frozen=True, slots=True)
class Assertion:
    """A relationship as the projection has it, for its owner to confirm or deny."""

    id: str
    type: str
    source: Coordinate
    target: Coordinate
    provenance: Provenance


Confirmation = Literal["confirmed", "gone", "unknown"]
"""Whether the owner still asserts a relationship; ``unknown`` where it cannot tell, or not to this actor."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All records and relationships a module has, for sources without a change feed.

    ``null_references`` counts, by relationship type and once ``edges`` was iterated, what names no other end.
    """

    nodes: Iterable[NodeState] = field(default_factory=tuple)
    edges: Iterable[EdgeState] = field(default_factory=tuple)
    null_references: Mapping[str, int] = field(default_factory=dict)


class ModuleReader(Protocol):
    """A business module's public reader. It authorizes each record for the actor by itself."""

    @property
    def module(self) -> str:
        """The module's name."""

    def read(
        self, actor: Actor, context: str, kind: str, ids: Sequence[str], deadline: Deadline
    ) -> Mapping[str, Answer]:
        """One answer for every id asked. Raises ReaderError (``ReaderUnavailable``) where the module is."""

    def confirm(
        self, actor: Actor, context: str, relationships: Sequence[Assertion], deadline: Deadline
    ) -> Mapping[str, Confirmation]:
        """Whether each relationship still holds, by its id. Raises ReaderError where the module cannot be read.

        A reader that cannot look a relationship up again says ``unknown``, and so it does for an asserting
        record that this actor may not read.
        """

    def snapshot(self) -> Snapshot:
        """Everything the module has, streamed, with what the projection may keep of it."""

    def changes(self, cursor: Position | None) -> Feed | None:
        """What changed since this cursor, in the feed's order; None where the module has no feed.

        An event says what the module has *now*, so that it may be read again and again, and out of step with
        other modules. Raises ReaderError where the module cannot be read, as does iterating.
        """


@dataclass(frozen=True, slots=True)
class ReductionRequest:
    """What to reduce: ``items`` in order, by ``function``, under an instruction that holds all that steers it.

    ``words`` is about how long a prose answer may be; ``hint`` is what the answer should be about, if anything.
    """

    function: str
    instruction: str
    items: tuple[str, ...]
    words: int
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Reduced:
    """An answer, what gave it, and what that took; None where nothing counts tokens."""

    value: str
    model: str
    tokens_in: int | None = None
    tokens_out: int | None = None


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """An honest miss: the items do not hold what was asked for."""

    model: str
    tokens_in: int | None = None
    tokens_out: int | None = None


class Reducer(Protocol):
    """Reduces texts to one. Each call counts as a model call."""

    def reduce(self, request: ReductionRequest, deadline: Deadline) -> Reduced | NoAnswer:
        """The answer, or that there is none. ReducerError where it cannot tell, or cannot do the function."""


class LensSource(Protocol):
    """Which lenses there are for a world: those that a request may name."""

    def names(self) -> tuple[str, ...]:
        """The names of all of them, sorted."""

    def find(self, name: str) -> Lens:
        """The lens of that name, in the version that is in use. ConfigurationError (``UnknownLens``) else."""


class TokenCounter(Protocol):
    """Counts the tokens of a text, as the model that will read it does."""

    def count(self, text: str) -> int:
        """How many; 0 for an empty text."""


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> int:
        """Milliseconds since 1970 UTC."""


__all__ = [
    "Answer",
    "Assertion",
    "Cell",
    "Clock",
    "Confirmation",
    "Coordinate",
    "Deadline",
    "Forbidden",
    "Found",
    "LensSource",
    "ModuleReader",
    "NoAnswer",
    "NotFound",
    "Reading",
    "Reduced",
    "Reducer",
    "ReductionRequest",
    "Snapshot",
    "Store",
    "TokenCounter",
    "Unreadable",
]
