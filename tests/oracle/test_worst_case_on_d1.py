"""What D1 reads, as it bills it, is never more than the plan stated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st

from tests.oracle.budgets import AMPLE, tight_budgets
from tests.oracle.costs import overspent
from tests.oracle.on_d1 import built_on_d1
from tests.oracle.queries import queries
from tests.oracle.test_matches_oracle import check
from tests.oracle.worlds import ACTORS, small_worlds
from tests.share import is_full

QUERIES, RUNS = (
    10,
    5,
)  # of a graph, and of a query: 50 a graph; more queries outgrow what hypothesis draws at once
GRAPHS = 200 if is_full() else 4
SCOPES = 48  # what these actors may hold of a kind: fewer would refuse some, more would state too much


@pytest.mark.promise("P37", "P38")
@settings(max_examples=GRAPHS, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(st.data())
def test_d1_reads_no_more_than_the_plan_says(d1_of_small_worlds, data):
    world = data.draw(small_worlds())
    asked = [data.draw(queries(world)) for _ in range(QUERIES)]
    budgets = [AMPLE, *(data.draw(tight_budgets()) for _ in range(RUNS - 1))]
    with built_on_d1(world, d1_of_small_worlds.url) as place:
        for number, query in enumerate(asked):
            for run, budget in enumerate(budgets):
                actor = ACTORS[(number + run) % len(ACTORS)]
                result = check(place, actor, query, replace(budget, scopes=SCOPES))
                if result is not None:
                    assert result.usage.rows_read is not None
                    assert overspent(result) == {}
                    event("counted")
