"""What an envelope says of records and relationships that are there, gone, hidden, missing or contradictory."""

from __future__ import annotations

import pytest

from lens_dsl.errors import ConfigurationError, SemanticProblem
from tests.lenses.shop import codes, fact, ids, links


@pytest.mark.promise("P34")
def test_an_unknown_lens_is_refused(shop):
    shop.build()
    with shop.session() as session, pytest.raises(ConfigurationError) as raised:
        session.context("works", "desk:Ticket:t1")
    assert (raised.value.code, raised.value.hint) == ("UnknownLens", "did you mean work?")


@pytest.mark.promise("P48", "P57", "P58", "P59")
def test_a_lens_answers_with_facts_their_evidence_and_revisions(shop):
    shop.build()
    envelope = shop.ask()
    assert envelope.lens is not None
    assert (envelope.lens.name, len(envelope.lens.version)) == ("work", 12)
    assert [(f.coordinate.entity_id, f.distance) for f in envelope.facts] == [("t1", 0), ("p1", 1)]
    (link,) = envelope.relationships
    assert (link.type, link.state) == ("asked_by", "confirmed")
    assert link.provenance is not None
    assert link.provenance.entity_id == "t1"
    assert all(f.revision for f in envelope.facts)
    assert envelope.revisions.keys() == {"desk", "people"}
    assert (envelope.unknowns, envelope.truncation.complete) == ((), True)
    stated = envelope.usage.worst_case
    assert stated.tokens is not None
    assert envelope.usage.tokens <= stated.tokens
    assert envelope.usage.nodes <= stated.nodes
    assert stated.rows_read is not None
    assert stated.round_trips >= 3


@pytest.mark.promise("P59")
def test_a_modules_revision_moves_with_what_was_used_of_it_alone(shop):
    shop.build()
    before = shop.ask().revisions
    shop.people["people"][1]["name"] = "Not used"
    shop.build()
    assert shop.ask().revisions == before
    shop.people["people"][0]["name"] = "Used"
    shop.build()
    after = shop.ask().revisions
    assert (after["desk"], after["people"] != before["people"]) == (before["desk"], True)


@pytest.mark.promise("P47")
@pytest.mark.parametrize("subject", ["t1", "desk:Ticket", "desk:Ticket:" + "x" * 500])
def test_a_subject_is_module_kind_and_id(shop, subject):
    shop.build()
    with pytest.raises(SemanticProblem) as raised:
        shop.ask(subject)
    assert raised.value.code == "InvalidCoordinate"


@pytest.mark.promise("P51")
def test_a_hidden_subject_and_one_that_is_not_there_have_the_same_envelope(shop):
    shop.build()
    hidden = shop.ask("desk:Ticket:t9").model_dump_json()
    del shop.desk["tickets"][2]
    shop.build()
    assert shop.ask("desk:Ticket:t9").model_dump_json() == hidden
    shop.desk["tickets"].append({**shop.ticket(0), "id": "t9", "person": None})
    shop.build()
    assert ids(shop.ask("desk:Ticket:t9")) == {"t9"}
    shop.ticket(2)["team"] = "blue"
    shop.write()  # the module denies it now, the projection shows it still
    assert shop.ask("desk:Ticket:t9").model_dump_json() == hidden
    assert codes(shop.ask("desk:Ticket:t9")) == ["not_found_or_not_visible"]


def test_another_modules_record_of_that_kind_is_not_found(shop):
    shop.build()
    assert codes(shop.ask("people:Ticket:t1")) == ["not_found_or_not_visible"]


def test_a_kind_that_the_lens_does_not_take_is_out_of_it(shop):
    shop.lens(lambda text: text.replace("[Ticket, Person]", "[Ticket]"))
    shop.build()
    envelope = shop.ask("people:Person:p1")
    assert (codes(envelope), envelope.facts) == (["out_of_lens"], ())


@pytest.mark.promise("P49", "P50")
def test_the_module_wins_over_the_projection_and_the_lag_is_told(shop):
    shop.build()
    before = fact(shop.ask(), "p1")
    shop.people["people"][0]["name"] = "Ida Berg"
    shop.write()
    envelope = shop.ask()
    now = fact(envelope, "p1")
    assert (before.fields["name"], now.fields["name"]) == ("Ida", "Ida Berg")
    assert (before.stale, now.stale, now.revision != before.revision) == (False, True, True)
    assert [(f.module, f.lagging) for f in envelope.freshness] == [("desk", 0), ("people", 1)]


@pytest.mark.promise("P52")
def test_a_relationship_that_is_gone_is_no_fact_nor_is_what_hangs_on_it(shop):
    shop.build()
    shop.ticket(0)["person"] = "p2"
    shop.write()
    envelope = shop.ask()
    assert (ids(envelope), envelope.relationships) == ({"t1"}, ())


@pytest.mark.promise("P52")
def test_a_relationship_mapped_from_inside_a_record_is_asked_again_there(shop):
    shop.ticket(0)["after"] = ["t2"]
    shop.build()
    assert [link.state for link in links(shop.ask(), "follows")] == ["confirmed"]
    shop.ticket(0)["after"] = []
    shop.write()
    assert links(shop.ask(), "follows") == []


@pytest.mark.promise("P53")
def test_a_relationship_that_cannot_be_asked_again_is_unverified_and_stale_once_its_record_moves(shop):
    shop.desk["mentions"] = [{"ticket": "t1", "person": "p2"}]
    shop.build()
    envelope = shop.ask()
    assert [link.state for link in links(envelope, "mentions")] == ["unverified"]
    assert codes(envelope) == ["unverified_relationship"]
    shop.ticket(0)["text"] = "It broke again."
    shop.write()
    assert [link.state for link in links(shop.ask(), "mentions")] == ["stale"]


