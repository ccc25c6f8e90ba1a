"""A small sound world that tests break in one place at a time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FILES: Mapping[str, str] = {
    "world.yml": """\
id: desk
title: A desk
contexts: [main, eu]
""",
    "ontology.yml": """\
kinds:
  Person:
    module: people
    key: [id, email]
    hydrated: [name]
    label: "{{ name }}"
  Ticket:
    module: desk
    indexed: [team]
    projected: [state]
    hydrated: [text]
    untrusted: [text]
relationships:
  asks: {from: Person, to: Ticket, owner: desk, visibility: internal, properties: [via]}
""",
    "modules.yml": """\
people:
  source: {json: people.json}
  records:
    Person: {each: "people.*", id: id, visibility: internal, context: "{{ region }}"}
desk:
  source: {json: people.json}
  records:
    Ticket: {each: "people.*.tickets.*", id: id, visibility: "{{ class }}", context: "{{ parent.region }}"}
  relationships:
    asks: {each: "people.*.tickets.*", from: "^.id", to: id, fields: {via: channel}}
""",
    "policy.yml": """\
classes: [public, internal]
roles:
  agent:
    modules: "*"
    kinds: [Person, Ticket]
    classes: [internal]
    rules: [{kind: Ticket, when: {field: team, in: actor.teams}}]
  lead: {modules: [desk], kinds: "*", classes: [public, internal]}
actors:
  "agent:ana": {roles: [agent], attrs: {teams: [returns]}, principal: "people:Person:p1"}
  "lead:mia": {roles: [lead]}
may_act_as: ["agent:ana"]
""",
    "people.json": '{"people": []}\n',
}


def write_world(folder: Path, files: Mapping[str, str] | None = None, **changes: tuple[str, str]) -> Path:
    """The sample world in a folder; ``modules=(old, new)`` changes one passage of modules.yml."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {**FILES, **(files or {})}.items():
        old, new = changes.get(name.removesuffix(".yml"), ("", ""))
        assert text.count(old) == 1 or not old, f"{old!r} is not once in {name}"
        (folder / name).write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return folder
