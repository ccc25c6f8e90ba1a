"""What the runtime needs from outside: one Protocol a port, each with a contract suite that its adapters pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

from lens_dsl.lens import Lens
from lens_dsl.plan import Statement
from lens_runtime.graph import Coordinate, Provenance
from lens_runtime.projection.states import EdgeState, NodeState
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

    def inspect(self, statements: Sequence[Statement]) -> Reading:
        """Run fixed administrative reads of ``projection.sql.INSPECTIONS``: the compiler's and the operator's."""

    def write(self, statements: Sequence[Statement]) -> None:
        """Run fixed statements of ``projection.sql.WRITES`` as one atomic write."""

    def writing(self) -> AbstractContextManager[None]:
        """Be the one writer meanwhile. StoreError (StoreBusy) says who is, after 5 seconds of waiting."""

    def close(self) -> None:
        """Let go of connections; further calls raise StoreError."""


@dataclass(frozen=True, slots=True)
class Found:
    """A record as its module has it now."""

    fields: Mapping[str, object]
    revision: str
    visibility: str
    label: str
    observed_at: int | None = None


@dataclass(frozen=True, slots=True)
class NotFound:
    """The module has no such record."""


@dataclass(frozen=True, slots=True)
class Forbidden:
    """The record exists and this actor may not read it; nothing of it may come out."""


Answer = Found | NotFound | Forbidden


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
    """All records and relationships a module has, for sources without a change feed."""

    nodes: Iterable[NodeState] = field(default_factory=tuple)
    edges: Iterable[EdgeState] = field(default_factory=tuple)


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
    "NotFound",
    "Reading",
    "Snapshot",
    "Store",
    "TokenCounter",
]
