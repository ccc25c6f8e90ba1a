"""The traps that bounded SQL has been seen to fall into, each with a test that is named for it."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

import apsw
import pytest

from lens_dsl.aggregates_sql import COMMITS
from lens_dsl.plan import Statement
from lens_dsl.sql import READS, SCOPES, TRAVERSE
from lens_runtime.projection.plans import parameters as parameters_of
from lens_runtime.projection.plans import unbounded
from tests.oracle.budgets import lowered
from tests.oracle.statement import Connection, Graph
from tests.oracle.test_regressions import OPEN, link, record
from tests.oracle.test_regressions import place as small_place
from tests.stores.model import WORLD, Facts, Patience, edge, party, project, scope

ENGINES: dict[str, Callable[[str], Connection]] = {"sqlite3": sqlite3.connect, "apsw": apsw.Connection}
STATEMENTS = {**READS, **COMMITS, "scopes": SCOPES}
EVERY_ENGINE = pytest.mark.parametrize("engine", ENGINES)


def details(connection: Connection, text: str, prefix: str) -> list[Sequence[Any]]:
    return list(connection.execute(f"{prefix} {text}", (None,) * parameters_of(text)))


@pytest.fixture
def connection(engine: str):
    """A graph with hubs, in this engine."""
    opened = ENGINES[engine](":memory:")
    Graph.draw(random.Random(7)).store(opened)
    yield opened
    opened.close()  # type: ignore[attr-defined]


@EVERY_ENGINE
def test_trap_1_a_cte_named_twice_is_not_prepared_exponentially(connection):
    """The program of the largest statement stays small; each nested naming would double it."""
    assert len(details(connection, TRAVERSE, "EXPLAIN")) < 2_500


@EVERY_ENGINE
@pytest.mark.parametrize("statistics", [False, True])
def test_trap_2_no_statement_scans_or_builds_over_a_table(connection, statistics):
    if statistics:
        connection.execute("ANALYZE")
    for name, text in STATEMENTS.items():
        plan = [str(row[3]) for row in details(connection, text, "EXPLAIN QUERY PLAN")]
        assert unbounded(name, text, plan) == [], name


def test_trap_3_a_parameter_is_compared_behind_a_plus():
    for name, text in STATEMENTS.items():
        assert not re.search(r"(?<![+\w])=\s*\?\d", text), name


@pytest.mark.parametrize("empty", ["d1"], indirect=True)  # SQLite does not count what it reads
def test_trap_4_a_hub_is_read_up_to_the_ceiling_and_no_further(place_of_hubs):
    """Were its newest edges sorted out of all, the larger hub would read more."""
    read, node = place_of_hubs
    assert read(node(30)) == read(node(600))


@pytest.fixture
def place_of_hubs(place):
    """How many rows one step at a hub of so many edges reads."""
    names = [f"p{n}" for n in range(600)]
    facts = Facts(nodes={"people": [party(name) for name in ("h30", "h600", *names)], "desk": []})
    facts.edges["people"] = [edge("knows", f"h{n}", name) for n in (30, 600) for name in names[:n]]
    project(place.compiler(), facts)
    store = place.reader("ana")

    def read(anchor: str) -> Any:
        step: dict[str, object] = {"bit": 2, "from": 1, "skip": 0, "into": None, "tests": [], "need": 0}
        plan = {"world": WORLD, "n": 50, "f": 10, "w": 1_000, "e": 1_000, "k": 16, "r": None}
        plan["s"] = [{**step, "go": [["knows", 0, ["Party"]]]}]
        asked = (json.dumps([[1, ["Party"], "id", [f"s:{anchor}"]]]), json.dumps(plan))
        return store.read((Statement("traverse", asked),), scope("ana"), Patience()).rows_read

    return read, lambda size: f"h{size}"


def test_trap_5_no_statement_ranks_every_hit_of_a_word():
    for name, text in STATEMENTS.items():
        assert not re.search(r"bm25\s*\(|ORDER BY rank\b", text), name


@pytest.mark.parametrize("number", [2**53 + 1, 2**63 - 1, -(2**53) - 1])
def test_trap_6_a_number_that_json_would_round_goes_through_as_a_text(store, number):
    project(store, Facts())
    (row,) = store.inspect([Statement("exact", (json.dumps([[number]]),))]).results[0]
    assert row == (str(number),)


@pytest.mark.promise("P43")
def test_trap_7_what_is_of_one_moment_is_cut_in_the_same_order_however_it_came():
    bees = [f"b{n}" for n in range(30)]
    answers = []
    for names in (bees, bees[::-1]):
        records = [record("Ant", "a"), *(record("Bee", name) for name in names)]
        with small_place(records, [link("r", "a", name) for name in names], OPEN) as found:
            result = found.ask("ann", "MATCH (a {id: 'a'})-->(b) RETURN b.id AS id", lowered(fanout=7))
        answers.append(result.rows)
        assert [cut.ceiling for cut in result.cuts] == ["fanout"]
    assert answers[0] == answers[1]
    assert len(answers[0]) == 7
