"""A world of two JSON files that a test edits between building and asking, with one lens."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lens_runtime.assembly import build, open_session
from lens_runtime.envelope import ContextEnvelope
from lens_runtime.envelope.shape import Fact, Link
from lens_runtime.session import Session
from lens_runtime.settings import Settings

FILES: Mapping[str, str] = {
    "world.yml": "id: shop\ntitle: A shop\n",
    "ontology.yml": """\
kinds:
  Person: {module: people, hydrated: [name], label: "{{ name }}"}
  Ticket:
    module: desk
    indexed: [team]
    projected: [state]
    hydrated: [text]
    untrusted: [text]
relationships:
  asked_by: {from: Ticket, to: Person, owner: desk, visibility: internal, functional: true}
  follows: {from: Ticket, to: Ticket, owner: desk, visibility: internal}
  mentions: {from: Ticket, to: Person, owner: desk, visibility: internal}
""",
    "modules.yml": """\
people:
  source: {json: people.json}
  records:
    Person: {each: "people.*", id: id, visibility: "{{ class }}"}
desk:
  source: {json: desk.json}
  records:
    Ticket: {each: "tickets.*", id: id, visibility: internal}
  relationships:
    asked_by:
      - {each: "tickets.*", from: id, to: person}
      - {each: "tickets.*", from: id, to: other}
    follows: {each: "tickets.*.after.*", from: "^.id", to: .}
    mentions: {each: "mentions.*", from: ticket, to: person}
""",
    "policy.yml": """\
classes: [internal, secret]
roles:
  agent:
    modules: "*"
    kinds: "*"
    classes: [internal]
    rules: [{kind: Ticket, when: {field: team, in: actor.teams}}]
actors:
  ana: {roles: [agent], attrs: {teams: [red]}}
may_act_as: [ana]
""",
    "lenses/work/lens.yml": """\
name: work
purpose: Decide about a ticket.
owner: desk
subject_kinds: [Ticket, Person]
allow:
  - {type: asked_by, dir: both}
  - {type: follows, dir: out}
  - {type: mentions, dir: out}
max_nodes: 12
fanout: 8
max_age_s: 60
weights: {Person: 2}
expect:
  - {pattern: "(subject)-[:ASKED_BY]->(:Person)", code: nobody_asked}
next_actions:
  - {name: desk.close, when: "subject.state = 'open'"}
  - {name: desk.reopen, when: "subject.state = 'closed'"}
""",
    "lenses/work/query.lens": """\
MATCH (subject {id: $subject})
OPTIONAL MATCH by = (subject)-[:ASKED_BY]->(:Person)
WITH subject, collect(by) AS people
OPTIONAL MATCH old = (subject)-[:FOLLOWS*1..2]->(:Ticket)
WITH subject, people, collect(old) AS before
OPTIONAL MATCH said = (subject)-[:MENTIONS]->(:Person)
WITH subject, people, before, collect(said) AS mentioned
OPTIONAL MATCH asked = (subject)<-[:ASKED_BY]-(:Ticket)
RETURN subject, people, before, mentioned, collect(asked) AS tickets
""",
}
PEOPLE = {
    "people": [
        {"id": "p1", "name": "Ida", "class": "internal"},
        {"id": "p2", "name": "Ole", "class": "internal"},
        {"id": "p9", "name": "Hidden Hand", "class": "secret"},
    ]
}
DESK: dict[str, list[dict[str, Any]]] = {
    "tickets": [
        {
            "id": "t1",
            "team": "red",
            "state": "open",
            "text": "It broke.",
            "person": "p1",
            "other": None,
            "after": [],
        },
        {
            "id": "t2",
            "team": "red",
            "state": "closed",
            "text": "Old.",
            "person": "p1",
            "other": None,
            "after": [],
        },
        {
            "id": "t9",
            "team": "blue",
            "state": "open",
            "text": "Secret.",
            "person": "p1",
            "other": None,
            "after": [],
        },
    ],
    "mentions": [],
}


class Shop:
    """The world's folder, its data, and what the lens says about it."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "shop"
        self.people: dict[str, Any] = copy.deepcopy(PEOPLE)
        self.desk: dict[str, Any] = copy.deepcopy(DESK)
        self._settings = Settings(home=root / "home", now=datetime(2026, 7, 1, 12, tzinfo=UTC))
        for name, text in FILES.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text, encoding="utf-8")

    def ticket(self, number: int) -> dict[str, Any]:
        """The ticket of that position, to be changed."""
        found: dict[str, Any] = self.desk["tickets"][number]
        return found

    def write(self) -> None:
        """Bring the modules' files to the data: the projection does not know."""
        for name, value in (("people.json", self.people), ("desk.json", self.desk)):
            (self.folder / name).write_text(json.dumps(value), encoding="utf-8")

    def build(self) -> None:
        """Bring modules and projection to the data."""
        self.write()
        build(str(self.folder), settings=self._settings)

    def lens(self, change: Callable[[str], str]) -> None:
        """Change lens.yml."""
        path = self.folder / "lenses" / "work" / "lens.yml"
        path.write_text(change(path.read_text("utf-8")), encoding="utf-8")

    def session(self) -> Session:
        """A session as ana."""
        return open_session(str(self.folder), actor="ana", settings=self._settings)

    def ask(self, subject: str = "desk:Ticket:t1", **more: Any) -> ContextEnvelope:
        """The lens's envelope as ana, in a session of its own."""
        with self.session() as session:
            return session.context("work", subject, **more)


def ids(envelope: ContextEnvelope) -> set[str]:
    """The ids of the facts."""
    return {fact.coordinate.entity_id for fact in envelope.facts}


def fact(envelope: ContextEnvelope, entity_id: str) -> Fact:
    """The one fact of that id."""
    (found,) = [each for each in envelope.facts if each.coordinate.entity_id == entity_id]
    return found


def links(envelope: ContextEnvelope, type_: str) -> list[Link]:
    """The relationships of a type."""
    return [link for link in envelope.relationships if link.type == type_]


def codes(envelope: ContextEnvelope) -> list[str]:
    """The codes of the unknowns, in order."""
    return [unknown.code for unknown in envelope.unknowns]
