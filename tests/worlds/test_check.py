"""Every fault of a world's folder is reported with file, line and field, and all of them at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lens_dsl.errors import ConfigurationError
from lens_runtime.worlds.folder import check_world, load_world
from tests.worlds.sample import FILES, write_world

ASKS = "asks: {from: Person, to: Ticket, owner: desk, visibility: internal, properties: [via]}"

# file, what stands there, what is written instead, line, field, part of the message
BROKEN = [
    ("world", "id: desk", "id: Desk!", 1, "id", "must be lower-case letters, digits, _ and -"),
    ("world", "title: A desk", "titel: A desk", 2, "titel", "unknown field; did you mean title?"),
    ("world", "title: A desk\n", "", 1, "title", "is missing"),
    ("world", "contexts: [main, eu]", "contexts: main", 3, "contexts", "must be a list"),
    ("world", "title: A desk", "title: A desk\ntitle: B", 3, "title", "stands twice, first on line 2"),
    ("world", "title: A desk", "title: [A desk", 3, "(file)", "no valid YAML"),
    ("world", "title: A desk", "title: &a A desk\ntool: *a", 3, "tool", "aliases"),
    ("world", "title: A desk", "title: !!binary aGk=", 2, "title", "is not supported"),
    ("world", "title: A desk", "title: A desk\n5: x", 3, "5", "a name must be text"),
    ("world", "title: A desk", "title: A desk\ngenerator: nothing", 3, "generator", "package.module:function"),
    ("ontology", "module: desk", "module: dsk", 8, "kinds.Ticket.module", "did you mean desk?"),
    ("ontology", "    module: desk\n", "", 7, "kinds.Ticket.module", "is missing: the module that owns"),
    ("ontology", "indexed: [team]", "indexd: [team]", 9, "kinds.Ticket.indexd", "did you mean indexed?"),
    ("ontology", "indexed: [team]", "indexed: [team, 5]", 9, "kinds.Ticket.indexed[1]", "must be text"),
    ("ontology", "untrusted: [text]", "untrusted: [txt]", 12, "kinds.Ticket.untrusted[0]", "did you mean text?"),
    ("ontology", "{{ name }}", "{{ nam }}", 6, "kinds.Person.label", "names 'nam', which is no property"),
    ("ontology", "{{ name }}", "{{ name", 6, "kinds.Person.label", "does not compile"),
    ("ontology", "to: Ticket", "to: Tiket", 14, "relationships.asks.to", "did you mean Ticket?"),
    ("ontology", "from: Person", "from: [Person, X]", 14, "relationships.asks.from[1]", "no kind 'X'"),
    ("ontology", "owner: desk", "owner: mail", 14, "relationships.asks.owner", "neither a source nor a target"),
    ("ontology", "visibility: internal", "visibility: secret", 14, "relationships.asks.visibility", "no class"),
    ("ontology", "relationships:", "  ASKS: {module: desk}\n  asks: {module: desk}\nrelationships:", 14,
     "kinds.asks", "upper and lower case"),
    ("modules", "{json: people.json}\n  records:\n    P", "{json: no.json}\n  records:\n    P", 2,
     "people.source.json", "there is no such file"),
    ("modules", "{json: people.json}\n  records:\n    P", "{csv: a, json: b}\n  records:\n    P", 2,
     "people.source", "exactly one of"),
    ("modules", "{json: people.json}\n  records:\n    P", "{generated: x.db}\n  records:\n    P", 2,
     "people.source.generated", "names no generator"),
    ("modules", "    Person: {", "    Persn: {", 4, "people.records.Persn", "did you mean Person?"),
    ("modules", 'each: "people.*", id', "table: t, id", 4, "people.records.Person.each", "is missing"),
    ("modules", 'each: "people.*", id', 'each: "people", id', 4, "people.records.Person.each", "has no '*'"),
    ("modules", "visibility: internal", "visibility: hidden", 4, "people.records.Person.visibility", "no class"),
    ("modules", "visibility: internal, ", "", 4, "people.records.Person.visibility", "is missing: a class"),
    ("modules", "{{ region }}", "us", 4, "people.records.Person.context", "no context 'us' in world.yml"),
    ("modules", "{{ class }}", "{{ class", 8, "desk.records.Ticket.visibility", "does not compile"),
    ("modules", "visibility: internal", "visibility: internal, fields: {nme: name}", 4,
     "people.records.Person.fields.nme", "did you mean name?"),
    ("modules", "visibility: internal", "visibility: internal, fields: {id: x}", 4,
     "people.records.Person.fields.id", "the mapping's own 'id'"),
    ("modules", "visibility: internal", "visibility: internal, types: {a: date}", 4,
     "people.records.Person.types.a", "should be 'int'"),
    ("modules", "visibility: internal", 'visibility: internal, computed: {name: "a.b:c"}', 4,
     "people.records.Person.computed.name", "no label or summary may show it"),
    ("modules", 'visibility: "{{ class }}"', 'visibility: "{{ class }}", computed: {state: "a:b"}', 8,
     "desk.records.Ticket.computed.state", "only list it under 'hydrated'"),
    ("modules", 'visibility: "{{ class }}"', 'visibility: "{{ class }}", computed: {stat: "a:b"}', 8,
     "desk.records.Ticket.computed.stat", "did you mean state?"),
    ("modules", 'visibility: "{{ class }}"', 'visibility: "{{ class }}", computed: {text: ab}', 8,
     "desk.records.Ticket.computed.text", "package.module:function"),
    ("modules", "    asks: {", "    askes: {", 10, "desk.relationships.askes", "did you mean asks?"),
    ("modules", "to: id", "to: id, to_kind: Person", 10, "desk.relationships.asks.to_kind", "known are: Ticket"),
    ("modules", "to: id, fields", "fields", 10, "desk.relationships.asks[0].to", "is missing: the path"),
    ("modules", "{via: channel}", "{vai: channel}", 10, "desk.relationships.asks.fields.vai", "did you mean via?"),
    ("policy", "kinds: [Person, Ticket]", "kinds: [Person, Tiket]", 5, "roles.agent.kinds[1]",
     "did you mean Ticket?"),
    ("policy", "modules: [desk]", "modules: [dsk]", 8, "roles.lead.modules[0]", "did you mean desk?"),
    ("policy", "classes: [internal]", "classes: [secret]", 6, "roles.agent.classes[0]", "no class 'secret'"),
    ("policy", "kind: Ticket", "kind: Tiket", 7, "roles.agent.rules[0].kind", "did you mean Ticket?"),
    ("policy", "field: team", "field: teem", 7, "roles.agent.rules[0].when.field", "did you mean team?"),
    ("policy", "in: actor.teams", "in: actor.teams, is: actor.a", 7, "roles.agent.rules[0].when", "exactly one guard"),
    ("policy", "in: actor.teams", "in: teams", 7, "roles.agent.rules[0].when.in", "write actor.NAME"),
    ("policy", "actor.teams}}", "actor.teams}}, {kind: Ticket, when: {field: team, is: actor.t}}", 7,
     "roles.agent.rules[1].kind", "a kind has at most one guard"),
    ("policy", 'kinds: "*"', 'kinds: "*", rules: [{kind: Ticket, when: {field: state, is: actor.s}}]', 8,
     "roles.lead.rules[0].when.field", "guards Ticket by 'team'"),
    ("policy", "roles: [lead]", "roles: [leed]", 11, 'actors.lead:mia.roles[0]', "did you mean lead?"),
    ("policy", "{teams: [returns]}", "{teams: returns}", 10, "actors.agent:ana.attrs.teams", "needs a list"),
    ("policy", "{teams: [returns]}", f"{{teams: {list(range(17))}}}", 10, "actors.agent:ana.attrs.teams", "at most 16"),
    ("policy", "{teams: [returns]}", "{teams: {a: b}}", 10, "actors.agent:ana.attrs.teams", "should be text"),
    ("policy", "people:Person:p1", "p1", 10, "actors.agent:ana.principal", "module:Kind:ID"),
    ("policy", "people:Person:p1", "desk:Person:p1", 10, "actors.agent:ana.principal", "belongs to module 'people'"),
    ("policy", '["agent:ana"]', '["agent:anna"]', 12, "may_act_as[0]", "did you mean agent:ana?"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "line", "field", "message"), BROKEN)
def test_a_fault_is_reported_where_it_stands(tmp_path, file, old, new, line, field, message):
    world, findings = check_world(write_world(tmp_path, None, **{file: (old, new)}))
    assert world is None
    found = [f for f in findings if (f.file, f.line, f.field) == (f"{file}.yml", line, field)]
    assert found, [str(f) for f in findings]
    assert any(message in f.message for f in found), [str(f) for f in found]


@pytest.mark.parametrize("name", ["world.yml", "ontology.yml", "modules.yml", "policy.yml"])
def test_a_file_that_is_no_map_is_told_in_words_of_the_file(tmp_path, name):
    (write_world(tmp_path) / name).write_text("- a\n", encoding="utf-8")
    _, findings = check_world(tmp_path)
    assert next(f.message for f in findings if f.file == name) == "must be a map (key: value)"


@pytest.mark.promise("P11")
@pytest.mark.parametrize("field", ["from", "to", "owner", "visibility"])
def test_a_relationship_type_without_owner_direction_or_visibility_is_refused(tmp_path, field):
    parts = {"from": "from: Person, ", "to": "to: Ticket, ", "owner": "owner: desk, "}
    dropped = ASKS.replace(parts.get(field, "visibility: internal, "), "")
    world, findings = check_world(write_world(tmp_path, ontology=(ASKS, dropped)))
    assert world is None
    assert [(f.file, f.line, f.field) for f in findings] == [
        ("ontology.yml", 14, f"relationships.asks.{field}")
    ]
    assert findings[0].message.startswith("is missing: ")


@pytest.mark.promise("P11")
def test_a_relationship_type_that_no_record_asserts_is_refused(tmp_path):
    """Its provenance is the record that it is mapped from, in the module that owns it."""
    mapped = """  relationships:
    asks: {each: "people.*.tickets.*", from: "^.id", to: id, fields: {via: channel}}
