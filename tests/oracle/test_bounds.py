"""Nothing is followed that was not asked for, no ceiling is exceeded, and the same question gives the same answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens_dsl.budget import Budget
from lens_dsl.errors import OverBudget, QueryError
from lens_dsl.formatter import format_query
from lens_runtime.graph import Path
from lens_runtime.result import Result
from lens_runtime.worlds.policy import Role
from tests.oracle.budgets import AMPLE, lowered, tight_budgets
from tests.oracle.building import built, project
from tests.oracle.queries import queries
from tests.oracle.serializing import said
from tests.oracle.test_matches_oracle import SLOW
from tests.oracle.test_regressions import OPEN, link, place, record
from tests.oracle.worlds import ACTORS, small_worlds

DIRECTIONS = {"out": ("-", "->"), "in": ("<-", "-"), "both": ("-", "-")}


@pytest.mark.promise("P36", "P37")
@SLOW
@given(st.data())
def test_a_path_holds_only_what_was_asked_for(data):
    world = data.draw(small_worlds())
    types = data.draw(
        st.lists(st.sampled_from(sorted(world.ontology.relationships)), min_size=1, unique=True)
    )
    direction = data.draw(st.sampled_from(sorted(DIRECTIONS)))
    depth = data.draw(st.integers(1, 3))
    before, after = DIRECTIONS[direction]
    text = f"MATCH p = (a){before}[:{'|'.join(types)}*0..{depth}]{after}(b) RETURN p"
    with built(world) as found:
        result = found.ask("cyd", text, data.draw(st.just(AMPLE) | tight_budgets()))
    for (path,) in result.rows:
        assert isinstance(path, Path)
        assert len(path.relationships) <= depth
        for near, relationship in zip(path.nodes, path.relationships, strict=False):
            assert relationship.type in types
            ends = {"out": [relationship.source], "in": [relationship.target]}
            assert near.id in ends.get(direction, [relationship.source, relationship.target])


@pytest.mark.promise("P37")
@pytest.mark.parametrize("pattern", ["-->()-->()-->()", "-[*1..3]->()", "-->()-[*..2]->()"])
def test_a_pattern_over_the_depth_is_refused_before_anything_is_read(pattern):
    with place([record("Ant", "a")], []) as found:
        with pytest.raises(OverBudget, match="3 hops"):
            found.ask("ann", f"MATCH (a {{id: 'a'}}){pattern} RETURN a", replace(AMPLE, depth=2))
        assert found.ask("ann", f"MATCH (a {{id: 'a'}}){pattern} RETURN a", replace(AMPLE, depth=3)).complete


@pytest.mark.promise("P38")
@SLOW
@given(st.data())
def test_no_ceiling_is_exceeded(data):
    world, budget = data.draw(small_worlds()), data.draw(tight_budgets())
    text = format_query(data.draw(queries(world)))
    with built(world) as found:
        try:
            result = found.ask(data.draw(st.sampled_from(ACTORS)), text, budget)
        except QueryError:
            return  # refused, or it failed on a value, as a sum of texts does
    assert result.usage.nodes <= budget.nodes
    assert result.usage.edges <= budget.edges
    assert len(result.rows) <= budget.rows
    assert result.usage.matcher_steps <= budget.steps


@pytest.mark.promise("P43")
@SLOW
@given(st.data())
def test_the_same_question_gives_the_same_bytes(data):
    """Twice, after a rebuild, and in a store of its own."""
    world = data.draw(small_worlds())
    asked = [
        (format_query(data.draw(queries(world))), data.draw(st.just(AMPLE) | tight_budgets()))
        for _ in range(3)
    ]
    with built(world) as first, built(world, rebuild=True) as second:
        before = [said(first, "cyd", *one) for one in asked]
        assert before == [said(first, "cyd", *one) for one in asked]
        assert before == [said(second, "cyd", *one) for one in asked]
        project(world, first.store, rebuild=True)
        assert before == [said(first, "cyd", *one) for one in asked]


# ------------------------------------------------------------------ exactly at a ceiling

SEEN = Role("seen", ("*",), ("*",), ("public",))
FOLLOW = "MATCH (a {id: 'a'})-->(b) RETURN b.id AS id"
AT_THREE = {"fanout": 3, "window": 3, "examined": 3, "nodes": 4, "edges": 3, "rows": 3}


def fan(visible: int, hidden: int, **ceilings: int) -> Result:
    """What is found at a hub of so many visible and hidden records, the hidden ones the newest."""
    spokes = [f"b{n}" for n in range(visible + hidden)]
    records = [
        record("Ant", "a"),
        *(record("Bee", b, "public" if n < visible else "secret") for n, b in enumerate(spokes)),
    ]
    with place(records, [link("r", "a", b, number=n) for n, b in enumerate(spokes)], SEEN) as found:
        return found.ask("ann", FOLLOW, lowered(**ceilings))


@pytest.mark.promise("P38", "P51")
@pytest.mark.parametrize("name", AT_THREE)
def test_exactly_at_a_ceiling_nothing_is_cut(name):
    ceiling = {name: AT_THREE[name]}
    assert fan(3, 0, **ceiling).complete
    over = fan(4, 0, **ceiling)
    assert [cut.ceiling for cut in over.cuts] == [name]
    assert len(over.rows) == (0 if name == "examined" else 3)
    hidden = fan(3, 2, **ceiling)
    assert (hidden.complete, hidden.usage) == (True, fan(3, 0, **ceiling).usage)


@pytest.mark.promise("P38")
def test_cycles_and_hubs_stay_under_the_ceiling_of_nodes():
    names = [f"a{n}" for n in range(30)]
    links = [link("r", one, other) for one in names for other in names[:5]]
    with place([record("Ant", name) for name in names], links, OPEN) as found:
        result = found.ask(
            "ann",
            "MATCH (a {id: 'a0'})-[*1..3]-(b) RETURN count(*) AS n",
            replace(AMPLE, nodes=7, steps=10_000),
        )
    assert result.usage.nodes == 7
    assert not result.complete
    assert result.bounds == {"n": "at least"}


@pytest.mark.promise("P51")
def test_a_hub_of_20_000_hidden_neighbours_costs_what_it_costs_without_them():
    budget = Budget(fanout=2)
    answers = []
    for hidden in (0, 20_000):
        spokes = [*(f"b{n}" for n in range(3)), *(f"bz{n}" for n in range(hidden))]
        records = [
            record("Ant", "a"),
            *(record("Bee", b, "secret" if b.startswith("bz") else "public") for b in spokes),
        ]
        with place(records, [link("r", "a", b, number=1) for b in spokes], SEEN) as found:
            answers.append(said(found, "ann", FOLLOW, budget))
    assert answers[0] == answers[1]
