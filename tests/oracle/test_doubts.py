"""Nulls of which nobody can say whether they are true: what may be done with them, and what may not."""

from __future__ import annotations

import pytest

from tests.oracle.budgets import AMPLE, lowered
from tests.oracle.test_regressions import FAN, SPOKES, place


@pytest.mark.parametrize(
    ("clause", "rows_", "bounds"),
    [
        ("RETURN a.id AS id, collect(x) AS xs", [("a", [])], {"xs": "some of"}),
        ("RETURN a.id AS id, count(x) AS n, count(*) AS m", [("a", 0, 1)], {"n": "at least", "m": "at least"}),
        ("RETURN collect(x.p) AS ps, count(DISTINCT x.team) AS n", [([], 0)], {"ps": "some of", "n": "at least"}),
        ("RETURN count(coalesce(x.p, 1)) AS n", [(0,)], {"n": "at least"}),
        ("WITH a, x AS y RETURN a.id AS id, count(y) AS n", [("a", 0)], {"n": "at least"}),
        ("OPTIONAL MATCH (x)-->(y) RETURN a.id AS id, count(y) AS n", [("a", 0)], {"n": "at least"}),
        ("WITH a, x LIMIT 1 RETURN a.id AS id, count(x) AS n", [("a", 0)], {"n": "at least"}),
        ("WITH a LIMIT 1 RETURN a.id AS id", [("a",)], {}),
        ("WITH a, count(x) AS n OPTIONAL MATCH (a)-->(b {p: 0}) WITH a, n, count(b) AS m RETURN a.id AS id, n, m",
         [("a", 0, 0)], {"n": "at least", "m": "at least"}),
        ("RETURN a.id AS id, x", [], {}),
        ("RETURN a.id AS id, x.p AS p", [], {}),
        ("RETURN x.p AS p, count(*) AS n", [], {"n": "at least"}),
        ("WITH a, x WHERE x IS NULL RETURN a.id AS id", [], {}),
        ("WITH DISTINCT a, x RETURN a.id AS id", [], {}),
        ("WITH a, x ORDER BY x.p RETURN a.id AS id", [], {}),
        ("MATCH (x)-->(y) RETURN a.id AS id", [], {}),
    ],
)  # fmt: skip
def test_nulls_in_doubt_are_passed_on_and_tell_no_row_apart(clause, rows_, bounds):
    """The module of the bees is silent: whether the ant has one is not known."""
    with place(FAN, SPOKES) as found:
        quiet = found.with_readers(silent=("m2",))
        result = quiet.ask("ann", f"MATCH (a {{id: 'a'}}) OPTIONAL MATCH (a)-->(x:Bee) {clause}", AMPLE)
        assert (list(result.rows), dict(result.bounds), result.withheld) == (rows_, bounds, ())


def test_a_limit_filled_by_rows_in_doubt_is_not_whole():
    with place(FAN, SPOKES) as found:
        quiet = found.with_readers(silent=("m2",))
        text = "MATCH (a {id: 'a'}) OPTIONAL MATCH (a)-->(x:Bee) WITH a, x LIMIT 1 RETURN count(x) AS n"
        assert not quiet.ask("ann", text, AMPLE).complete


def test_a_bound_may_stand_among_grouping_keys_beside_what_tells_it_and_nowhere_else():
    start = "MATCH (a {id: 'a'})-->(b) WITH a, collect(b) AS bs OPTIONAL MATCH (a)-->(c) "
    with place(FAN, SPOKES) as found:
        beside = found.ask("ann", f"{start} RETURN a.id AS id, bs, count(c) AS n", lowered(fanout=2))
        assert beside.withheld == ("what is computed from bs, which is only a bound",)
        told = found.ask(
            "ann",
            f"{start} WITH a, bs, count(c) AS n RETURN a.id AS id, size(bs) >= 0 AS x",
            lowered(fanout=2),
        )
        assert told.withheld == ("what is computed from bs, which is only a bound",)
        kept = found.ask(
            "ann", f"{start} WITH a, bs, count(c) AS n RETURN a.id AS id, bs, n", lowered(fanout=2)
        )
        ((id_, bees, number),) = kept.rows
        assert (id_, len(bees), number) == ("a", 2, 2)  # type: ignore[arg-type]
        assert dict(kept.bounds) == {"bs": "some of", "n": "at least"}
