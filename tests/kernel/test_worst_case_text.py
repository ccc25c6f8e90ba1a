"""The worst case as a user meets it: in the plan's text, and as a refusal before anything is read."""

from __future__ import annotations

import pytest

from lens_dsl.errors import OverBudget
from lens_kernel.costs import worst_case_lines
from tests.kernel.test_explain import explained

TWO_HOPS = "MATCH (c:Case {id: 'c'})-[:INVOLVES]->(p:Party)<-[:INVOLVES]-(d:Case) RETURN d"


def test_the_plan_shows_each_operator_the_sum_the_ceilings_and_the_money():
    plan = explained(TWO_HOPS, fanout=10)
    lines = list(worst_case_lines(plan.worst_case, plan.ceilings))
    named = [line.split()[1] for line in lines if line.strip().startswith("1 ") and "round" not in line]
    assert named == ["Read", "NodeSeek", "Expand", "Expand", "Hydrate", "Match"]
    stated = f"{plan.worst_case.in_sum.rows_read:,}"
    assert any(line.split()[:3] == ["in", "sum", stated] for line in lines)
    assert any(line.split()[:2] == ["ceilings", "5,000,000"] for line in lines)
    assert "at its list price of 0.001 dollars a million rows read" in lines[-1]


def test_what_only_a_ceiling_bounds_is_said_to_refuse_nothing():
    plan = explained("MATCH (c:Case) WHERE c.id IN $ids RETURN c")
    assumed = plan.worst_case.assumed.rows_read
    assert assumed
    last = list(worst_case_lines(plan.worst_case, plan.ceilings))[-1]
    assert last.strip().startswith(f"{assumed:,} rows of these")
    assert last.endswith("refused for none of them")


def test_a_search_is_a_round_trip_of_its_own():
    plan = explained("MATCH (c:Case) WHERE search(c, $text) RETURN c")
    operators = [(one.name, one.cost.round_trips) for one in plan.worst_case.operators]
    assert operators[:2] == [("Search", 1), ("Read", 1)]
    assert plan.worst_case.in_sum.round_trips == 2


def test_a_plan_over_the_rows_is_refused_with_the_number_the_operator_and_a_way_out():
    with pytest.raises(OverBudget) as caught:
        explained(TWO_HOPS, rows_read=20_000)
    stated = explained(TWO_HOPS).worst_case.in_sum.rows_read
    assert caught.value.code == "RowsReadExceeded"
    assert f"{stated:,} rows read; the ceiling rows_read is 20,000" in caught.value.message
    assert "Expand (p)-[:involves]-(d) in stage 1" in caught.value.message
    assert "--max-rows-read" in (caught.value.hint or "")


def test_a_plan_over_the_calls_of_readers_is_refused():
    with pytest.raises(OverBudget) as caught:
        explained(TWO_HOPS, nodes=2_000, fanout=20, reader_calls=3)
    assert caught.value.code == "ReaderCallsExceeded"
    assert "Hydrate" in caught.value.message


def test_lower_ceilings_state_less():
    wide, narrow = (explained(TWO_HOPS, **c).worst_case.in_sum for c in ({}, {"fanout": 5, "scopes": 2}))
    assert (narrow.rows_read or 0) < (wide.rows_read or 0) / 10
