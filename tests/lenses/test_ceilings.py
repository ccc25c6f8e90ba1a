"""A lens's ceilings: nodes, tokens, depth, and what is said of what did not fit."""

from __future__ import annotations

import pytest

from lens_runtime.tokens import CharacterCounter
from tests.lenses.shop import Shop, fact, ids


@pytest.fixture
def hub(shop: Shop) -> Shop:
    """A person who asked six times, at length."""
    shop.desk["tickets"] += [
        {**shop.ticket(0), "id": f"h{n}", "person": "p2", "text": f"word{n} " + "long " * 150}
        for n in range(6)
    ]
    shop.build()
    return shop


@pytest.mark.promise("P39", "P40", "P38")
@pytest.mark.parametrize(("asked", "most"), [(None, 12), (3, 3), (1, 1), (10**9, 12), (0, 1), (-5, 1)])
def test_max_nodes_is_clamped_and_honoured(hub, asked, most):
    hub.lens(lambda text: text.replace("fanout: 8", "fanout: 8\nmax_tokens: 9000"))
    envelope = hub.ask("people:Person:p2", max_nodes=asked)
    assert 1 <= len(envelope.facts) <= most
    assert envelope.usage.nodes == len(envelope.facts)
    cut = [each for each in envelope.truncation.cuts if each.ceiling == "nodes"]
    assert bool(cut) == (most < 7)
    assert envelope.truncation.complete == (most >= 7)


@pytest.mark.promise("P38", "P39", "P40")
@pytest.mark.parametrize(("asked", "given"), [(None, 12), (10**9, 12), (13, 12), (12, 12), (11, 11)])
def test_of_more_than_the_ceiling_as_many_come_as_it_says(hub, asked, given):
    hub.desk["tickets"] += [{**hub.ticket(0), "id": f"m{n}", "person": "p2"} for n in range(30)]
    hub.build()
    hub.lens(lambda text: text.replace("fanout: 8", "fanout: 80\nmax_tokens: 9000"))
    envelope = hub.ask("people:Person:p2", max_nodes=asked)
    assert (len(envelope.facts), envelope.truncation.complete) == (given, False)
    assert [(cut.ceiling, cut.limit) for cut in envelope.truncation.cuts] == [("nodes", given)]


@pytest.mark.promise("P41", "P42", "P43")
@pytest.mark.parametrize("ceiling", [1_000, 1_200, 1_500, 2_000])
def test_an_envelope_never_exceeds_its_tokens_and_says_what_is_packed_out(hub, ceiling):
    hub.lens(lambda text: text.replace("fanout: 8", f"fanout: 8\nmax_tokens: {ceiling}"))
    envelope = hub.ask("people:Person:p2")
    size = CharacterCounter().count(envelope.model_dump_json())
    assert size <= ceiling
    assert abs((envelope.usage.tokens or 0) - size) <= 1
    (cut,) = envelope.truncation.cuts
    assert (cut.ceiling, cut.limit, envelope.truncation.complete) == ("tokens", ceiling, False)
    assert f"{7 - len(envelope.facts)} facts" in cut.message
    assert envelope.model_dump_json() == hub.ask("people:Person:p2").model_dump_json()
    told = {each.coordinate for each in envelope.facts}
    assert all({link.source, link.target} <= told for link in envelope.relationships)


@pytest.mark.promise("P42")
def test_an_answer_that_fits_says_that_nothing_was_cut(shop):
    shop.build()
    assert (shop.ask().truncation.cuts, shop.ask().truncation.complete) == ((), True)


@pytest.mark.promise("P41")
def test_a_subject_too_large_for_the_ceiling_is_left_out_and_said_to_be(shop):
    shop.lens(lambda text: text.replace("fanout: 8", "fanout: 8\nmax_tokens: 1000"))
    shop.ticket(0)["text"] = "x" * 10_000
    shop.build()
    envelope = shop.ask()
    assert ids(envelope) == {"p1"}
    assert "1 facts, 1 relationships left out" in envelope.truncation.cuts[0].message


def test_the_focus_ranks_what_is_near_to_it_first(hub):
    hub.lens(lambda text: text.replace("fanout: 8", "fanout: 8\nmax_tokens: 1200"))
    for number in (1, 4):
        envelope = hub.ask("people:Person:p2", focus=f"about Word{number}")
        assert [each.coordinate.entity_id for each in envelope.facts][:2] == ["p2", f"h{number}"]


@pytest.mark.promise("P37")
def test_nothing_is_followed_further_than_the_depth(shop):
    shop.ticket(0)["after"] = ["t2"]
    shop.ticket(1)["after"] = ["t3"]
    shop.desk["tickets"] += [
        {**shop.ticket(1), "id": "t3", "after": ["t4"]},
        {**shop.ticket(1), "id": "t4", "after": []},
    ]
    shop.build()
    envelope = shop.ask()
    assert fact(envelope, "t3").distance == 2
    assert "t4" not in ids(envelope)


def test_like_records_are_one_table_and_nulls_are_left_out(shop):
    ontology = shop.folder / "ontology.yml"
    ontology.write_text(ontology.read_text("utf-8").replace("[text]\n    u", "[text, lines]\n    u"), "utf-8")
    for ticket in shop.desk["tickets"]:
        ticket["lines"] = [{"sku": 1, "n": None, "m": None}, {"sku": 2, "n": 3}]
    shop.build()
    assert fact(shop.ask(), "t1").fields["lines"] == [{"sku": 1}, {"sku": 2, "n": 3}]
    for ticket in shop.desk["tickets"]:
        ticket["lines"] = [{"sku": 1, "n": 2}, {"sku": 2, "n": 3}]
    shop.build()
    table = {"$table": {"columns": ["sku", "n"], "rows": [[1, 2], [2, 3]]}}
    assert fact(shop.ask(), "t1").fields["lines"] == table
