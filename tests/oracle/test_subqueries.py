"""Patterns in expressions, UNWIND and UNION: what they find, and what a cut lets them say."""

from __future__ import annotations

import pytest

from lens_dsl.errors import SemanticProblem, SyntaxProblem, UnsupportedFeature
from lens_runtime.result import Result
from tests.oracle.budgets import AMPLE, lowered
from tests.oracle.building import Built
from tests.oracle.test_regressions import link, place, record, rows

ANTS = [record("Ant", f"a{number}", i=number, p=number) for number in range(4)]
LINKS = [
    link("r", "a0", "a1", w=1),
    link("r", "a0", "a2", number=1),
    link("r", "a1", "a2"),
    link("r", "a2", "a2"),
]


def cut(found: Built, text: str, **ceilings: int) -> Result:
    result = found.ask("ann", text, lowered(**ceilings))
    assert not result.complete
    return result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH (n:Ant) WHERE (n)-[:r]->() RETURN n.id AS x ORDER BY x", [("a0",), ("a1",), ("a2",)]),
        ("MATCH (n:Ant) WHERE NOT (n)-[:r]->() RETURN n.id", [("a3",)]),
        ("MATCH (n:Ant) WHERE NOT (n)-[:r]->() OR (n)<-[:r]-(n) RETURN n.id AS x ORDER BY x", [("a2",), ("a3",)]),
        ("MATCH (n:Ant) RETURN n.id AS x, size([(n)-[:r]->(m) | m]) AS s ORDER BY x",
         [("a0", 2), ("a1", 1), ("a2", 1), ("a3", 0)]),
        ("MATCH (n:Ant {id: 'a0'}) RETURN exists { (n)-->(m) WHERE m.p > 1 } AS b, exists((n)-->(n)) AS c",
         [(True, False)]),
        ("MATCH (n:Ant) WHERE exists { MATCH (n)-->(m) WITH n, count(*) AS c WHERE c > 1 RETURN 1 } RETURN n.id",
         [("a0",)]),
        ("MATCH (n:Ant) WHERE exists { MATCH (n)-->(m {p: 1}) RETURN 1 UNION MATCH (n)-->(n) RETURN 1 } RETURN n.id",
         [("a0",), ("a2",)]),
        ("MATCH (n:Ant {id: 'a0'}) RETURN [(n)-->(m {id: 'a1'}) | [(m)-->(k) | k.id]] AS l", [([["a2"]],)]),
        ("MATCH p = (n:Ant {id: 'a0'})-->(m)-->(k) RETURN [x IN nodes(p) WHERE (x)-->(x) | x.id] AS l ORDER BY m.id",
         [(["a2"],), (["a2", "a2"],)]),
        ("MATCH (n:Ant) WITH collect(n) AS l UNWIND l AS n RETURN n.id AS x, exists((n)-->()) AS b ORDER BY x LIMIT 1",
         [("a0", True)]),
        ("OPTIONAL MATCH (n:Ant {id: 'no'}) RETURN exists((n)-->()) AS b, [(n)-->(m) | m] AS l", [(False, [])]),
        ("MATCH (n:Ant)-[q:r {w: 1}]->() WITH q MATCH (x)-[q]-(y) RETURN x.id AS x, y.id AS y ORDER BY x",
         [("a0", "a1"), ("a1", "a0")]),
        ("MATCH (:Ant)-[q:r]->() WITH q MATCH (x)-[q]->(x) RETURN x.id", [("a2",)]),
        ("MATCH (:Ant {id: 'a0'})-[qs:r*2]->({id: 'a2'}) WITH qs LIMIT 1 MATCH (x)-[qs*]->(y) RETURN x.id, y.id",
         [("a0", "a2")]),
        ("UNWIND [1, [2], null] AS x RETURN x", [(1,), (None,), ([2],)]),
        ("UNWIND null AS x RETURN x", []),
        ("UNWIND ['a0', 'a3'] AS k MATCH (n:Ant {id: k}) RETURN n.p AS p ORDER BY p", [(0,), (3,)]),
        ("RETURN 1 AS x UNION RETURN 1 AS x UNION RETURN 1.0 AS x", [(1,)]),
        ("RETURN 1 AS x, 2 AS y UNION ALL RETURN 2 AS y, 1 AS x", [(1, 2), (1, 2)]),
        ("MATCH (n:Ant {id: 'a0'}) RETURN n.id AS x UNION ALL MATCH (n:Ant {id: 'a1'}) RETURN n.id AS x",
         [("a0",), ("a1",)]),
    ],
)  # fmt: skip
def test_they_find_what_is_there(text, expected):
    with place(ANTS, LINKS) as found:
        got = rows(found, text)
        assert (got if "ORDER BY" in text else sorted(got, key=str)) == expected


