"""A session: one world, one actor, one context, fixed before the first lookup; queries run in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType

from lens_dsl.budget import Budget
from lens_dsl.errors import AccessDenied, LensError, SemanticProblem
from lens_dsl.plan import Plan
from lens_runtime.context import Question, answer
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.engine import Engine
from lens_runtime.envelope import ContextEnvelope, seal
from lens_runtime.graph import Coordinate
from lens_runtime.ports import LensSource, TokenCounter
from lens_runtime.result import Result
from lens_runtime.tokens import CharacterCounter
from lens_runtime.worlds.lenses import WorldLenses
from lens_runtime.worlds.world import World

MAX_COORDINATE = 500


@dataclass(frozen=True)
class Session:
    """Asks one world as one actor. Close it, or use it in a ``with``. ``address`` is what the world was called."""

    world: World
    engine: Engine
    address: str
    budget: Budget = field(default_factory=Budget)
    lenses: LensSource | None = None
    counter: TokenCounter = field(default_factory=CharacterCounter)

    def query(
        self,
        text: str,
        parameters: Mapping[str, object] | None = None,
        /,
        *,
        budget: Budget | None = None,
        verify: bool = False,
        **named: object,
    ) -> Result:
        """The answer of a query, its ``$parameters`` bound by name: as a mapping, or as keywords.

        With ``verify`` the owners of its relationships are asked again, and what leads nowhere is looked for.

        Raises QueryError for the query's own faults, ExecutionError for what is unavailable;
        what a ceiling cut, and what is unknown, stands in the result.
        """
        chosen = budget or self.budget
        bound = {**(parameters or {}), **named}
        with self._addressed():
            deadline = MonotonicDeadline.after(chosen.seconds)
            return self.engine.run(text, bound, chosen, deadline, verify=verify)

    def context(
        self,
        lens: str,
        subject: Coordinate | str,
        /,
        *,
        focus: str | None = None,
        max_nodes: int | None = None,
    ) -> ContextEnvelope:
        """The envelope of a lens about a subject, ``module:Type:ID``; ``max_nodes`` is clamped to the lens's ceiling.

        Raises ConfigurationError (UnknownLens), SemanticProblem (InvalidCoordinate), or ExecutionError for what
        is unavailable altogether. A subject that is not there, or is hidden, is an unknown in the envelope.
        """
        chosen = self.lens_source.find(lens)
        question = Question(chosen, _coordinate(subject), focus, max_nodes)
        with self._addressed():
            deadline = MonotonicDeadline.after(chosen.deadline_ms / 1_000)
            return answer(self.engine, question, self.counter, deadline)

    @property
    def lens_source(self) -> LensSource:
        """The lenses that may be named: those given to the session, else those of the world's folder."""
        return self.lenses or WorldLenses(self.world.id, self.world.lenses)

    def envelope(self, result: Result) -> ContextEnvelope:
        """The result as an agent is given it: facts, revisions, freshness, unknowns, truncation."""
        return seal(result)

    def plan(self, text: str, /, *, budget: Budget | None = None) -> Plan:
        """What the query would do; nothing is read."""
        return self.engine.plan(text, budget or self.budget)

    def ready(self) -> None:
        """Raise StoreError (NotBuilt, SchemaVersion, ...) unless the store can be asked; no record is read."""
        with self._addressed():
            self.engine.store.read((), self.engine.scope, MonotonicDeadline.after(self.budget.seconds))

    def require(self, right: str) -> None:
        """Raise AccessDenied (MissingRight) unless a role of the actor carries the right."""
        actor = self.engine.scope.actor
        if right not in self.world.policy.rights(actor):
            raise AccessDenied(
                "MissingRight",
                f"{actor.id} does not have the right {right}",
                hint=f"add {right} to the rights of one of its roles in policy.yml",
            )

    @contextmanager
    def _addressed(self) -> Iterator[None]:
        try:
            yield
        except LensError as error:
            addressed(error, self.address)
            raise

    def close(self) -> None:
        """Let go of the store."""
        self.engine.store.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def addressed(error: LensError, address: str | None) -> None:
    """Let the hint to build a world call it what the user called it: its id may not lead there."""
    if address is not None and error.code in ("NotBuilt", "PolicyChanged", "SchemaVersion"):
        rebuild = "--rebuild " if error.code == "SchemaVersion" else ""
        error.hint = f"lens world build {rebuild}{address}"


def _coordinate(subject: Coordinate | str) -> Coordinate:
    if len(str(subject)) > MAX_COORDINATE:
        raise SemanticProblem(
            "InvalidCoordinate",
            f"a coordinate has at most {MAX_COORDINATE} characters",
            hint="give the exact id",
        )
    if isinstance(subject, Coordinate):
        return subject
    try:
        return Coordinate.parse(subject)
    except ValueError:
        raise SemanticProblem(
            "InvalidCoordinate", f"{subject!r} is no coordinate", hint="write module:Type:ID"
        ) from None
