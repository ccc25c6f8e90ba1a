"""The envelope: its shape, and where everything in it comes from."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from pydantic import ValidationError

import lens_runtime
from lens_kernel.formats import VOLATILE, steady_envelope
from lens_runtime.cuts import Cut
from lens_runtime.envelope import ContextEnvelope, seal
from lens_runtime.graph import Provenance, Relationship

GOLDEN = Path(__file__).parent / "golden" / "envelope.json"
QUERY = 'MATCH (c:Case {id: "c-1501"})-[r:INVOLVES_PARTY]->(p:Party) RETURN c, r, p.name AS name, 1.0 / 0 AS infinite'
SHAPE = {
    "ContextEnvelope": (
        "schema_version request_id as_of lens scope subject revisions columns rows facts relationships evidence "
        "freshness unknowns truncation permitted_next_actions aggregates warnings usage"
    ),
    "ScopePart": "world context policy_revision",
    "LensPart": "name version alias",
    "Fact": "coordinate revision observed_at fields untrusted_fields trust stale distance",
    "CoordinatePart": "module entityType entityId",
    "Link": "type from to properties state provenance",
    "Evidence": "module entityType entityId revision event_id",
    "FreshnessPart": "module source read_at records lagging",
    "Unknown": "code message module about",
    "Truncation": "complete cuts bounds withheld",
    "CutPart": "ceiling limit where visible message",
    "NextActionPart": "name revision",
    "UsagePart": "nodes relationships model_calls tokens worst_case",
    "WorstCasePart": (
        "statements round_trips rows_read nodes edges examined matcher_steps reader_calls model_calls tokens"
    ),
    "AggregatePart": (
        "producer anchor node band outcome committed trust untrusted fields inputs generated_at model fingerprint "
        "input_hash model_calls tokens_in tokens_out milliseconds reason"
    ),
}


def shape() -> dict[str, str]:
    """The names of every part of the schema that callers are given."""
    schema = ContextEnvelope.model_json_schema(mode="serialization")
    parts = {"ContextEnvelope": schema, **schema["$defs"]}
    return {name: " ".join(part["properties"]) for name, part in parts.items()}


def test_the_shape_is_this_one_and_every_name_is_required():
    assert shape() == SHAPE
    schema = ContextEnvelope.model_json_schema(mode="serialization")
    assert schema["required"] == SHAPE["ContextEnvelope"].split()
    assert all(part["additionalProperties"] is False for part in (schema, *schema["$defs"].values()))


def test_this_query_has_this_envelope(ana):
    """The whole of it, as kept in golden/envelope.json."""
    told = seal(ana.query(QUERY)).model_dump(mode="json")
    assert told == json.loads(GOLDEN.read_text("utf-8"))


@pytest.mark.promise("P58")
def test_every_fact_and_relationship_has_its_evidence(ana):
    envelope = seal(ana.query('MATCH (p:Party {name: "Jana Novak"})<-[r]-(x) RETURN p, r, x'))
    assert envelope.facts
    assert envelope.relationships
    own = {(f.coordinate.module, f.coordinate.entity_id, f.revision) for f in envelope.facts}
    said = {(e.module, e.entity_id, e.revision) for e in envelope.evidence}
    assert not own & said, "what a fact says is not said twice"
    for link in envelope.relationships:
        by = link.provenance
        assert by is not None
        assert (by.module, by.entity_id, by.revision) in own | said
        assert link.state == "unverified"


@pytest.mark.promise("P43")
def test_the_same_question_at_the_same_time_has_the_same_envelope(ana):
    assert seal(ana.query(QUERY)) == seal(ana.query(QUERY))
    with lens_runtime.open("able", actor="lead:mia") as mia:
        assert seal(mia.query(QUERY)).request_id != seal(ana.query(QUERY)).request_id


@pytest.mark.promise("P51")
def test_a_record_beside_the_two_that_asserts_a_relationship_is_not_named(ana):
    result = ana.query(QUERY)
    (row,) = result.rows
    said = Provenance("helpdesk", "hidden-1", "7")
    elsewhere = tuple(replace(v, provenance=said) if isinstance(v, Relationship) else v for v in row)
    envelope = seal(replace(result, rows=(elsewhere,)))
    assert [link.provenance for link in envelope.relationships] == [None]
    assert "hidden-1" not in envelope.model_dump_json()


def test_text_of_customers_is_named_as_untrusted(ana):
    (case,) = seal(ana.query('MATCH (c:Case {id: "c-1501"}) RETURN c')).facts
    assert case.untrusted_fields == ("description",)
    assert "ignore all previous instructions" in str(case.fields["description"])


@pytest.mark.promise("P42")
def test_truncation_says_what_was_cut_and_whole_answers_that_nothing_was(ana):
    hub = 'MATCH (p:Party {name: "Northgate Cycles Ltd"})<-[:INVOLVES_PARTY]-(c:Case) RETURN count(*) AS n'
    cut = seal(ana.query(hub)).truncation
    assert (cut.complete, cut.bounds, cut.withheld) == (False, {"n": "at least"}, ())
    assert [(c.ceiling, c.limit, c.visible) for c in cut.cuts] == [("fanout", 50, 105)]
    whole = seal(ana.query(QUERY)).truncation
    assert (whole.complete, whole.cuts, whole.bounds, whole.withheld) == (True, (), {}, ())


def test_a_module_that_does_not_answer_is_an_unknown_and_no_truncation(ana):
    silent = replace(
        ana.query("RETURN 1 AS n"), cuts=(Cut("source", "helpdesk"),), withheld=("count(*)",), rows=()
    )
    envelope = seal(silent)
    assert [(u.code, u.module) for u in envelope.unknowns] == [
        ("source_unavailable", "helpdesk"),
        ("source_unavailable", None),
    ]
    assert envelope.truncation.cuts == ()
    assert envelope.truncation.complete is False
    withheld = seal(replace(silent, cuts=(Cut("rows", 3),)))
    assert [unknown.code for unknown in withheld.unknowns] == ["budget"]


def test_what_it_cost_to_read_is_not_told(ana):
    envelope = seal(ana.query(QUERY)).model_dump(mode="json")
    assert envelope["usage"].pop("worst_case") == asdict(ana.plan(QUERY).worst_case.in_sum)
    told = json.dumps(envelope)
    assert not [
        word for word in ("statements", "round_trips", "rows_read", "steps", "reader_calls") if word in told
    ]


@pytest.mark.parametrize(
    ("query", "encoded"),
    [
        ("RETURN {a: null, b: [1, 'x']}", {"a": None, "b": [1, "x"]}),
        ("RETURN {`$node`: 1}", {"$map": {"$node": 1}}),
        ("RETURN 0.0 / 0", {"$float": "NaN"}),
        ("RETURN -1 / 0.0", {"$float": "-Infinity"}),
    ],
)
def test_a_value_that_json_lacks_cannot_be_taken_for_another(ana, query, encoded):
    assert seal(ana.query(query)).rows == ((encoded,),)


def test_paths_and_relationships_are_told_by_coordinates(ana):
    query = 'MATCH path = (c:Case {id: "c-1501"})-[r:INVOLVES_PARTY]->(:Party) RETURN path, [r]'
    path, (relationship,) = json.loads(seal(ana.query(query)).model_dump_json())["rows"][0]
    case = {"module": "helpdesk", "entityType": "Case", "entityId": "c-1501"}
    party = {"module": "directory", "entityType": "Party", "entityId": "p-0042"}
    assert relationship == {"$relationship": {"type": "involves_party", "from": case, "to": party}}
    assert path == {"$path": [{"$node": case}, relationship, {"$node": party}]}


def test_what_a_notebook_keeps_has_nothing_volatile(ana, monkeypatch):
    first = steady_envelope(ana.query(QUERY))
    monkeypatch.setenv("LENS_NOW", "2027-01-01T00:00:00Z")
    with lens_runtime.open("able", actor="agent:ana") as later:
        assert steady_envelope(later.query(QUERY)) == first
    assert not set(VOLATILE) & first.keys()


def test_an_envelope_can_be_read_back_and_is_closed(ana):
    envelope = seal(ana.query(QUERY))
    told = envelope.model_dump_json()
    assert ContextEnvelope.model_validate_json(told).model_dump_json() == told
    with pytest.raises(ValidationError, match="extra_forbidden"):
        ContextEnvelope.model_validate({**json.loads(told), "rows_read": 7})
    with pytest.raises(ValidationError, match="frozen_instance"):
        envelope.as_of = "now"
