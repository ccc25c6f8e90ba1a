"""What is cut is said, and nothing else is: windows, what is looked at, LIMIT, and what is hidden."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lens_dsl.errors import OverBudget
from tests.oracle.adversaries import complete
from tests.oracle.budgets import AMPLE, lowered
from tests.oracle.test_bounds import SEEN
from tests.oracle.test_regressions import OPEN, link, place, record
from tests.share import is_full

MANY = 100_000 if is_full() else 5_000
PENDING = "MATCH (a {id: 'a'})-->(b:Bee) WHERE b.p = 'open' RETURN b.id AS id"


def hub(size: int, wanted: set[int]):
    """One record with so many neighbours, the higher their number the newer, of which some are open."""
    records = [record("Ant", "a")]
    records += [
        replace(record("Bee", f"b{n}", p="open" if n in wanted else "shut"), observed_at=n)
        for n in range(size)
    ]
    links = [replace(link("r", "a", f"b{n}"), observed_at=n) for n in range(size)]
    return place(records, links, OPEN)


def test_the_few_that_a_predicate_wants_are_found_among_many():
    """They are pruned inside the window, before the fan-out: 50 of the newest 1,000 would hold none of them."""
    wanted = {MANY - 1 - 200 * n for n in range(5)}
    with hub(MANY, wanted) as found:
        result = found.ask("ann", PENDING, lowered(fanout=10))
    assert {row[0] for row in result.rows} == {f"b{n}" for n in wanted}
    assert result.usage.examined == 1_000
    (cut,) = result.cuts
    assert (cut.ceiling, cut.limit, cut.visible) == ("window", 1_000, MANY)


@pytest.mark.parametrize(("size", "cuts"), [(30, []), (31, ["window"])])
def test_a_window_that_just_reached_is_no_cut(size, cuts):
    with hub(size, {0}) as found:
        result = found.ask("ann", PENDING, lowered(window=30))
    assert [cut.ceiling for cut in result.cuts] == cuts
    assert len(result.rows) == (not cuts)


def test_nodes_are_passed_by_in_the_order_in_which_they_were_found():
    names = [f"a{n}" for n in range(1, 9)]
    records = [record("Ant", "a0"), *(record("Ant", name) for name in names), record("Bee", "b")]
    links = [replace(link("r", "a0", name), observed_at=n) for n, name in enumerate(names)]
    links += [link("r", name, "b", number=n) for name in names for n in range(3)]
    with place(records, links, OPEN) as found:
        text = "MATCH (x {id: 'a0'})-->(y:Ant)-->(b:Bee) RETURN DISTINCT y.id AS id"
        result = found.ask("ann", text, lowered(examined=8 + 3 * 5 + 2))
    assert [row[0] for row in result.rows] == names[::-1][:5]
    assert {cut.ceiling for cut in result.cuts} == {"examined"}
    assert len(result.cuts) == 3
    assert result.usage.examined == 8 + 3 * 5


@pytest.mark.promise("P51")
def test_what_is_hidden_is_not_looked_at():
    def asked(hidden: int):
        bees = [record("Bee", f"b{n}", "public" if n < 3 else "secret") for n in range(3 + hidden)]
        links = [link("r", "a", bee.id) for bee in bees]
        with place([record("Ant", "a"), *bees], links, SEEN) as found:
            return found.ask("ann", "MATCH (a {id: 'a'})-->(b) RETURN b.id AS id", lowered(examined=3))

    assert asked(0).complete
    assert asked(500).complete
    assert asked(500).usage == asked(0).usage


@pytest.mark.parametrize("limit", ["LIMIT 3", "SKIP 1 LIMIT 2", "LIMIT $n"])
def test_a_limit_without_order_stops_early_and_is_no_truncation(limit):
    records, links = complete(20)
    text = "MATCH (a:Ant {id: 'a0'})-[:R]-(b)-[:R]-(c) RETURN c.id AS id"
    with place(records, links, OPEN) as found:
        whole = found.ask("ann", text, AMPLE)
        some = found.ask("ann", f"{text} {limit}", AMPLE, {"n": 3} if "$" in limit else {})
        ordered = found.ask("ann", f"{text} ORDER BY id LIMIT 3", AMPLE)
    assert some.complete
    assert len(some.rows) == (2 if "SKIP" in limit else 3)
    assert some.usage.matcher_steps < whole.usage.matcher_steps / 5
    assert ordered.usage.matcher_steps == whole.usage.matcher_steps


def test_two_hundred_keys_are_a_start_and_one_more_is_refused():
    ids = [f"a{n}" for n in range(201)]
    with place([record("Ant", name) for name in ids], [], OPEN) as found:
        text = "MATCH (a:Ant) WHERE a.id IN $ids RETURN count(a) AS n"
        result = found.ask("ann", text, AMPLE, {"ids": ids[:200]})
        assert (result.rows, result.usage.round_trips) == (((200,),), 1)
        with pytest.raises(OverBudget, match="201 values to start from"):
            found.ask("ann", text, AMPLE, {"ids": ids})
