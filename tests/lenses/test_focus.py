"""What a focus asks for: a record that it names, what is beyond the lens, and what it brings to the front."""

from __future__ import annotations

from pathlib import Path

import pytest

from lens_runtime.worlds.folder import check_world
from tests.lenses.shop import Shop, codes, ids

NAMES = (
    'names:\n  - {kind: Ticket, like: "t-000"}\nbeyond:\n  - {words: [Stock, price], says: what is sold}\n'
)


@pytest.fixture
def shop(shop: Shop) -> Shop:
    shop.lens(lambda text: text + NAMES)
    for number, name in enumerate(("t-001", "t-002", "t-009")):
        shop.ticket(number)["id"] = name
    shop.build()
    return shop


@pytest.mark.promise("P54")
def test_a_record_that_the_focus_names_and_nothing_answers_is_an_unknown(shop):
    envelope = shop.ask("desk:Ticket:t-001", focus="is it like t-007, or t-001?")
    assert codes(envelope) == ["not_found_or_not_visible"]
    (unknown,) = envelope.unknowns
    assert unknown.about is not None
    assert (unknown.about.module, unknown.about.entity_id) == ("desk", "t-007")


@pytest.mark.promise("P51")
def test_a_hidden_record_that_is_named_looks_like_one_that_is_not_there(shop):
    told = {
        name: shop.ask("desk:Ticket:t-001", focus=f"what about {name}?")
        .model_dump_json(exclude={"request_id"})
        .replace(name, "X")
        for name in ("t-009", "t-008")
    }
    assert told["t-009"] == told["t-008"]


@pytest.mark.parametrize("focus", [None, "", "t-01", "xt-0071", "t-00a", "#t-007"])
def test_what_is_no_id_names_nothing(shop, focus):
    assert codes(shop.ask("desk:Ticket:t-001", focus=focus)) == []


def test_each_name_is_told_once_and_twenty_at_most(shop):
    focus = " ".join(f"t-1{number:02d} t-1{number:02d}" for number in range(30))
    assert len(shop.ask("desk:Ticket:t-001", focus=focus).unknowns) == 20


def test_what_is_beyond_the_lens_is_said_where_the_focus_asks_for_it(shop):
    envelope = shop.ask("desk:Ticket:t-001", focus="Is it in STOCK, and at what price?")
    assert [(u.code, u.message) for u in envelope.unknowns] == [
        ("out_of_lens", "beyond the lens work: what is sold")
    ]
    assert ids(envelope) == {"t-001", "p1"}
    assert codes(shop.ask("desk:Ticket:t-001", focus="restocked")) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('names: [{kind: Tikcet, like: "t-000"}]', "no kind 'Tikcet'"),
        ("names: [{kind: Ticket, like: abc}]", "must hold at least three 0"),
        ("beyond: [{words: [], says: x}]", "must not be empty"),
    ],
)
def test_check_refuses_what_could_not_be_looked_for(tmp_path: Path, line: str, said: str):
    shop = Shop(tmp_path)
    shop.write()
    shop.lens(lambda text: f"{text}{line}\n")
    world, findings = check_world(shop.folder)
    assert world is None
    assert any(said in str(finding) for finding in findings), findings


@pytest.mark.promise("P43")
def test_a_record_is_nearer_to_the_focus_by_what_leads_to_it(tmp_path: Path):
    """Both people are two hops away; the one whose ticket speaks of the brake comes first."""
    shop = Shop(tmp_path)
    shop.ticket(0).update(after=["t2", "t3"], person=None)
    shop.ticket(1).update(person="p1")
    shop.desk["tickets"].append({**shop.ticket(1), "id": "t3", "text": "The brake.", "person": "p2"})
    path = shop.folder / "lenses" / "work" / "query.lens"
    path.write_text(
        "MATCH (subject {id: $subject})\n"
        "OPTIONAL MATCH p = (subject)-[:FOLLOWS]->(:Ticket)-[:ASKED_BY]->(:Person)\n"
        "RETURN subject, collect(p) AS people\n",
        encoding="utf-8",
    )
    shop.lens(lambda text: text.replace("expect:", "unused:").split("unused:")[0])
    shop.build()

    def people(focus: str | None) -> list[str]:
        facts = shop.ask(focus=focus).facts
        return [f.coordinate.entity_id for f in facts if f.coordinate.entity_type == "Person"]

    assert (people(None), people("the brake")) == (["p1", "p2"], ["p2", "p1"])
