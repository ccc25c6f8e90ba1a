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
    assert any(line.split()[:2] == ["ceilings", "1,000,000"] for line in lines)
    assert "at its list price of 0.001 dollars a million rows read" in lines[-1]


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
