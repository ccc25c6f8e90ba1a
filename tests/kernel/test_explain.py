"""A plan in words: operators in order, where each predicate is decided, why stages begin."""

from __future__ import annotations

import pytest

from lens_dsl.budget import Budget
from lens_dsl.explain import HYDRATED, PROJECTED, PRUNED, explain
from lens_dsl.ontology import Kind, Ontology, RelationshipType
from lens_dsl.parser import parse
from lens_dsl.planner import plan_query
from lens_dsl.validator import validate
from lens_kernel.plans import dry_run_text, plan_text
from lens_runtime.meter import Meter

ONTOLOGY = Ontology(
    {
        "Case": Kind("Case", "helpdesk", indexed=("status",), projected=("priority",), hydrated=("subject",)),
        "Party": Kind("Party", "directory", keys=("id", "email")),
    },
    {"involves": RelationshipType("involves", "helpdesk", ("Case",), ("Party",), properties=("role",))},
)


def explained(text: str, **ceilings: object):
    budget = Budget(**ceilings)  # type: ignore[arg-type]
    return explain(plan_query(validate(parse(text), ONTOLOGY, text), ONTOLOGY, budget), ONTOLOGY)


def operators(text: str, **ceilings: object) -> list[tuple[str, str]]:
    return [(o.name, o.text) for stage in explained(text, **ceilings).stages for o in stage.operators]


def decisions(text: str) -> dict[str, str]:
    return {d.predicate: d.decided for stage in explained(text).stages for d in stage.decisions}


def test_operators_stand_in_the_order_they_run():
    query = (
        "MATCH (c:Case {status: 'open'})-[r:INVOLVES]->(p:Party) WITH p, count(DISTINCT c) AS n WHERE n > 1 "
        "RETURN DISTINCT p.id, n ORDER BY n DESC, p.id SKIP 1 LIMIT $k"
    )
    assert operators(query, fanout=7) == [
        ("NodeSeek", "c:Case by the index Case.status = 'open'"),
        ("Expand", "(c)-[r:involves]->(p:Party), at most 7 relationships a node"),
        ("Filter", "c.status = 'open'"),
        ("Aggregate", "WITH p, count(DISTINCT c) AS n for each p"),
        ("Filter", "n > 1"),
        ("Projection", "RETURN p.id, n"),
        ("Distinct", "rows that differ"),
        ("Sort", "by n descending, p.id"),
        ("Skip", "1"),
        ("Limit", "$k"),
    ]


@pytest.mark.parametrize(
    ("query", "operator"),
    [
        ("MATCH (p:Party {email: $e}) RETURN p", ("NodeSeek", "p:Party by the key Party.email = $e")),
        ("MATCH (p:Party) WHERE p.id IN $ids RETURN p", ("NodeSeek", "p:Party by the key Party.id IN $ids")),
        (
            "MATCH (p:Party) RETURN p",
            ("NodeScan", "p:Party, every one this actor may see, up to the ceiling of 500 nodes"),
        ),
        (
            "MATCH (p:Party {id: 'p'})-[:INVOLVES*1..2]-(x) RETURN x",
            ("VarLengthExpand", "(p)-[:involves*1..2]-(x:Case|Party), at most 50 relationships a node"),
        ),
        (
            "MATCH (p:Party {id: 'p'})<-[:INVOLVES]-(c:Case {id: 'c'}) RETURN c",
            (
                "Expand",
                "(p)<-[:involves]-(c:Case), at most 50 relationships a node, closing on nodes found already",
            ),
        ),
        (
            "MATCH (p:Party {id: 'p'}) OPTIONAL MATCH (p)<-[:INVOLVES]-(c) RETURN c",
            ("Expand", "optional: (p)<-[:involves]-(c:Case), at most 50 relationships a node"),
        ),
        ("RETURN count(*) AS n, 1 AS one", ("Aggregate", "RETURN count(*) AS n, 1 AS one for each one")),
    ],
)
def test_what_an_operator_says(query, operator):
    assert operator in operators(query, allow_scan=True)


def test_where_each_predicate_is_decided():
    found = decisions(
        "MATCH (p:Party {id: $id})<-[r:INVOLVES {role: 'buyer'}]-(c:Case) "
        "WHERE c.priority = 'high' AND c.subject CONTAINS 'bike' AND c.priority <> c.subject RETURN c"
    )
    assert found == {
        "p.id = $id": "sought by the key Party.id, decided again after hydration",
        "c.priority = 'high'": PRUNED,
        "c.subject CONTAINS 'bike'": HYDRATED,
        "c.priority <> c.subject": HYDRATED,
        "r.role = 'buyer'": PROJECTED,
    }


def test_nothing_of_an_optional_match_is_pruned():
    found = decisions(
        "MATCH (p:Party {id: 'p'}) OPTIONAL MATCH (p)<-[:INVOLVES]-(c {priority: 'high'}) RETURN c"
    )
    assert found["c.priority = 'high'"] == HYDRATED


def test_a_stage_says_why_it_begins():
    first, second = explained(
        "MATCH (c:Case {id: 'c'}) WITH c.subject AS s MATCH (p:Party {id: s}) RETURN p"
    ).stages
    assert first.begins == "one round trip to the store"
    assert second.begins == "one more round trip: p starts from s, which the stage before gives"
    (only,) = explained("RETURN 1 AS one").stages
    assert only.begins == "reads nothing from the store"


def test_many_aggregates_keep_their_own_names():
    items = ", ".join(f"count(c) + {n} AS n{n}" for n in range(12))
    (_, _, (name, text)) = operators(f"MATCH (c:Case {{id: 'c'}}) RETURN {items}")
    assert name == "Aggregate"
    assert "count(c) + 11 AS n11" in text
    assert "agg" not in text


def test_the_text_holds_ceilings_parameters_and_costs():
    plan = explained("MATCH (p:Party {id: $id}) RETURN p", depth=3)
    text = plan_text(plan, Meter(statements=2, round_trips=1, rows_read=1_234))
    assert "parameters: $id" in text
    assert "  depth                3  hops" in text
    assert "  round trips          1  with 2 statements" in text
    assert "  rows read        1,234  by the store" in text
    assert "spent" not in plan_text(plan)
    assert list(plan.ceilings) == [
        line.split()[0] for line in plan_text(plan).split("ceilings\n")[1].splitlines()
    ]


def test_a_dry_run_is_one_sentence():
    assert dry_run_text(explained("MATCH (p:Party {id: $id}) RETURN p.id AS x")) == (
        "The query is sound: 1 stage, at most 1 round trip to the store, columns x. Nothing was read."
    )
    assert dry_run_text(explained("MATCH (c:Case) WHERE search(c, $t) RETURN c.id AS x")) == (
        "The query is sound: 1 stage, at most 2 round trips to the store, columns x. Nothing was read."
    )
