"""Runs cases against a lens and its baselines, each as the case's own actor. Read ``evaluate`` from top to bottom."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lens_dsl.lens import Lens
from lens_runtime.context import Asking, Question, answer
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.envelope import ContextEnvelope
from lens_runtime.evidence.auditing import Calls, audit, counted
from lens_runtime.evidence.baselines import Baseline, everything, neighbourhood, workspace
from lens_runtime.evidence.cases import Case
from lens_runtime.evidence.scoring import Cost, Score, score
from lens_runtime.session import Session

SECONDS = 60.0
"""The time for one answer: far above a lens's own deadline, so that a slow machine shows in the latency alone."""

OpenSession = Callable[[str, str], Session]
"""Opens a session for an actor in a context."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of every case, in the order of the cases, for the lens and for each baseline by its name."""

    lens: Lens
    max_nodes: int
    cases: tuple[Case, ...]
    scores: dict[str, tuple[Score, ...]]
    everything_tokens: tuple[int, ...]


def evaluate(
    lens: str, cases: Sequence[Case], open_session: OpenSession, max_nodes: int | None = None
) -> Evaluation:
    """The lens and both baselines on the same cases, with the same ceiling of nodes.

    Raises what ``open_session`` does, ConfigurationError for an unknown lens, ExecutionError where a store or
    a module cannot be asked: an evaluation is whole or there is none.
    """
    sessions: dict[tuple[str, str], Session] = {}
    scores: dict[str, list[Score]] = {}
    sizes: list[int] = []
    try:
        for case in cases:
            who = (case.actor, case.context)
            if who not in sessions:
                sessions[who] = open_session(*who)
            trial = _Trial.of(sessions[who], lens, case, max_nodes)
            for name, found in trial.scores():
                scores.setdefault(name, []).append(found)
            sizes.append(trial.size_of_everything())
        chosen = sessions[who].lens_source.find(lens)
    finally:
        for session in sessions.values():
            session.close()
    results = {name: tuple(each) for name, each in scores.items()}
    return Evaluation(chosen, chosen.nodes(max_nodes), tuple(cases), results, tuple(sizes))


@dataclass(frozen=True, slots=True)
class _Trial:
    """One case in one session."""

    session: Session
    lens: Lens
    case: Case
    max_nodes: int | None

    @classmethod
    def of(cls, session: Session, lens: str, case: Case, max_nodes: int | None) -> _Trial:
        return cls(session, session.lens_source.find(lens), case, max_nodes)

    def scores(self) -> list[tuple[str, Score]]:
        """The lens's score and those of its baselines, by name."""
        ontology = self.session.world.ontology
        against = (workspace(self.lens, ontology), neighbourhood(self.lens, ontology, self.max_nodes))
        return [
            ("lens", self._score(self._question(self.lens, self.max_nodes), None)),
            *((each.name, self._score(self._question(each.lens, None), each.gather)) for each in against),
        ]

    def size_of_everything(self) -> int:
        """The tokens of all that the lens may walk to."""
        whole = everything(self.lens, self.session.world.ontology)
        return self._tokens(self._answer(whole))

    def _question(self, lens: Lens, max_nodes: int | None) -> Question:
        return Question(lens, self.case.subject, self.case.focus, max_nodes)

    def _answer(self, baseline: Baseline) -> ContextEnvelope:
        question, deadline = self._question(baseline.lens, None), MonotonicDeadline.after(SECONDS)
        return answer(self.session.engine, question, self.session.counter, deadline, baseline.gather)

    def _score(self, question: Question, asking: Asking | None) -> Score:
        calls, session = Calls(), self.session
        engine, deadline = counted(session.engine, calls), MonotonicDeadline.after(SECONDS)
        begun = time.perf_counter()
        envelope = answer(engine, question, session.counter, deadline, asking)
        seconds = time.perf_counter() - begun
        cost = Cost(self._tokens(envelope), seconds, calls.count)
        checked = audit(envelope, self.case.forbidden, session.engine, MonotonicDeadline.after(SECONDS))
        return score(self.case, envelope, checked, cost)

    def _tokens(self, envelope: ContextEnvelope) -> int:
        return self.session.counter.count(envelope.model_dump_json())
