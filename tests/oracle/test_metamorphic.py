"""A query written differently has the same rows: rules that need no second engine to be checked."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, event, given, note, settings
from hypothesis import strategies as st

from lens_dsl import ast
from lens_dsl.errors import EvaluationProblem, QueryError
from lens_dsl.formatter import format_query
from lens_runtime.result import Result
from tests.oracle.budgets import AMPLE
from tests.oracle.building import Built, built
from tests.oracle.comparing import Plain, plain_rows
from tests.oracle.evaluator import AGGREGATES
from tests.oracle.metamorphic import RULES, leaves_open, partitions, rewritten, whole
from tests.oracle.queries import queries
from tests.oracle.test_matches_oracle import REFUSALS
from tests.oracle.worlds import ACTORS, small_worlds
from tests.share import is_full

QUERIES = 10  # a world
SLOW = settings(
    max_examples=300 if is_full() else 10,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)


def asked(place: Built, actor: str, query: ast.Query) -> Result | QueryError:
    text = format_query(query)
    note(f"{actor}: {text}")
    try:
        return place.ask(actor, text, AMPLE)
    except QueryError as error:
        return error


def rows(result: Result, *, exact: bool) -> Counter[Plain]:
    assert result.complete
    return Counter(plain_rows(result.rows, result.columns, exact=exact))


def is_exact(query: ast.Query) -> bool:
    """Whether nothing in it may take 1 for 1.0."""
    text = format_query(query)
    return not any(word in text for word in ("DISTINCT", "LIMIT", *(f"{name}(" for name in AGGREGATES)))


@pytest.mark.parametrize("rule", RULES)
@SLOW
@given(data=st.data())
def test_a_query_written_differently_has_the_same_rows(rule, data):
    with built(data.draw(small_worlds())) as place:
        for _ in range(QUERIES):
            actor = data.draw(st.sampled_from(ACTORS))
            query = whole(data.draw(queries(place.world)))
            other = rewritten(data.draw, query, RULES[rule])
            exact = is_exact(query)
            if query == other or (not exact and leaves_open(query)):
                event("nothing to change")
                continue
            one, two = asked(place, actor, query), asked(place, actor, other)
            if isinstance(one, QueryError) or isinstance(two, QueryError):
                check_errors(one, two)
                continue
            event("compared")
            assert rows(one, exact=exact) == rows(two, exact=exact)


@SLOW
@given(st.data())
def test_a_predicate_is_true_false_or_unknown_of_each_row(data):
    with built(data.draw(small_worlds())) as place:
        for _ in range(QUERIES):
            actor = data.draw(st.sampled_from(ACTORS))
            query, thirds = data.draw(partitions(place.world))
            one = asked(place, actor, query)
            others = [asked(place, actor, third) for third in thirds]
            if isinstance(one, QueryError) or any(isinstance(other, QueryError) for other in others):
                for other in others:
                    check_errors(one, other)
                continue
            event("compared")
            found = [rows(other, exact=True) for other in others if isinstance(other, Result)]
            assert sum(found, Counter()) == rows(one, exact=True)


def check_errors(one: Result | QueryError, two: Result | QueryError) -> None:
    """A value may fail in one order of evaluation alone; a refusal is of the query, however it is written."""
    event(f"{getattr(one, 'code', 'rows')}, {getattr(two, 'code', 'rows')}")
    if not isinstance(one, EvaluationProblem) and not isinstance(two, EvaluationProblem):
        assert isinstance(one, REFUSALS) == isinstance(two, REFUSALS), f"{one!r}\n{two!r}"
