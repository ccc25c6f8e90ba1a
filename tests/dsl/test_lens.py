"""What a lens's query may be: within its allowlist and directions, from its subject, records alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lens_dsl.errors import LensViolation, OverBudget, QueryError
from lens_dsl.lens import Allowed, Expectation, Lens
from lens_dsl.lens_planner import action_condition, plan_expectations, plan_lens
from lens_dsl.ontology import Kind, Ontology, RelationshipType

ONTOLOGY = Ontology(
    {
        "Case": Kind("Case", "desk", indexed=("status",), hydrated=("text",), untrusted=("text",)),
        "Party": Kind("Party", "people", hydrated=("name",)),
    },
    {
        "about": RelationshipType("about", "desk", ("Case",), ("Party",)),
        "follows": RelationshipType("follows", "desk", ("Case",), ("Case",)),
        "knows": RelationshipType("knows", "people", ("Party",), ("Party",)),
    },
)
START = "MATCH (subject {id: $subject}) "
LENS = Lens(
    "work", "decide", "desk", ("Case", "Party"),
    (Allowed("about", "both"), Allowed("follows", "out")),
    START + "OPTIONAL MATCH (subject)-[r:ABOUT]->(p) RETURN subject, collect(r) AS rs, collect(p) AS ps",
)  # fmt: skip


def plan(query: str, kind: str = "Case", **changes: object) -> object:
    lens = replace(LENS, query=query, **changes)  # type: ignore[arg-type]
    return plan_lens(lens, ONTOLOGY, kind, lens.budget())


@pytest.mark.promise("P36")
@pytest.mark.parametrize(
    ("query", "code", "column"),
    [
        (START + "OPTIONAL MATCH (subject)-[:KNOWS]-(p) RETURN subject, p", "OutsideLens", 56),
        (START + "OPTIONAL MATCH (subject)-[]-(p) RETURN subject, p", "OutsideLens", 56),
        (START + "OPTIONAL MATCH (subject)<-[:FOLLOWS]-(c) RETURN subject, c", "AgainstLens", 56),
        (START + "OPTIONAL MATCH (c)-[:FOLLOWS]->(subject) RETURN subject, c", "AgainstLens", 50),
        (START + "OPTIONAL MATCH (subject)-[:FOLLOWS]-(c) RETURN subject, c", "AgainstLens", 56),
        (START + "MATCH (p:Party {id: 'p1'}) RETURN subject, p", "LensSubject", 32),
        (
            START + "OPTIONAL MATCH (subject)-[:ABOUT]->(p {id: $party}) RETURN subject, p",
            "LensParameter",
            75,
        ),
        ("MATCH (subject {id: 'c1'}) RETURN subject", "LensSubject", 1),
        ("MATCH (c {id: $subject}) RETURN c", "LensSubject", 1),
        (START + "WITH subject WHERE exists((subject)-[:KNOWS]-()) RETURN subject", "OutsideLens", 67),
        (START + "WITH subject WHERE (subject)<-[:FOLLOWS]-() RETURN subject", "AgainstLens", 60),
        (START + "WITH subject WHERE exists { (p {id: 'p1'}) } RETURN subject", "LensSubject", 60),
        (START + "RETURN subject UNION MATCH (c:Case) RETURN c AS subject", "LensSubject", 53),
        (START + "RETURN subject, [(subject)-[:ABOUT]->(p) | p] AS ps", "LensColumn", 32),
        (START + "RETURN subject, subject.status AS s", "LensColumn", 32),
        (START + "RETURN subject, 1 AS one", "LensColumn", 32),
        (START + "RETURN subject ORDER BY rand()", "LensVolatile", 56),
        (START + "WITH subject, count(*) AS n RETURN subject, n", "LensColumn", 60),
        (
            START + "OPTIONAL MATCH (subject)-[:ABOUT]->(p) RETURN subject, collect(p.name) AS x",
            "LensColumn",
            71,
        ),
        (START + "OPTIONAL MATCH (subject)-[:ABOUT]->(p) RETURN p", "LensSubject", 71),
    ],
)
def test_what_leaves_the_lens_is_refused_where_it_stands(query, code, column):
    with pytest.raises(LensViolation) as raised:
        plan(query)
    assert raised.value.code == code
    assert raised.value.span is not None
    assert (raised.value.span.line, raised.value.span.column) == (1, column)
    assert raised.value.text == query


@pytest.mark.parametrize(
    "end",
    [
        "RETURN subject",
        "OPTIONAL MATCH path = (subject)-[:FOLLOWS*1..2]->(c) RETURN subject, path, nodes(path) AS ns",
        "OPTIONAL MATCH (subject)-[r:ABOUT]->(p) WITH subject, collect(p) AS ps RETURN subject, head(ps) AS h",
        "RETURN subject, [subject] AS same",
    ],
)
def test_records_in_any_shape_are_taken(end):
    assert plan(START + end)


@pytest.mark.promise("P35", "P37")
def test_the_lens_bounds_its_query():
    deep = START + "OPTIONAL MATCH (subject)-[:FOLLOWS*1..4]->(c) RETURN subject, c"
    with pytest.raises(OverBudget, match="the ceiling depth is 3"):
        plan(deep)
    budget = replace(LENS, depth=4, max_nodes=7, fanout=9, deadline_ms=250).budget()
    assert (budget.depth, budget.nodes, budget.fanout, budget.seconds) == (4, 7, 9, 0.25)


@pytest.mark.promise("P39", "P40")
@pytest.mark.parametrize(
    ("asked", "given"), [(None, 60), (61, 60), (60, 60), (59, 59), (1, 1), (0, 1), (-9, 1)]
)
def test_max_nodes_is_clamped(asked, given):
    assert LENS.budget(asked).nodes == given


def test_a_version_is_a_hash_of_everything_the_lens_says():
    versions = {
        LENS.version,
        replace(LENS, query=LENS.query + " ").version,
        replace(LENS, max_tokens=2_401).version,
        replace(LENS, weights={"Case": 2.0}).version,
    }
    assert len(versions) == 4
    assert replace(LENS).version == LENS.version


def test_an_expectation_is_for_the_kinds_that_can_meet_it():
    lens = replace(LENS, expect=(Expectation("(subject)-[:ABOUT]->(:Party)", "nobody"),))
    planned = plan_expectations(lens, ONTOLOGY, "Case", lens.budget())
    assert planned is not None
    assert planned[1] == (0,)
    assert plan_expectations(lens, ONTOLOGY, "Party", lens.budget()) is None


@pytest.mark.parametrize(
    "pattern", ["(subject)-[:KNOWS]->()", "(subject", "(subject)-->() RETURN 1", "(a) WHERE a.id = 1"]
)
def test_an_expectation_is_one_pattern_within_the_lens(pattern):
    lens = replace(LENS, expect=(Expectation(pattern, "x"),))
    with pytest.raises(QueryError):
        plan_expectations(lens, ONTOLOGY, "Case", lens.budget())


@pytest.mark.promise("P62")
@pytest.mark.parametrize(
    "when",
    ["subject.text = 'x'", "subject.nothing = 1", "c.status = 'open'", "subject", "$focus = 'x'", "1 AS x, true",
     "(subject)-[:ABOUT]->()", "startNode(subject).id = 1"],
)  # fmt: skip
def test_an_action_is_permitted_by_authoritative_fields_of_the_subject_alone(when):
    with pytest.raises(QueryError):
        action_condition(when, LENS, ONTOLOGY)


def test_an_action_may_combine_fields():
    assert action_condition("subject.status IN ['open'] AND NOT subject.id = 'c1'", LENS, ONTOLOGY)
    assert action_condition("true", LENS, ONTOLOGY)
