"""The graph is the cache: what is made once is served until what it was made from changes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from lens_dsl.budget import Budget
from lens_dsl.plan import Statement
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.clock import FixedClock
from lens_runtime.deadline import MonotonicDeadline
from lens_runtime.envelope import seal
from lens_runtime.projection.generations import drop
from tests.aggregation.shelf import NOW, SUMMARY, Shelf, outcomes

BOTH = """MATCH (d:Document)-[:HAS_SUMMARY]->(s:Summary) WHERE d.uri IN ['one', 'two']
RETURN d.uri, s.summary ORDER BY d.uri"""


@pytest.mark.promise("P71", "P82")
def test_the_first_traversal_commits_one_node(shelf: Shelf) -> None:
    result = shelf.ask()
    assert [row[0] for row in result.rows] == ["#1 alpha beta | gamma"]
    ((node_id, context, policy, producer, anchor, band, value),) = shelf.committed()
    assert node_id == result.rows[0][1]
    assert (context, producer, json.loads(anchor), band) == ("main", "docSummary", "one", "standard")
    assert policy == result.scope.policy_revision
    assert json.loads(value) == result.rows[0][0]


@pytest.mark.promise("P72", "P93", "P135")
def test_a_repeat_makes_no_call_and_one_round_trip_for_it(shelf: Shelf) -> None:
    first, second = shelf.ask(), shelf.ask()
    plain = shelf.ask("MATCH (d:Document {uri: $uri}) RETURN d.uri")
    assert second.rows == first.rows
    assert outcomes(second) == ["hit"]
    assert (first.usage.model_calls, second.usage.model_calls, len(shelf.reducer.requests)) == (1, 0, 1)
    assert second.usage.round_trips - plain.usage.round_trips == 1
    assert second.usage.reader_calls - plain.usage.reader_calls == 1


@pytest.mark.promise("P81", "P84", "P128")
def test_the_node_carries_value_key_identity_and_stamps(shelf: Shelf) -> None:
    result = shelf.ask(SUMMARY.replace("s.summary, s.id", "s"))
    (node,) = result.nodes
    assert node.properties["id"] == node.id
    assert {name: node.properties[name] for name in ("docUri", "band", "count", "trust", "model")} == {
        "docUri": "one", "band": "standard", "count": 2, "trust": "derived", "model": "scripted 1",
    }  # fmt: skip
    stamps = [node.properties[name] for name in ("worldId", "contextId", "policyRevision")]
    assert stamps == ["shelf", "main", result.scope.policy_revision]
    assert node.properties["inputHash"] == result.aggregates[0].input_hash
    assert node.label == "docSummary:team=s:red:one:standard"


@pytest.mark.promise("P73", "P81")
def test_identity_and_anchor_key_stand_in_the_declared_fields(shelf: Shelf) -> None:
    shelf.change("ontology.yml", "hydrated: [docUri, summary,", "hydrated: [docUri, summary, made, about,")
    first, second = shelf.files["producers/summaries.yml"].split("- name: profile")
    first = first.replace("identityField: id", "identityField: made").replace("docUri", "about")
    shelf.files["producers/summaries.yml"] = f"{first}- name: profile{second}"
    shelf.write()
    shelf.build()
    (node,) = shelf.ask(SUMMARY.replace("s.summary, s.id", "s")).nodes
    assert (node.properties["made"], node.properties["about"]) == (node.id, "one")
    assert "docUri" not in node.properties


@pytest.mark.promise("P76", "P83")
def test_each_key_names_one_anchor_that_is_reduced_by_itself(shelf: Shelf) -> None:
    result = shelf.ask(BOTH.replace("s.summary", "s.docUri, s.summary, s.id"))
    assert [request.items for request in shelf.reducer.requests] == [("alpha beta", "gamma"), ("delta",)]
    assert [row[:3] for row in result.rows] == [
        ("one", "one", "#1 alpha beta | gamma"),
        ("two", "two", "#2 delta"),
    ]
    assert len({row[3] for row in result.rows}) == len(shelf.committed()) == 2
    assert (outcomes(shelf.ask()), outcomes(shelf.ask(uri="two"))) == (["hit"], ["hit"])


@pytest.mark.promise("P61")
def test_what_is_made_says_of_whom_from_what_and_in_which_version(shelf: Shelf) -> None:
    (made,) = seal(shelf.ask()).aggregates
    assert made.anchor == {"module": "shelf", "entityType": "Document", "entityId": "d0"}
    assert (made.producer, made.model) == ("docSummary", "scripted 1")
    (kept,) = seal(shelf.ask()).aggregates
    versions = (made.fingerprint, made.input_hash, made.generated_at)
    assert all(versions)
    assert (kept.fingerprint, kept.input_hash, kept.generated_at) == versions
    assert (kept.outcome, kept.model, kept.trust) == ("hit", "scripted 1", "derived")
    shelf.edit("d0-1", text="GAMMA")
    (edited,) = seal(shelf.ask()).aggregates
    assert (edited.fingerprint, edited.input_hash != made.input_hash) == (made.fingerprint, True)
    shelf.change("roles.yml", "summarizer: {revision: '1'}", "summarizer: {revision: '2'}")
    (revised,) = seal(shelf.ask()).aggregates
    assert (revised.fingerprint != made.fingerprint, revised.input_hash) == (True, edited.input_hash)


@pytest.mark.promise("P76", "P83", "P85", "P90")
def test_an_edit_regenerates_exactly_that_node_in_place(shelf: Shelf) -> None:
    before = shelf.ask(BOTH)
    ids = {row[0] for row in shelf.committed()}
    shelf.edit("d0-1", text="GAMMA")
    after = shelf.ask(BOTH)
    assert outcomes(after) == ["generated", "hit"]
    assert after.usage.model_calls == 1
    assert after.rows[1] == before.rows[1]
    assert after.rows[0][1] == "#3 alpha beta | GAMMA"
    assert {row[0] for row in shelf.committed()} == ids
    assert outcomes(shelf.ask(BOTH)) == ["hit", "hit"]


@pytest.mark.promise("P86")
def test_adding_and_removing_a_neighbour_regenerates(shelf: Shelf) -> None:
    shelf.ask()
    added = shelf.chunk("d0", 2, "epsilon")
    shelf.write()
    shelf.build()
    assert shelf.ask().rows[0][0] == "#2 alpha beta | gamma | epsilon"
    shelf.records["chunks"].remove(added)
    shelf.write()
    assert shelf.ask().rows[0][0] == "#3 alpha beta | gamma"
    shelf.build()
    assert outcomes(shelf.ask()) == ["hit"]


@pytest.mark.promise("P92")
def test_a_property_that_is_not_collected_does_not_regenerate(shelf: Shelf) -> None:
    shelf.ask()
    shelf.edit("d0-0", note="edited")
    assert outcomes(shelf.ask()) == ["hit"]


@pytest.mark.promise("P91")
def test_time_alone_does_not_regenerate(shelf: Shelf) -> None:
    shelf.ask()
    late = replace(shelf.engine(), clock=FixedClock(NOW + 10**12))
    result = late.run(SUMMARY, {"uri": "one"}, Budget(), MonotonicDeadline.after(10))
    late.store.close()
    assert outcomes(result) == ["hit"]


@pytest.mark.promise("P87", "P88", "P89")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Summarize this document faithfully.", "Summarize this document in rhymes."),
        ('faithfully."], role: summarizer', 'faithfully."], role: small'),
        ("using: summarize, into: summary, args", "using: synthesize, into: summary, args"),
    ],
    ids=["instruction", "role", "function"],
)
def test_another_way_of_making_regenerates_in_place(shelf: Shelf, old: str, new: str) -> None:
    first = shelf.ask()
    shelf.change("producers/summaries.yml", old, new)
    second = shelf.ask()
    assert outcomes(second) == ["generated"]
    assert second.rows[0][1] == first.rows[0][1]
    assert len(shelf.committed()) == 1
    assert outcomes(shelf.ask()) == ["hit"]


@pytest.mark.promise("P88")
def test_a_new_revision_of_the_role_regenerates(shelf: Shelf) -> None:
    shelf.ask()
    shelf.change("roles.yml", "summarizer: {revision: '1'}", "summarizer: {revision: '2'}")
    assert outcomes(shelf.ask()) == ["generated"]


@pytest.mark.promise("P80")
def test_the_order_of_items_is_the_declared_one(shelf: Shelf) -> None:
    shelf.ask()
    shelf.records["chunks"].reverse()
    shelf.write()
    shelf.build(rebuild=True)
    assert outcomes(shelf.ask()) == ["hit"]
    shelf.edit("d0-0", position=9)
    assert shelf.ask().rows[0][0] == "#2 gamma | alpha beta"


@pytest.mark.promise("P78", "P79")
def test_direction_and_template_say_what_is_collected(shelf: Shelf) -> None:
    shelf.records["people"] = [{"id": "p1", "name": "Ana", "chunks": ["d0-1", "d1-0"]}]
    shelf.write()
    shelf.build()
    old = 'text: "{{ text }}"\n    orderBy'
    shelf.change("producers/summaries.yml", old, old.replace("{{ text }}", "<{{ text }}>"))
    assert shelf.ask().rows[0][0] == "#1 <alpha beta> | <gamma>"
    outgoing = shelf.ask("MATCH (p:Person {id: 'p1'})-[:HAS_PROFILE]->(s) RETURN s.summary")
    assert outgoing.rows[0][0] == "#2 gamma | delta"


@pytest.mark.promise("P75")
def test_without_an_anchor_key_one_reduction_serves_the_batch(shelf: Shelf) -> None:
    shelf.records["people"] = [{"id": f"p{n}", "name": "N", "chunks": [f"d{n}-0"]} for n in (0, 1)]
    shelf.write()
    shelf.build()
    match = "MATCH (p:Person)-[:HAS_PROFILE]->(s) WHERE p.id IN ['p0', 'p1'] "
    text = match + "RETURN p.id, s.summary, s.docUri ORDER BY p.id"
    own = shelf.ask(text)
    assert own.usage.model_calls == 1
    assert [row[1:] for row in own.rows] == [("#1 delta", "shelf:Person:p1")] * 2
    whole = shelf.ask(text, actor="kim")
    assert whole.usage.model_calls == 1
    assert [row[1:] for row in whole.rows] == [("#2 alpha beta | delta", "main")] * 2
    assert outcomes(shelf.ask(text)) == ["hit"]


@pytest.mark.promise("P138")
def test_a_rebuild_carries_nodes_over_and_dropping_the_tables_does_not(shelf: Shelf) -> None:
    shelf.ask()
    shelf.build(rebuild=True)
    assert outcomes(shelf.ask()) == ["hit"]
    store = SqliteStore(shelf.place.graph, world="shelf")
    drop(store)
    store.close()
    shelf.build()
    assert outcomes(shelf.ask()) == ["generated"]


@pytest.mark.promise("P127")
def test_no_edge_to_the_node_is_stored(shelf: Shelf) -> None:
    shelf.ask()
    store = SqliteStore(shelf.place.graph, world="shelf")
    counted = store.inspect([Statement("count_edges", (1,))]).results[0]
    store.close()
    assert [row[:2] for row in counted] == [("PART_OF", 3)]
