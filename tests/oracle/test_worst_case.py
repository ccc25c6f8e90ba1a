"""The worst case that a plan states is never exceeded, whatever the graph, the query, the budget and the actor."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lens_dsl.formatter import format_query
from tests.oracle.brute import visible
from tests.oracle.budgets import AMPLE, tight_budgets
from tests.oracle.building import built
from tests.oracle.costs import overspent
from tests.oracle.queries import queries
from tests.oracle.test_matches_oracle import check, truth
from tests.oracle.worlds import ACTORS, small_worlds
from tests.share import is_full

QUERIES, BUDGETS = 7, 5  # of a graph, each asked by three actors: 105 runs a graph
GRAPHS = 1_000 if is_full() else 10


@pytest.mark.promise("P37", "P38", "P40")
@settings(
    max_examples=GRAPHS,
    phases=[Phase.generate],  # an example is a hundred runs: the failing one is named, not shrunk
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(st.data())
def test_no_run_costs_more_than_its_plan_says(data):
    """On SQLite everything but rows read, which it does not count; the answers are held to the oracle as well."""
    world = data.draw(small_worlds())
    asked = [data.draw(queries(world)) for _ in range(QUERIES)]
    budgets = [AMPLE, *(data.draw(tight_budgets()) for _ in range(BUDGETS - 1))]
    with built(world) as place:
        for query in asked:
            for actor in ACTORS:
                known = truth(visible(world, actor), query, format_query(query))
                for budget in budgets:
                    result = check(place, actor, query, budget, known=known)
                    assert (overspent(result) if result else {}) == {}