@pytest.mark.promise("P54")
def test_a_target_that_its_module_no_longer_has_is_missing(shop):
    shop.build()
    del shop.people["people"][0]
    shop.write()
    envelope = shop.ask()
    assert (ids(envelope), envelope.relationships) == ({"t1"}, ())
    assert codes(envelope) == ["expected_but_absent", "missing_target"]
    assert "leads to people:Person:p1" in envelope.unknowns[-1].message


@pytest.mark.promise("P54")
def test_a_target_that_never_was_is_missing(shop):
    shop.ticket(0)["person"] = "nobody"
    shop.build()
    envelope = shop.ask()
    (missing,) = [unknown for unknown in envelope.unknowns if unknown.code == "missing_target"]
    assert missing.message == "asked_by of desk:Ticket:t1 leads to no record"
    assert missing.about == envelope.subject
    assert envelope.relationships == ()


@pytest.mark.promise("P51", "P54")
@pytest.mark.parametrize("projected", [True, False])
def test_a_forbidden_target_yields_nothing_at_all(shop, projected):
    shop.ticket(0)["person"] = None
    shop.ticket(0)["other"] = "p1"
    shop.build()
    shop.people["people"][0] |= {"class": "secret", "name": "Hidden"}
    if projected:
        shop.build()
    else:
        shop.write()
    envelope = shop.ask()
    assert (ids(envelope), envelope.relationships) == ({"t1"}, ())
    assert codes(envelope) == ["expected_but_absent"]
    told = envelope.model_dump_json()
    assert "p1" not in told
    assert "Hidden" not in told


@pytest.mark.promise("P51")
def test_what_leads_nowhere_from_a_kind_the_actor_has_nothing_of_is_not_told(shop):
    shop.ticket(0)["person"] = "nobody"
    policy = shop.folder / "policy.yml"
    policy.write_text(policy.read_text("utf-8").replace('kinds: "*"', "kinds: [Ticket]"), encoding="utf-8")
    shop.build()
    assert codes(shop.ask()) == ["expected_but_absent"]


@pytest.mark.promise("P55")
def test_two_targets_of_a_functional_relationship_are_contradictory(shop):
    shop.ticket(0)["other"] = "p2"
    shop.build()
    envelope = shop.ask()
    assert [link.state for link in links(envelope, "asked_by")] == ["contradictory"] * 2
    assert codes(envelope) == ["contradictory"]
    shop.ticket(0)["other"] = "p9"
    shop.build()
    assert codes(shop.ask()) == [], "a target that is hidden contradicts nothing"


@pytest.mark.promise("P56")
def test_a_module_that_cannot_be_read_is_an_unknown_and_the_rest_is_told(shop):
    shop.build()
    (shop.folder / "people.json").write_text("{", encoding="utf-8")
    envelope = shop.ask()
    assert ids(envelope) == {"t1"}
    assert codes(envelope) == ["source_unavailable"], "what is not known is not called absent"
    assert envelope.truncation.complete is False
    (shop.folder / "desk.json").write_text("{", encoding="utf-8")
    assert (codes(shop.ask()), shop.ask().facts) == (["source_unavailable"], ())


@pytest.mark.promise("P28")
@pytest.mark.parametrize("loss", ["unreadable", "gone", "secret", "renamed"])
def test_what_the_index_says_is_told_only_where_the_module_says_it_too(shop, loss):
    """The index still has the label under which the record is found; the module has it no more."""
    shop.people["people"][0]["name"] = "Ida Quagga"
    shop.build()

    def search() -> tuple[int, str]:
        with shop.session() as session:
            result = session.query("MATCH (p:Person) WHERE search(p, 'ida') RETURN p, p.name")
            return len(result.rows), f"{result!r} {session.envelope(result).model_dump_json()}"

    rows, told = search()
    assert (rows, "Quagga" in told) == (1, True)
    if loss == "gone":
        del shop.people["people"][0]
    elif loss == "secret":
        shop.people["people"][0]["class"] = "secret"
    else:
        shop.people["people"][0]["name"] = "Zebra"
    shop.write()
    if loss == "unreadable":
        (shop.folder / "people.json").write_text("{", encoding="utf-8")
    rows, told = search()
    assert rows == 0
    assert "Quagga" not in told
    assert ("source_unavailable" in told) == (loss == "unreadable")


@pytest.mark.promise("P60")
def test_text_of_customers_is_marked(shop):
    shop.build()
    assert fact(shop.ask(), "t1").untrusted_fields == ("text",)


@pytest.mark.promise("P62")
def test_a_permitted_action_is_a_name_and_a_revision(shop):
    shop.build()
    envelope = shop.ask()
    (action,) = envelope.permitted_next_actions
    assert action.model_dump() == {"name": "desk.close", "revision": fact(envelope, "t1").revision}
    shop.ticket(0)["state"] = "closed"
    shop.write()
    assert [each.name for each in shop.ask().permitted_next_actions] == ["desk.reopen"]
    assert shop.ask("people:Person:p1").permitted_next_actions == ()


@pytest.mark.promise("P64")
def test_a_session_remembers_nothing_of_what_it_read(shop):
    shop.build()
    with shop.session() as session:
        first = session.context("work", "desk:Ticket:t1")
        shop.people["people"][0]["name"] = "Someone else"
        shop.write()
        second = session.context("work", "desk:Ticket:t1")
    assert (fact(first, "p1").fields["name"], fact(second, "p1").fields["name"]) == ("Ida", "Someone else")