"""
    world, findings = check_world(write_world(tmp_path, modules=(mapped, "")))
    assert world is None
    (fault,) = [f for f in findings if f.field == "relationships.asks"]
    assert (fault.file, fault.line) == ("ontology.yml", 14)
    assert fault.message == "no module asserts it: modules.yml has no asks in desk.relationships"


CASES = {name: f"people:Person:p-{name}" for name in ("missing", "stale", "contradictory", "unauthorized")}


@pytest.mark.promise("P69")
@pytest.mark.parametrize(
    ("cases", "field", "message"),
    [
        (None, "relationships.asks.cases", "is missing: in a governed world"),
        *[
            (
                {key: at for key, at in CASES.items() if key != name},
                f"relationships.asks.cases.{name}",
                "a record",
            )
            for name in CASES
        ],
        (CASES | {"stale": "p1"}, "relationships.asks.cases.stale", "write module:Kind:ID"),
        (
            CASES | {"stale": "desk:Ticket:t1"},
            "relationships.asks.cases.stale",
            "no kind that it may start at",
        ),
        (CASES | {"stale": "desk:Person:p1"}, "relationships.asks.cases.stale", "no Person in module 'desk'"),
        (CASES | {"late": "people:Person:p1"}, "relationships.asks.cases.late", "known are: contradictory"),
    ],
)
def test_a_governed_world_refuses_a_type_without_its_four_cases(tmp_path, cases, field, message):
    named = ASKS if cases is None else ASKS.replace("properties", f"cases: {json.dumps(cases)}, properties")
    folder = write_world(
        tmp_path, world=("title: A desk", "title: A desk\ngoverned: true"), ontology=(ASKS, named)
    )
    _, findings = check_world(folder)
    assert [(f.file, f.line, f.field) for f in findings] == [("ontology.yml", 14, field)]
    assert message in findings[0].message


def test_a_governed_world_takes_a_type_with_its_four_cases(tmp_path):
    named = ASKS.replace("properties", f"cases: {json.dumps(CASES)}, properties")
    folder = write_world(
        tmp_path, world=("title: A desk", "title: A desk\ngoverned: true"), ontology=(ASKS, named)
    )
    assert check_world(folder)[1] == ()


def test_faults_of_all_files_come_at_once_and_do_not_breed_others(tmp_path):
    folder = write_world(
        tmp_path,
        world=("title: A desk", "titel: A desk"),
        ontology=("    module: desk\n", ""),
        modules=("id: id, visibility: internal", "visibility: internal"),
        policy=("field: team", "field: teem"),
    )
    _, findings = check_world(folder)
    assert [(f.file, f.line, f.field) for f in findings] == [
        ("world.yml", 1, "title"),
        ("world.yml", 2, "titel"),
        ("ontology.yml", 7, "kinds.Ticket.module"),
        ("modules.yml", 4, "people.records.Person.id"),
    ]


@pytest.mark.parametrize("name", ["world.yml", "ontology.yml", "modules.yml", "policy.yml"])
def test_a_missing_file_is_one_fault(tmp_path, name):
    (write_world(tmp_path) / name).unlink()
    _, findings = check_world(tmp_path)
    assert [str(f) for f in findings] == [f"{name}:1: (file): cannot be read: there is no such file"]


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"{" * 500, b"[" * 500, b"x" * 1_000_001, b"", b"- a\n", b"5"])
@pytest.mark.parametrize("name", ["world.yml", "ontology.yml", "modules.yml", "policy.yml"])
def test_hostile_files_are_reported_and_nothing_breaks(tmp_path, name, raw):
    (write_world(tmp_path) / name).write_bytes(raw)
    world, findings = check_world(tmp_path)
    assert world is None
    assert name in {f.file for f in findings} or raw == b""


def test_a_mapping_that_leaves_a_kind_or_type_out_is_reported(tmp_path):
    text = FILES["modules.yml"]
    short = text[: text.index("desk:")] + "desk: {source: {json: people.json}}\n"
    folder = write_world(tmp_path, {"modules.yml": short})
    _, findings = check_world(folder)
    assert [(f.file, f.line, f.field) for f in findings] == [
        ("ontology.yml", 7, "kinds.Ticket"),
        ("ontology.yml", 14, "relationships.asks"),
    ]


def test_a_sqlite_id_must_be_a_column(tmp_path):
    folder = write_world(
        tmp_path,
        {"people.db": ""},
        modules=('people:\n  source: {json: people.json}\n  records:\n    Person: {each: "people.*", id: id',
                 'people:\n  source: {sqlite: people.db}\n  records:\n    Person: {table: t, id: "{{ id }}"'),
    )  # fmt: skip
    _, findings = check_world(folder)
    assert [(f.line, f.field) for f in findings] == [(4, "people.records.Person.id")]


def test_a_module_without_a_source_does_not_hide_the_faults_of_others(tmp_path):
    folder = write_world(
        tmp_path,
        ontology=("visibility: internal", "visibility: secret"),
        modules=("people:\n  source: {json: people.json}\n", "people:\n"),
        policy=("field: team", "field: teem"),
    )
    _, findings = check_world(folder)
    assert [(f.file, f.field) for f in findings] == [
        ("ontology.yml", "relationships.asks.visibility"),
        ("modules.yml", "people.source"),
        ("policy.yml", "roles.agent.rules[0].when.field"),
    ]


def test_one_of_several_ends_must_be_named(tmp_path):
    folder = write_world(tmp_path, ontology=("to: Ticket", "to: [Ticket, Person]"))
    _, findings = check_world(folder)
    assert [(f.file, f.line, f.field) for f in findings] == [
        ("modules.yml", 10, "desk.relationships.asks.to_kind")
    ]


def test_a_sound_world_is_loaded(tmp_path):
    world = load_world(write_world(tmp_path))
    assert (world.id, world.contexts, list(world.modules)) == ("desk", ("main", "eu"), ["people", "desk"])
    assert world.ontology.kinds["Ticket"].properties == ("id", "team", "state", "text")
    assert world.policy.guards == {"Ticket": "team"}
    assert world.policy.default_actor == "agent:ana"


def test_loading_raises_every_fault(tmp_path):
    folder = write_world(tmp_path, world=("id: desk", "id: 5"), policy=("kind: Ticket", "kind: Tiket"))
    with pytest.raises(ConfigurationError) as caught:
        load_world(folder)
    assert caught.value.code == "InvalidWorld"
    assert [f.file for f in caught.value.findings] == ["world.yml", "policy.yml"]


@pytest.mark.parametrize("name", ["lens_library/able", "runtime/lens_runtime/worlds/starter"])
def test_the_worlds_that_ship_are_sound(name):
    assert check_world(Path(__file__).parents[2] / name)[1] == ()