@pytest.mark.parametrize(
    ("text", "error", "code"),
    [
        ("MATCH (n:Ant) WHERE (n)-->(m) RETURN n", SemanticProblem, "UndefinedVariable"),
        ("MATCH (n:Ant) RETURN (n)-->()", SyntaxProblem, "UnexpectedSyntax"),
        ("MATCH (n:Ant) RETURN size((n)-->()) AS s", SyntaxProblem, "UnexpectedSyntax"),
        ("MATCH (n:Ant)-[*]->(m) RETURN n", UnsupportedFeature, "UnboundedPath"),
        ("MATCH (:Ant)-[q:r*2]->() MATCH ()-[q]->() RETURN q", SemanticProblem, "VariableTypeConflict"),
        ("UNWIND [1] AS x UNWIND [2] AS x RETURN x", SemanticProblem, "VariableAlreadyBound"),
        ("RETURN 1 AS x UNION RETURN 1 AS y", SemanticProblem, "DifferentColumnsInUnion"),
        ("RETURN 1 AS x UNION RETURN 1 AS x UNION ALL RETURN 1 AS x", SyntaxProblem, "InvalidClauseComposition"),
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused(text, error, code):
    with place(ANTS, LINKS) as found:
        with pytest.raises(error) as refused:
            found.ask("ann", text, AMPLE)
        assert refused.value.code == code


def test_a_match_that_is_found_is_sure_and_a_missing_one_is_not():
    with place(ANTS, LINKS) as found:
        text = "MATCH (n:Ant {{id: 'a0'}}) WHERE exists {{ (n)-[:r]->(m) WHERE m.p {0} }} RETURN n.id"
        kept = found.ask("ann", text.format(">= 0"), lowered(fanout=1))
        assert kept.rows == (("a0",),)
        assert cut(found, text.format("< 0"), fanout=1).rows == ()
        negated = "MATCH (n:Ant {id: 'a0'}) WHERE NOT exists { (n)-[:r]->(m) WHERE m.p < 0 } RETURN n.id"
        assert cut(found, negated, fanout=1).rows == ()


def test_a_list_that_a_cut_may_have_shortened_is_withheld():
    with place(ANTS, LINKS) as found:
        for value in ("[(n)-[:r]->(m) | m.id]", "size([(n)-[:r]->(m) | m.id])"):
            result = cut(found, f"MATCH (n:Ant {{id: 'a0'}}) RETURN {value} AS v", fanout=1)
            assert result.rows == ()
            assert result.withheld


def test_the_steps_of_subqueries_are_counted_together():
    with place(ANTS, LINKS) as found:
        result = cut(found, "MATCH (n:Ant) WHERE NOT (n)-[:r]->({p: 9}) RETURN n.id", steps=5)
        assert any(each.ceiling == "steps" for each in result.cuts)


def test_what_is_unwound_of_a_part_is_a_part():
    with place(ANTS, LINKS) as found:
        text = "MATCH (:Ant {id: 'a0'})-[:r]->(m) WITH collect(m) AS ms UNWIND ms AS m RETURN m.id AS x"
        assert len(cut(found, text, fanout=1).rows) == 1
        counted = "MATCH (:Ant {id: 'a0'})-[:r]->(m) WITH count(m) AS c UNWIND [c] AS x RETURN x"
        assert cut(found, counted, fanout=1).withheld


def test_a_union_has_the_marks_of_its_parts():
    with place(ANTS, LINKS) as found:
        text = "MATCH (n:Ant {{id: 'a0'}})-[:r]->(m) RETURN {0} AS x UNION{1} RETURN 7 AS x"
        assert len(cut(found, text.format("m.p", ""), fanout=1).rows) == 2
        assert cut(found, text.format("count(*)", " ALL"), fanout=1).bounds == {"x": "at least"}
        assert cut(found, text.format("count(*)", ""), fanout=1).withheld
        assert cut(found, text.format("avg(m.p)", " ALL"), fanout=1).rows == ()


def test_a_walk_without_a_bound_goes_to_the_ceiling_and_says_what_lies_beyond():
    chain = [link("r", f"a{n}", f"a{n + 1}") for n in range(3)]
    with place(ANTS, chain) as found:
        text = "MATCH (:Ant {id: 'a0'})-[:r*]->(m) RETURN m.id AS x ORDER BY x"
        whole = found.ask("ann", text, lowered(depth=3, clamp_unbounded=True))
        assert (whole.rows, whole.complete) == ((("a1",), ("a2",), ("a3",)), True)
        part = found.ask("ann", text, lowered(depth=2, clamp_unbounded=True))
        assert part.rows == (("a1",), ("a2",))
        assert [each.ceiling for each in part.cuts] == ["depth"]
