"""What the engine answers is what openCypher says of the actor's graph, or a marked part of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from hypothesis import HealthCheck, event, given, note, settings
from hypothesis import strategies as st

from lens_dsl import ast
from lens_dsl.budget import Budget
from lens_dsl.errors import EvaluationProblem, OverBudget, QueryError, SemanticProblem, UnsupportedFeature
from lens_dsl.formatter import format_query
from lens_runtime.result import Result
from tests.oracle.brute import Answer, Oracle, Visible, visible
from tests.oracle.budgets import AMPLE, tight_budgets
from tests.oracle.building import MODULES, Built, built
from tests.oracle.comparing import difference, overstatement
from tests.oracle.evaluator import AGGREGATES, Evaluator
from tests.oracle.queries import queries
from tests.oracle.values import Fault
from tests.oracle.worlds import ACTORS, small_worlds
from tests.share import is_full

QUERIES = 10  # a world
REFUSALS = (OverBudget, SemanticProblem, UnsupportedFeature)
SLOW = settings(  # a full run asks 2,000 queries a test
    max_examples=200 if is_full() else 40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)


@dataclass(frozen=True)
class Truth:
    """The oracle's answer: none where it has a fault; ``doubtful`` where a lazy evaluation has none."""

    answer: Answer | None
    doubtful: bool
    exact: bool


def truth(graph: Visible, query: ast.Query, text: str) -> Truth:
    evaluator = Evaluator()
    # Which of 1 and 1.0 stands for both is left open by DISTINCT, grouping, min, max and LIMIT.
    exact = not any(word in text for word in ("DISTINCT", "LIMIT", *(f"{name}(" for name in AGGREGATES)))
    try:
        oracle = Oracle(graph, evaluator)
        evaluator.match = oracle.match
        answer = oracle.answer(query)
    except Fault:
        # Rows beyond a LIMIT need not be evaluated.
        return Truth(None, evaluator.doubtful or "LIMIT" in text, exact)
    return Truth(answer, evaluator.doubtful, exact)


def asked(place: Built, actor: str, text: str, budget: Budget) -> Result | QueryError:
    try:
        return place.ask(actor, text, budget)
    except QueryError as error:
        return error


def check(
    place: Built,
    actor: str,
    query: ast.Query,
    budget: Budget,
    denied: Collection[str] = (),
    known: Truth | None = None,
) -> Result | None:
    """The result, if there is one, after it was held to the oracle's answer (``known``, where it was worked out)."""
    text = format_query(query)
    note(f"{actor}: {text}\n{budget}")
    graph = visible(place.world, actor).without(denied)
    found, true = asked(place, actor, text, budget), known or truth(graph, query, text)
    if isinstance(found, REFUSALS):
        event(f"refused: {found.code}")
        return None
    if isinstance(found, EvaluationProblem):
        assert true.answer is None or true.doubtful, f"an error that is none: {found}"
        return None
    assert isinstance(found, Result), f"{found!r}"
    note(f"cuts {[str(cut) for cut in found.cuts]}, withheld {found.withheld}")
    event("complete" if found.complete else "withheld" if found.withheld else "a marked part")
    if true.answer is None:
        assert true.doubtful or not found.complete, "an error that was not noticed"
    elif found.complete:
        assert difference(found, true.answer, exact=true.exact) == ""
    else:
        silent = any(cut.ceiling == "source" for cut in found.cuts)
        assert silent or budget is not AMPLE, "nothing was to be cut"
        assert overstatement(found, true.answer, exact=true.exact) == ""
    return found


@SLOW
@given(st.data())
def test_an_ample_budget_gives_the_whole_answer(data):
    with built(data.draw(small_worlds())) as place:
        for _ in range(QUERIES):
            check(place, data.draw(st.sampled_from(ACTORS)), data.draw(queries(place.world)), AMPLE)


@SLOW
@given(st.data())
def test_a_tight_budget_gives_a_marked_part(data):
    with built(data.draw(small_worlds())) as place:
        for _ in range(QUERIES):
            actor = data.draw(st.sampled_from(ACTORS))
            check(place, actor, data.draw(queries(place.world)), data.draw(tight_budgets()))


@SLOW
@given(st.data())
def test_a_silent_module_leaves_a_marked_part(data):
    with built(data.draw(small_worlds())) as place:
        reading = place.with_readers(silent=[data.draw(st.sampled_from(MODULES))])
        for _ in range(QUERIES):
            check(reading, data.draw(st.sampled_from(ACTORS)), data.draw(queries(place.world)), AMPLE)


@SLOW
@given(st.data())
def test_what_a_reader_denies_is_as_if_it_were_not(data):
    with built(data.draw(small_worlds())) as place:
        ids = [record.id for record in place.world.records]
        denied = data.draw(st.lists(st.sampled_from(ids), max_size=3, unique=True))
        reading = place.with_readers(denied=denied)
        for _ in range(QUERIES):
            check(reading, data.draw(st.sampled_from(ACTORS)), data.draw(queries(place.world)), AMPLE, denied)
