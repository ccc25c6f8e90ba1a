"""Files of cases: what is taken, and what is refused with file, line and field."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from lens_dsl.errors import ConfigurationError
from lens_runtime.evidence.cases import Case, ExpectedUnknown, read_cases
from lens_runtime.graph import Coordinate
from lens_runtime.worlds.folder import load_world
from tests.lenses.shop import Shop

GOOD = {"id": "a", "subject": "desk:Ticket:t1", "needed": ["people:Person:p1"]}
FULL = """\
- id: 7
  subject: {module: desk, entityType: Ticket, entityId: t1}
  actor: ana
  context: main
  focus: "broken"
  needed: ["people:Person:p1", "people:Person:p1"]
  forbidden: ["people:Person:p9"]
  unknowns: [missing_target, {code: nobody_asked, about: "desk:Ticket:t1"}]
  actions: [desk.close]
"""


def read(shop: Shop, text: str, name: str = "cases.yml") -> tuple[Case, ...]:
    shop.write()
    path = shop.folder / name
    path.write_text(text, encoding="utf-8")
    world = load_world(shop.folder)
    return read_cases(path, world, world.lenses["work"])


def faults(shop: Shop, text: str, name: str = "cases.yml") -> list[str]:
    with pytest.raises(ConfigurationError) as raised:
        read(shop, text, name)
    assert raised.value.code == "InvalidCases"
    return [str(finding) for finding in raised.value.findings]


def test_a_case_may_hold_all_of_this(shop: Shop) -> None:
    assert read(shop, FULL) == (
        Case(
            id="7",
            subject=Coordinate("desk", "Ticket", "t1"),
            actor="ana",
            needed=(Coordinate("people", "Person", "p1"),),
            focus="broken",
            forbidden=(Coordinate("people", "Person", "p9"),),
            unknowns=(
                ExpectedUnknown("missing_target"),
                ExpectedUnknown("nobody_asked", Coordinate("desk", "Ticket", "t1")),
            ),
            actions=("desk.close",),
        ),
    )


def test_the_actor_is_the_first_of_may_act_as_unless_named(shop: Shop) -> None:
    (case,) = read(shop, json.dumps([GOOD]), "cases.json")
    assert (case.actor, case.context, case.actions) == ("ana", "main", None)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cases.json", json.dumps([GOOD], indent="\t")),
        ("cases.json", "\ufeff" + json.dumps({"cases": [GOOD]})),
        ("cases.jsonl", json.dumps(GOOD) + "\n\n"),
        ("cases.yaml", "cases:\n- " + json.dumps(GOOD)),
    ],
)
def test_yaml_json_and_json_lines_say_the_same(shop: Shop, name: str, text: str) -> None:
    (case,) = read(shop, text, name)
    assert (case.id, case.needed) == ("a", (Coordinate("people", "Person", "p1"),))


BAD = {**GOOD, "id": "b", "subject": "t1"}


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("c.yml", f"- {json.dumps(GOOD)}\n- id: b\n  subject: t1\n  needed: []\n", 3),
        ("c.yml", f"cases:\n- {json.dumps(GOOD)}\n- id: b\n  subject: t1\n  needed: []\n", 4),
        ("c.jsonl", f"{json.dumps(GOOD)}\n\n{json.dumps(BAD)}\n", 3),
        ("c.json", f"[\n{json.dumps(GOOD)},\n\n{json.dumps(BAD)}]\n", 4),
        ("c.json", f'{{"cases": [{json.dumps(GOOD)},\n{json.dumps(BAD)}]}}', 2),
    ],
)
def test_a_fault_is_told_with_file_line_and_field(shop: Shop, name: str, text: str, line: int) -> None:
    assert faults(shop, text, name) == [
        f"{name}:{line}: [1].subject: must be a coordinate: write module:Type:ID"
    ]


def at(**parts: object) -> dict[str, object]:
    """A change of the subject to a map that is none."""
    return {"subject": {"module": "desk", "entityType": "Ticket", "entityId": "t1", **parts}}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"subject": "desk:Ticket"}, "[0].subject: must be a coordinate"),
        ({"subject": "desk::t1"}, "[0].subject: must be a coordinate"),
        ({"subject": "desk:Ticket:t\0"}, "[0].subject: must be a coordinate: without the character U+0000"),
        (at(entityId=None), "[0].subject: must be a coordinate: write module:Type:ID, or a map of the texts"),
        (at(entityId=5), "[0].subject: must be a coordinate: write module:Type:ID, or a map of the texts"),
        (
            at(module={"a": 1}),
            "[0].subject: must be a coordinate: write module:Type:ID, or a map of the texts",
        ),
        (at(more="x"), "[0].subject: must be a coordinate: write module:Type:ID, or a map of the texts"),
        (at(module="desk:Ticket"), "[0].subject: must be a coordinate: module and entityType are without"),
        ({"subject": "desk:Tickt:t1"}, "[0].subject: Tickt is no kind of ontology.yml; did you mean Ticket?"),
        ({"needed": ["desk:Person:p1"]}, "[0].needed[0]: Person belongs to the module people"),
        ({"needed": "people:Person:p1"}, "[0].needed: must be a list"),
        ({"needed": None}, "[0].needed: must be a list"),
        ({"forbidden": ["people:Persn:p1"]}, "[0].forbidden[0]: Persn is no kind"),
        ({"actor": "eve"}, "[0].actor: eve is no actor of policy.yml"),
        ({"context": "other"}, "[0].context: the world has no context other"),
        ({"unknowns": ["missing"]}, "[0].unknowns[0]: missing is no code of an unknown; did you mean"),
        (
            {"unknowns": [{"about": "desk:Ticket:t1"}]},
            "[0].unknowns[0].code: is missing: a code of an unknown",
        ),
        ({"actions": [3]}, "[0].actions[0]: must be text"),
        ({"need": []}, "[0].need: unknown field; did you mean needed?"),
        ({"id": ""}, "[0].id: must not be empty"),
        ({"id": True}, "[0].id: must be text"),
    ],
)
def test_what_is_malformed_is_refused(shop: Shop, change: dict[str, object], said: str) -> None:
    (fault,) = faults(shop, json.dumps({**GOOD, **change}), "cases.jsonl")
    assert fault.startswith(f"cases.jsonl:1: {said}")


def test_what_is_missing_is_named(shop: Shop) -> None:
    told = faults(shop, "- {}\n")
    assert [line.split(": ")[1] for line in told] == ["[0].id", "[0].subject", "[0].needed"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("c.yml", "", "c.yml:1: (file): must be a list of cases"),
        ("c.yml", "[]", "c.yml:1: (file): holds no case"),
        ("c.yml", "cases: 3", "c.yml:1: (file): must be a list of cases"),
        ("c.yml", "- id: [\n", "c.yml:2: (file): no valid YAML"),
        ("c.jsonl", "\n", "c.jsonl:1: (file): holds no case"),
        ("c.jsonl", json.dumps(GOOD) + "\n{", "c.jsonl:2: (file): no valid JSON"),
        ("c.json", "[\n{]", "c.json:2: (file): no valid JSON"),
        ("c.json", '{"cases": [{"id": "a", "id": "b"}]}', "c.json:1: (file): no valid JSON: id stands twice"),
        ("c.json", "[" * 100_000, "c.json:1: (file): nested too deeply"),
    ],
)
def test_a_file_that_is_none_is_refused(shop: Shop, name: str, text: str, said: str) -> None:
    assert faults(shop, text, name)[0].startswith(said)


def test_a_file_that_is_not_there_or_not_utf_8_is_refused(shop: Shop, tmp_path: Path) -> None:
    shop.write()
    world = load_world(shop.folder)
    (tmp_path / "c.json").write_bytes(b"\xff")
    for name, said in (("none.jsonl", "No such file"), ("none.yml", "no such file"), ("c.json", "not UTF-8")):
        with pytest.raises(ConfigurationError, match=said):
            read_cases(tmp_path / name, world, world.lenses["work"])


@pytest.mark.parametrize(("name", "most"), [("c.yml", 1_000_000), ("c.json", 20_000_000)])
def test_no_more_of_a_file_is_read_than_it_may_have(shop: Shop, tmp_path: Path, name: str, most: int) -> None:
    shop.write()
    world = load_world(shop.folder)
    with (tmp_path / name).open("wb") as file:
        file.truncate(1_000 * most)
    tracemalloc.start()
    try:
        with pytest.raises(ConfigurationError, match=f"larger than {most:,} bytes"):
            read_cases(tmp_path / name, world, world.lenses["work"])
        assert tracemalloc.get_traced_memory()[1] < 3 * most
    finally:
        tracemalloc.stop()


def test_an_id_stands_once(shop: Shop) -> None:
    lines = f"{json.dumps(GOOD)}\n{json.dumps(GOOD)}\n"
    assert faults(shop, lines, "c.jsonl") == ["c.jsonl:2: [1].id: a stands twice, first on line 1"]
