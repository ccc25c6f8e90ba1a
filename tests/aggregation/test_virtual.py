"""Where a virtual relationship may stand, and what its directives may be."""

from __future__ import annotations

import re

import pytest

from lens_dsl.budget import Budget
from lens_dsl.errors import QueryError, SemanticProblem, UnsupportedFeature
from lens_dsl.explain import explain
from lens_dsl.ontology import Kind, Ontology, RelationshipType
from lens_dsl.parser import parse
from lens_dsl.plan import Plan
from lens_dsl.planner import plan_query
from lens_dsl.validator import validate
from tests.aggregation.shelf import Shelf, outcomes

ONTOLOGY = Ontology(
    {
        "Document": Kind("Document", "m", ("id", "uri"), hydrated=("title",)),
        "Chunk": Kind("Chunk", "m"),
        "Summary": Kind("Summary", "m", hydrated=("summary", "band")),
    },
    {
        "PART_OF": RelationshipType("PART_OF", "m", ("Chunk",), ("Document",)),
        "HAS_SUMMARY": RelationshipType(
            "HAS_SUMMARY", "m", ("Document",), ("Summary",), producer="docSummary"
        ),
    },
)


def planned(text: str) -> Plan:
    return plan_query(validate(parse(text), ONTOLOGY, text), ONTOLOGY, Budget())


def test_it_starts_a_stage_of_its_own():
    where = "WHERE s.band = 'gist' AND d.title = 't'"
    plan = planned(f"MATCH (d:Document {{uri: 'x'}})-[:HAS_SUMMARY]->(s) {where} RETURN s.summary")
    first, second = plan.stages
    assert (first.produce, second.anchors) == (None, ())
    assert second.produce is not None
    assert (second.produce.source, second.produce.target, second.produce.kind) == ("d", "s", "Summary")
    assert len(second.produce.predicates) == 1
    shown = explain(plan, ONTOLOGY).stages[1]
    assert [operator.name for operator in shown.operators] == ["Produce", "Filter", "Projection"]
    assert "HAS_SUMMARY" in shown.operators[0].text
    assert [decision.decided for decision in shown.decisions] == ["once the leaf is made"]


@pytest.mark.parametrize("text", ["(d)-[:HAS_SUMMARY]->(s)", "(s)<-[:HAS_SUMMARY]-(d)"])
def test_it_may_be_written_either_way(text):
    plan = planned(f"MATCH (d:Document {{id: 'x'}}) MATCH {text} RETURN s.summary")
    assert plan.stages[1].produce is not None
    assert (plan.stages[1].produce.source, plan.stages[1].produce.target) == ("d", "s")


DOCUMENT = "MATCH (d:Document {id: 'x'})"
REFUSED = {
    "beside other types": DOCUMENT + "-[:HAS_SUMMARY|PART_OF]->(s) RETURN s",
    "walked by *": DOCUMENT + "-[:HAS_SUMMARY*1..2]->(s) RETURN s",
    "has a direction": DOCUMENT + "-[:HAS_SUMMARY]-(s) RETURN s",
    "no variable can hold it": DOCUMENT + "-[r:HAS_SUMMARY]->(s) RETURN r",
    "named path": "MATCH p = (d:Document {id: 'x'})-[:HAS_SUMMARY]->(s) RETURN p",
    "ends at a leaf": DOCUMENT + "-[:HAS_SUMMARY]->(s)<-[:HAS_SUMMARY]-(e:Document {id: 'y'}) RETURN s",
    "no pattern can go on": DOCUMENT + "-[:HAS_SUMMARY]->(s) MATCH (e:Document)-[:HAS_SUMMARY]->(s) RETURN s",
    "can go on from it": DOCUMENT + "-[:HAS_SUMMARY]->(s) WITH s AS t MATCH (t)-->(x) RETURN x",
    "can hold nothing else": "MATCH (c:Chunk {id: 'x'}) OPTIONAL MATCH (c)-->(d)-[:HAS_SUMMARY]->(s) RETURN s",
    "cannot be matched on its own": "MATCH (s:Summary {id: 'x'}) RETURN s",
}  # fmt: skip


@pytest.mark.parametrize("message", REFUSED)
def test_other_positions_are_refused_by_name(message):
    with pytest.raises(UnsupportedFeature, match=message) as raised:
        planned(REFUSED[message])
    assert raised.value.code == "VirtualRelationship"
    assert raised.value.hint
    assert raised.value.span is not None


def test_an_untyped_pattern_never_walks_it():
    plan = planned("MATCH (d:Document {id: 'x'})--(n) RETURN n")
    assert {name for step in plan.stages[0].steps for name, _, _ in step.go} == {"PART_OF"}


