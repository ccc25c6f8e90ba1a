"""``lens context`` on the demo world, and the published schema."""

from __future__ import annotations

import json

import pytest

from lens_runtime.envelope import ContextEnvelope
from lens_runtime.envelope.schema import schema_text
from tests.house.tree import ROOT

CASE = ("context", "able", "--subject", "helpdesk:Case:c-1501", "--lens", "support_decision")


def test_the_published_schema_is_the_shape_of_today():
    published = (ROOT / "docs" / "envelope.schema.json").read_text("utf-8")
    assert published == schema_text(), "python -m lens_runtime.envelope.schema > docs/envelope.schema.json"


@pytest.mark.promise("P57")
def test_json_is_the_envelope(lens):
    ran = lens(*CASE, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    envelope = ContextEnvelope.model_validate_json(ran.out)
    assert {f.coordinate.entity_id for f in envelope.facts} >= {"c-1501", "p-0042", "v-0901"}
    assert {link.state for link in envelope.relationships} == {"confirmed"}
    assert json.loads(ran.out)["lens"]["name"] == "support_decision"


def test_text_is_for_people(lens):
    ran = lens(*CASE)
    assert ran.code == 0
    assert "helpdesk:Case:c-1501 -[involves_party]-> directory:Party:p-0042" in ran.out
    assert "[customer text]" in ran.out
    assert "helpdesk.reply (revision 3)" in ran.out


@pytest.mark.promise("P54")
def test_a_conversation_that_was_deleted_is_a_missing_target(lens):
    ran = lens(
        "context",
        "able",
        "--subject",
        "helpdesk:Case:c-1504",
        "--lens",
        "support_decision",
        "--as",
        "lead:mia",
    )
    assert (
        "missing_target: originated_from_conversation of helpdesk:Case:c-1504 leads to no record" in ran.out
    )
    assert "expected_but_absent: origin_unknown" in ran.out


@pytest.mark.promise("P51")
def test_a_hidden_case_looks_like_none(lens):
    """c-1503 belongs to another team, c-1506 is restricted; c-9999 is not there."""
    told = {}
    for case in ("c-1503", "c-1506", "c-9999"):
        ran = lens("context", "able", "--subject", f"helpdesk:Case:{case}", "--lens", "support_decision")
        told[case] = ran.out.replace(case, "X")
    assert len(set(told.values())) == 1
    assert "not_found_or_not_visible" in told["c-9999"]


@pytest.mark.promise("P42", "P38")
def test_a_hub_is_answered_within_its_ceilings(lens):
    ran = lens(
        "context", "able", "--subject", "directory:Party:p-0007", "--lens", "customer_history",
        "--as", "lead:mia", "--format", "json",
    )  # fmt: skip
    envelope = ContextEnvelope.model_validate_json(ran.out)
    assert len(envelope.facts) > 5
    assert {cut.ceiling for cut in envelope.truncation.cuts} >= {"fanout", "tokens"}
    assert envelope.truncation.withheld == ()
    assert (envelope.usage.tokens or 0) <= 4_000


@pytest.mark.promise("P34")
def test_an_unknown_lens_is_refused_with_the_nearest(lens):
    ran = lens("context", "able", "--subject", "helpdesk:Case:c-1501", "--lens", "support")
    assert (ran.code, ran.out) == (1, "")
    assert "UnknownLens" in ran.err
    assert "did you mean support_decision?" in ran.err


def test_a_subject_that_is_no_coordinate_is_a_fault_of_the_command_line(lens):
    ran = lens("context", "able", "--subject", "c-1501", "--lens", "support_decision")
    assert ran.code == 2
    assert "'c-1501' is not MODULE:TYPE:ID" in ran.err


@pytest.mark.promise("P52", "P54")
def test_an_ad_hoc_envelope_is_asked_again_too(lens):
    types = "INVOLVES_PARTY|ORIGINATED_FROM_CONVERSATION"
    text = f'MATCH (c:Case {{id: "c-1504"}}) OPTIONAL MATCH (c)-[r:{types}]->() RETURN c, r'
    ran = lens("query", "able", text, "--as", "lead:mia", "--format", "envelope")
    envelope = ContextEnvelope.model_validate_json(ran.out)
    assert [link.state for link in envelope.relationships] == ["confirmed"]
    assert [unknown.code for unknown in envelope.unknowns] == ["missing_target"]
