"""What is stated for each part of the language holds on D1; what only a ceiling bounds refuses nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lens_dsl.budget import Budget
from lens_dsl.errors import OverBudget
from lens_dsl.lens import SUBJECT
from lens_dsl.walking import plan_walk
from tests.oracle.adversaries import ROOMY, complete, world
from tests.oracle.building import Patience
from tests.oracle.costs import overspent
from tests.oracle.on_d1 import built_on_d1
from tests.oracle.test_regressions import ONTOLOGY, OPEN, place

BUDGET = replace(ROOMY, depth=3, steps=5_000_000, edges=20_000, scopes=4, clamp_unbounded=True)
SMALL = replace(BUDGET, nodes=5, examined=30, steps=100, rows=500)
IDS = [f"a{number}" for number in range(8)]
PARTS = " UNION ".join(f"MATCH (a:Ant {{id: '{one}'}})-[:r]-(b) RETURN b.id AS x" for one in IDS[:3])
TEXTS = (
    "MATCH (a:Ant) WHERE search(a, $t) RETURN count(a) AS n",
    "MATCH (a:Ant)-[:r]-(b:Ant) WHERE search(a, $t) AND search(b, $t) RETURN count(*) AS n",
    "MATCH (a:Ant) WHERE (a)-[:r]->() RETURN count(a) AS n",
    "MATCH (a:Ant) RETURN a.id AS x, size([(a)-[:r]-(b)-[:r]-(c) | c.id]) AS n",
    "MATCH (a:Ant) WITH a ORDER BY a.id LIMIT 3 RETURN [x IN [1, 2] | size([(a)-[:r]-(b) | b])] AS n",
    "MATCH (a:Ant {id: 'a0'}) RETURN exists { MATCH (a)-[:r]-(b) WHERE (b)-[:r]-(a) RETURN 1 } AS n",
    "MATCH (a:Ant) WITH collect(a) AS l UNWIND l AS a MATCH (a)-[:r]-(b) RETURN count(*) AS n",
    "UNWIND $ids AS k MATCH (a:Ant {id: k})-[:r]-(b) RETURN count(*) AS n",
    "UNWIND ['a1', 'a2', 'a3'] AS k UNWIND [1, 2] AS m MATCH (a:Ant {id: k})-[:r]->(b) RETURN count(*) AS n",
    "MATCH p = (a:Ant {id: 'a0'})-[:r]->(b) WITH nodes(p) AS l UNWIND l AS x MATCH (x)-[:r]-(y) RETURN count(*) AS n",
    "MATCH (:Ant {id: 'a0'})-[q:r]-() WITH q MATCH (x)-[q]-(y)-[:r]-(z) RETURN count(*) AS n",
    "MATCH (a:Ant {id: 'a0'})-[:r*]->(b) RETURN count(*) AS n",
    "MATCH (a:Ant {id: 'a0'})-[:r]-(b) WHERE b.p IN $ps RETURN count(*) AS n",
    PARTS,
)


@pytest.mark.promise("P37", "P38")
@pytest.mark.parametrize("budget", [BUDGET, SMALL], ids=["ample", "small"])
def test_no_part_of_the_language_costs_more_than_is_stated(d1_of_small_worlds, budget):
    given = {"t": "label of", "ids": IDS, "ps": list(range(190))}
    with built_on_d1(world(complete(8)), d1_of_small_worlds.url) as place:
        for text in TEXTS:
            parameters = {name: value for name, value in given.items() if f"${name}" in text}
            result = place.ask("ann", text, budget, parameters)
            assert result.usage.rows_read, text
            assert len(result.rows) or result.withheld or not result.complete, text


def test_a_walk_without_a_pattern_states_its_cost_and_keeps_to_it(d1_of_small_worlds):
    with built_on_d1(world(complete(8)), d1_of_small_worlds.url) as place:
        plan = plan_walk((("r", "both"),), ONTOLOGY, "Ant", BUDGET)
        result = place.engine("ann").gather(plan, {SUBJECT: "a0"}, Patience())
    assert overspent(result) == {}
    assert result.usage.rows_read


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:Ant) WHERE a.i IN $values RETURN a",
        "MATCH (a:Ant {id: 'a0'})-->(b) WHERE b.p IN $values RETURN b",
        "UNWIND $values AS i MATCH (a:Ant {i: i}) RETURN a",
    ],
)
def test_what_only_a_ceiling_bounds_is_stated_and_refuses_nothing(text):
    budget = Budget(rows_read=200_000, nodes=100, examined=3_000)
    with place(*complete(4), OPEN) as found:
        result = found.ask("ann", text, budget, {"values": [1, 2]})
    worst = result.plan.worst_case
    stated, assumed = worst.in_sum.rows_read or 0, worst.assumed.rows_read or 0
    assert stated > budget.rows_read >= stated - assumed


def test_a_list_that_is_written_is_counted_and_refused():
    text = f"MATCH (a:Ant) WHERE a.i IN {list(range(200))} RETURN a"
    with place(*complete(4), OPEN) as found, pytest.raises(OverBudget) as caught:
        found.ask("ann", text, Budget(rows_read=200_000, nodes=100))
    assert caught.value.code == "RowsReadExceeded"
    assert "NodeSeek a:Ant by i" in caught.value.message


def test_a_list_longer_than_was_stated_is_no_test_of_the_store():
    text = "MATCH (a:Ant {id: 'a0'})-->(b) WHERE b.p IN $values RETURN b.id AS x"
    with place(*complete(4), OPEN) as found:
        counts = {
            size: found.ask("ann", text, Budget(), {"values": list(range(-size, 0))}).usage.nodes
            for size in (200, 201)
        }
    assert counts == {200: 1, 201: 4}
