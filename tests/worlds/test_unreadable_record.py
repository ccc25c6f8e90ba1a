"""A record that no longer fits its mapping costs itself alone: the others come, and the answer says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lens_runtime.assembly import build, open_session
from lens_runtime.settings import Settings
from tests.worlds.sample import write_world

TICKETS = "MATCH (p:Person {id: 'p1'})-[:asks]->(t:Ticket) RETURN t.id ORDER BY t.id"
VISIBLE = 'visibility: "{{ class }}"'
MAPPED = {"modules": (VISIBLE, 'fields: {text: "{{ note.text }}"}, ' + VISIBLE)}


def people(*notes: object) -> str:
    tickets = [
        {"id": f"t{place}", "class": "internal", "team": "returns", "note": note, "channel": "mail"}
        for place, note in enumerate(notes, 1)
    ]
    person = {"id": "p1", "email": "p1@example.com", "name": "Jo", "region": "main", "tickets": tickets}
    return json.dumps({"people": [person]})


@pytest.mark.promise("P56")
def test_it_is_an_unknown_and_the_others_are_given(tmp_path: Path) -> None:
    sound = people({"text": "a"}, {"text": "b"})
    folder = write_world(tmp_path / "desk", {"people.json": sound}, **MAPPED)
    settings = Settings(home=tmp_path / "home")
    build(str(folder), settings=settings)
    (folder / "people.json").write_text(people({"text": "a"}, {"other": "secret"}), encoding="utf-8")
    with open_session(str(folder), actor="agent:ana", settings=settings) as session:
        result = session.query(TICKETS)
        envelope = session.envelope(result)
    assert result.rows == (("t1",),)
    assert [cut.ceiling for cut in result.cuts] == ["source"]
    assert [unknown.code for unknown in envelope.unknowns] == ["source_unavailable"]
    assert "secret" not in envelope.model_dump_json()