def test_an_unknown_ai_key_is_a_warning_that_names_the_nearest(shelf: Shelf) -> None:
    plan = planned("MATCH (d:Document {id: 'x'})-[:HAS_SUMMARY {ai: {wordcnt: 40}}]->(s) RETURN s")
    assert plan.warnings == ("ai has no directive wordcnt, so it has no effect; did you mean wordcount?",)
    text = "MATCH (d:Document {uri: $uri})-[:HAS_SUMMARY {ai: {wordcnt: 40}}]->(s) RETURN s"
    result = shelf.ask(text)
    assert (result.warnings, outcomes(result)) == (plan.warnings, ["generated"])


@pytest.mark.parametrize(
    ("directives", "message", "hint"),
    [
        ("{ai_hint: 'x'}", "ai_hint is no directive", r"\{ai: \{hint: ...\}\}"),
        ("{band: 'gist'}", "band is no directive", "leaf's properties"),
        ("{ai: 3}", "ai takes a map", "with a value for each key"),
        ("{ai: {hint: d.title}}", "hint depends on a row", "constant or a parameter"),
        ("$map", "cannot stand for the directives", "one by one"),
    ],
)
def test_what_is_no_directive_is_an_error_with_its_replacement(directives, message, hint):
    with pytest.raises(SemanticProblem, match=message) as raised:
        planned(f"MATCH (d:Document {{id: 'x'}})-[:HAS_SUMMARY {directives}]->(s) RETURN s")
    assert raised.value.code == "InvalidDirective"
    assert re.search(hint, raised.value.hint or "")


def test_directives_on_an_ordinary_relationship_are_an_error():
    with pytest.raises(QueryError, match="no producer makes this relationship"):
        planned("MATCH (d:Document {id: 'x'})<-[:PART_OF {ai: {hint: 'x'}}]-(c) RETURN c")


def test_a_direction_that_cannot_be_is_a_warning_and_finds_nothing(shelf: Shelf) -> None:
    result = shelf.ask("MATCH (d:Document {uri: $uri})<-[:HAS_SUMMARY]-(s) RETURN s")
    assert result.rows == ()
    assert "HAS_SUMMARY" in result.warnings[0]


def test_optional_gives_null_where_the_leaf_does_not_pass(shelf: Shelf) -> None:
    optional = "OPTIONAL MATCH (d)-[:HAS_SUMMARY]->(s) WHERE {} "
    text = (
        "MATCH (d:Document) WHERE d.uri IN ['one', 'two'] "
        + optional
        + "RETURN d.uri, s.docUri ORDER BY d.uri"
    )
    assert shelf.ask(text.format("s.docUri = 'one'")).rows == (("one", "one"), ("two", None))
    assert shelf.ask(text.format("d.uri = 'two'")).rows == (("one", None), ("two", "two"))


def test_two_bands_of_one_anchor_in_one_query(shelf: Shelf) -> None:
    result = shelf.ask(
        "MATCH (d:Document {uri: $uri})-[:HAS_SUMMARY {ai: {wordcount: 40}}]->(g), (d)-[:HAS_SUMMARY]->(s) "
        "RETURN g.band, s.band, count(*) AS n"
    )
    assert result.rows == (("gist", "standard", 1),)


def test_the_query_goes_on_from_the_anchor(shelf: Shelf) -> None:
    result = shelf.ask(
        "MATCH (d:Document {uri: $uri})-[:HAS_SUMMARY]->(s) WITH d, s.summary AS text "
        "MATCH (c:Chunk)-[:PART_OF]->(d) RETURN text, count(c) AS chunks"
    )
    assert result.rows == (("#1 alpha beta | gamma", 2),)


def test_only_what_survives_is_reduced(shelf: Shelf) -> None:
    where = "WHERE d.uri IN ['one', 'two'] AND d.title = 'two'"
    result = shelf.ask(f"MATCH (d:Document)-[:HAS_SUMMARY]->(s) {where} RETURN s.summary")
    assert (result.rows, result.usage.model_calls) == ((("#1 delta",),), 1)


def test_a_kind_of_anchor_that_nothing_is_made_for_is_said(shelf: Shelf) -> None:
    shelf.records["people"] = [{"id": "p1", "name": "Ana", "chunks": []}]
    shelf.write()
    shelf.build()
    shelf.change("ontology.yml", "HAS_SUMMARY: {from: Document,", "HAS_SUMMARY: {from: [Document, Person],")
    result = shelf.ask("MATCH (p:Person {id: 'p1'})-[:HAS_SUMMARY]->(s) RETURN s")
    assert (result.rows, result.warnings) == ((), ("no producer makes HAS_SUMMARY for Person",))
