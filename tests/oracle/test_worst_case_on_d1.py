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

QUERIES = 50  # a graph
GRAPHS = 200 if is_full() else 3
SCOPES = 48  # what these actors may hold of a kind: fewer would refuse some, more would state too much


@pytest.mark.promise("P37", "P38")
@settings(max_examples=GRAPHS, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(st.data())
def test_d1_reads_no_more_than_the_plan_says(d1_of_small_worlds, data):
    world = data.draw(small_worlds())
    with built_on_d1(world, d1_of_small_worlds.url) as place:
        for _ in range(QUERIES):
            budget = replace(data.draw(st.just(AMPLE) | tight_budgets()), scopes=SCOPES)
            result = check(place, data.draw(st.sampled_from(ACTORS)), data.draw(queries(world)), budget)
            if result is not None:
                assert result.usage.rows_read is not None
                assert overspent(result) == {}
                event("counted")
