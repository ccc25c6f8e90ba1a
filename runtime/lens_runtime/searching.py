"""Full text: candidates by id for a stage to start from, and nothing else (P24).

What it names is then sought, read and authorized as any other record (P25), and the condition is decided on what
the module says: a label that only the projection still has finds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lens_dsl.compiler import MAX_SEARCHED, Seed, compile_search
from lens_dsl.errors import EvaluationProblem, OverBudget
from lens_dsl.plan import Anchor, Plan, Stage
from lens_dsl.words import words_sought
from lens_runtime.cuts import Cut
from lens_runtime.evaluation.expressions import Evaluator
from lens_runtime.evaluation.kinds import kind_of
from lens_runtime.meter import Meter
from lens_runtime.ports import Cell, Deadline, Store
from lens_runtime.scope import Scope
from lens_runtime.subgraph import Place, Subgraph

MAX_SEARCHES = 16  # statements that one read of a store takes


@dataclass(frozen=True, slots=True)
class Named:
    """The candidates of each anchor by its bit, as ids to seek, and where there were more of them."""

    seeds: Mapping[int, tuple[Seed, ...]] = field(default_factory=dict)
    cuts: Mapping[Place, frozenset[Cut]] = field(default_factory=dict)

    def marked(self, subgraph: Subgraph) -> Subgraph:
        """The subgraph of a traversal that started from these, with their marks."""
        cuts = dict(subgraph.cuts)
        for place, cut in self.cuts.items():
            cuts[place] = cuts.get(place, frozenset()) | cut
        return replace(subgraph, cuts=cuts) if self.cuts else subgraph


def search(
    store: Store,
    scope: Scope,
    stage: Stage,
    evaluator: Evaluator,
    plan: Plan,
    deadline: Deadline,
    meter: Meter,
) -> Named:
    """What full text names for the stage's anchors, in one round trip; none where nothing is searched for."""
    seeds: dict[int, tuple[Seed, ...]] = {anchor.bit: () for anchor in stage.anchors if anchor.search}
    sought = [(anchor, _words(anchor, evaluator)) for anchor in stage.anchors if anchor.search]
    asked = [(anchor, words) for anchor, words in sought if words]
    if not asked:
        return Named(seeds)
    if len(asked) > MAX_SEARCHES:
        raise OverBudget(
            "TooManyAnchors",
            f"{len(asked)} parts of a pattern start from full text; the most at once is {MAX_SEARCHES}",
            hint="split it into several queries",
            phase="runtime",
        )
    budget, state = plan.budget, plan.worst_case.state
    statements = [compile_search(anchor, words, scope.world, budget, state) for anchor, words in asked]
    reading = store.read(statements, scope, deadline)
    meter.reading(reading)
    cuts: dict[Place, frozenset[Cut]] = {}
    for (anchor, _), rows in zip(asked, reading.results, strict=True):
        seeds[anchor.bit] = _kept(rows, budget.candidates)
        if len(rows) > budget.candidates:
            where = f"at the start, {' or '.join(anchor.kinds)}"
            cuts[anchor.bit, ""] = frozenset({Cut("candidates", budget.candidates, where)})
    return Named(seeds, cuts)


def _words(anchor: Anchor, evaluator: Evaluator) -> tuple[str, ...]:
    assert anchor.values is not None
    text = evaluator.value(anchor.values, {})
    if text is None:
        return ()
    if not isinstance(text, str):
        raise EvaluationProblem(
            "InvalidArgumentType",
            f"search() cannot look for {kind_of(text)}",
            span=anchor.values.span,
        )
    return words_sought(text)


def _kept(rows: Sequence[Sequence[Cell]], ceiling: int) -> tuple[Seed, ...]:
    """The newest of the candidates, ties by id: all of them have every word, so that nothing else ranks them."""
    newest = sorted(rows[:MAX_SEARCHED], key=lambda row: (-int(row[3] or 0), str(row[0])))[:ceiling]
    ids: dict[str, list[object]] = {}
    for _, kind, entity_id, _ in newest:
        ids.setdefault(str(kind), []).append(entity_id)
    return tuple(Seed((kind,), tuple(values)) for kind, values in sorted(ids.items()))
