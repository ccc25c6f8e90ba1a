"""The demo world: made the same every time, and holding on purpose what a demo and the tests need."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lens_dsl.errors import ConfigurationError
from lens_library.able.generator import generate
from lens_library.able.generator import rows as generated_rows
from lens_library.able.rows import case_id
from lens_library.able.story import HUB, STORY, TWINS
from lens_library.able.tables import DATABASES
from lens_library.able.texts import ORDERS_TO_THE_READER
from lens_library.able.tools import set_city
from lens_runtime.clock import FixedClock
from lens_runtime.graph import Coordinate
from lens_runtime.ports import Forbidden, Found
from lens_runtime.projection.identity import node_id
from lens_runtime.settings import Settings
from lens_runtime.worlds.address import find_world
from lens_runtime.worlds.build import drop_world, export_world, world_status
from lens_runtime.worlds.folder import load_world
from tests.worlds.building import Ample, Kept, kept

CONTENT = "9170"


@pytest.fixture(scope="module")
def able(tmp_path_factory) -> Iterator[Kept]:
    folder = find_world("able", Settings())
    built = kept(load_world(folder), tmp_path_factory.mktemp("able"))
    built.build()
    yield built
    built.store.close()


def rows(folder: Path, database: str, statement: str) -> list[tuple[object, ...]]:
    with closing(apsw.Connection(str(folder / database), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        return list(connection.execute(statement))


def content(folder: Path) -> str:
    digest = hashlib.sha256()
    for database in DATABASES:
        for table in database.tables:
            lines = rows(
                folder, database.file, f"SELECT * FROM {table.name} ORDER BY {', '.join(table.columns)}"
            )
            digest.update(repr((table.name, lines)).encode())
    return digest.hexdigest()


def answers(able: Kept) -> dict[Coordinate, object]:
    """What every module says of each of its records to agent:ana."""
    ana = able.world.policy.actor("agent:ana")
    said: dict[Coordinate, object] = {}
    for name, reader in able.readers.items():
        ids: dict[str, list[str]] = {}
        for node in reader.snapshot().nodes:
            ids.setdefault(node.coordinate.entity_type, []).append(node.coordinate.entity_id)
        for kind, found in ids.items():
            read = reader.read(ana, "main", kind, found, Ample())
            said |= {Coordinate(name, kind, key): answer for key, answer in read.items()}
    return said


def graph_text(graph: Path) -> str:
    """Every different text in the tables of a graph, save the full-text index, which has only words."""
    tables = """SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name LIKE 'context!_%' ESCAPE '!' AND name NOT LIKE 'context!_text%' ESCAPE '!'"""
    texts: set[str] = set()
    for (name,) in rows(graph.parent, graph.name, tables):
        for row in rows(graph.parent, graph.name, f"SELECT * FROM {name}"):
            texts.update(cell for cell in row if isinstance(cell, str))
    return "\n".join(texts)


def test_it_is_made_the_same_every_time(tmp_path, able):
    generate(tmp_path, "small")
    assert content(tmp_path) == content(able.place.modules)
    assert content(tmp_path)[:4] == CONTENT, "the demo world changed: notebooks and docs quote it"


def test_an_unknown_size_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="did you mean small"):
        generate(tmp_path, "smal")


def test_two_builds_export_the_same_lines(tmp_path, able):
    other = kept(able.world, tmp_path)
    other.build()
    lines = list(export_world(able.world, able.store))
    assert lines == list(export_world(other.world, other.store))
    assert len(lines) == 12_930
    other.store.close()


@pytest.mark.promise("P1", "P2", "P17", "P18")
def test_without_a_graph_the_modules_work_the_same_and_bring_it_back(tmp_path, able):
    other = kept(able.world, tmp_path)
    other.build()
    before, said = content(other.place.modules), answers(other)
    assert set(map(type, said.values())) == {Found, Forbidden}
    drop_world(other.store)
    assert answers(other) == said
    other.build()
    assert content(other.place.modules) == before
    assert list(export_world(other.world, other.store)) == list(export_world(able.world, able.store))
    other.store.close()
    for file in tmp_path.glob("graph.db*"):
        file.unlink()
    assert set_city(other.place.modules, STORY, "2", "Oslo", FixedClock(1_782_900_000_000)) == "3"
    assert answers(other) != said


@pytest.mark.promise("P15")
def test_a_label_and_a_summary_are_those_that_the_module_gives(able):
    nodes = [json.loads(line).get("node") for line in export_world(able.world, able.store)]
    stored = {node["id"]: (node["label"], node["summary"]) for node in nodes if node}
    said = {at: answer for at, answer in answers(able).items() if isinstance(answer, Found)}
    assert len(said) > 4_000
    for at, answer in said.items():
        assert stored[node_id(able.world.id, "main", at)] == (answer.label, answer.summary)
        assert (answer.summary is None) == (able.world.ontology.kinds[at.entity_type].summary is None)


@pytest.mark.promise("P3")
def test_building_again_writes_nothing(able):
    assert [changes.total for changes in able.build().modules] == [0] * 6


def test_its_counts(able):
    found = world_status(able.world, able.store)
    assert found.nodes == {
        "Activity": 465,
        "Case": 1_514,
        "Chunk": 385,
        "Conversation": 904,
        "Document": 32,
        "FollowUp": 289,
        "KnowledgeArticle": 23,
        "Observation": 544,
        "Operation": 333,
        "Party": 408,
        "Relationship": 248,
        "SalesLead": 168,
    }
    assert found.edges == {
        "PART_OF": 386,
        "evidenced_by": 725,
        "involves_party": 2_860,
        "observed_by": 543,
        "originated_from_conversation": 848,
        "records_activity": 486,
        "routed_to_case": 730,
        "routed_to_sales_lead": 112,
        "scheduled_followup": 286,
        "suggested_knowledge": 310,
        "tracked_by_operation": 331,
    }
    assert set(found.dangling) == set(found.edges)
    assert (found.dangling["originated_from_conversation"], found.dangling["records_activity"]) == (12, 25)


@pytest.mark.promise("P13")
def test_its_vocabulary_is_the_ten_types_and_what_aggregates_need(able):
    declared = able.world.ontology.relationships
    virtual = {name for name, each in declared.items() if each.producer is not None}
    assert virtual == {"HAS_SUMMARY"}
    assert set(declared) - virtual - {"PART_OF"} == {
        "involves_party",
        "originated_from_conversation",
        "routed_to_case",
        "routed_to_sales_lead",
        "records_activity",
        "scheduled_followup",
        "evidenced_by",
        "tracked_by_operation",
        "observed_by",
        "suggested_knowledge",
    }


@pytest.mark.promise("P19")
def test_its_kinds_are_all_projected(able):
    declared = able.world.ontology.kinds
    assert set(world_status(able.world, able.store).nodes) == set(declared) - {"Summary"}
    assert {kind.module for kind in declared.values()} == set(able.world.modules)


def test_a_larger_size_holds_the_small_one_and_more_of_its_like():
    first, second = list(generated_rows(0)), list(generated_rows(1))
    records = [{row.id for row in block if hasattr(row, "id")} for block in (first, second)]
    assert not records[0] & records[1]
    assert 5_000 < len(records[0]) < 5_600
    assert 4_900 < len(records[1]) < 5_300
    assert any(getattr(row, "party_id", None) == HUB for row in second)


@pytest.mark.promise("P16")
def test_customer_text_is_in_no_graph_table(able):
    told = graph_text(able.place.graph)
    assert "Maria Keller" in told
    for database, statement in (
        ("communications.db", "SELECT body FROM conversations"),
        ("knowledge.db", "SELECT text FROM chunks"),
        ("crm.db", "SELECT DISTINCT note FROM activities"),
        ("operations.db", "SELECT DISTINCT detail FROM observations"),
    ):
        assert not [text for (text,) in rows(able.place.modules, database, statement) if str(text) in told]
    assert "SYSTEM:" not in told


def test_there_is_a_hub(able):
    count = "SELECT count(*) FROM {} WHERE party_id = '" + HUB + "'"
    assert rows(able.place.modules, "helpdesk.db", count.format("cases"))[0][0] == 318
    assert rows(able.place.modules, "communications.db", count.format("conversations"))[0][0] == 194


def test_two_people_only_look_alike(able):
    where = f"SELECT name, email, city FROM parties WHERE id IN {TWINS}"
    (first, second) = rows(able.place.modules, "directory.db", where)
    assert first[0] == second[0]
    assert {first[1], first[2]}.isdisjoint({second[1], second[2]})
    same = "SELECT count(*) FROM parties WHERE name = 'Maria Keller'"
    assert rows(able.place.modules, "directory.db", same) == [(2,)]


def test_some_customers_give_orders_to_whoever_reads(able):
    bodies = [
        str(body)
        for (body,) in rows(able.place.modules, "communications.db", "SELECT body FROM conversations")
    ]
    assert all(any(order in body for body in bodies) for order in ORDERS_TO_THE_READER)


def test_some_documents_are_long_and_one_passage_gives_orders(able):
    words = """SELECT d.id, sum(length(h.text) - length(replace(h.text, ' ', '')) + 1) AS words
        FROM documents d JOIN chunks h ON h.document_id = d.id GROUP BY 1 HAVING words > 3000"""
    assert [key for key, _ in rows(able.place.modules, "knowledge.db", words)] == [
        "d-0001",
        "d-0002",
        "d-0003",
        "d-0004",
    ]
    texts = [str(text) for (text,) in rows(able.place.modules, "knowledge.db", "SELECT text FROM chunks")]
    assert any(order in text for text in texts for order in ORDERS_TO_THE_READER)


def test_classes_and_teams_are_all_there(able):
    teams = rows(able.place.modules, "helpdesk.db", "SELECT DISTINCT team FROM cases ORDER BY 1")
    assert teams == [("billing",), ("logistics",), ("returns",)]
    count = "SELECT visibility, count(*) FROM conversations GROUP BY 1 ORDER BY 1"
    classes = rows(able.place.modules, "communications.db", count)
    assert [name for name, n in classes if int(str(n)) > 20] == ["internal", "public", "restricted"]


@pytest.mark.promise("P51")
@pytest.mark.parametrize(
    ("actor", "seen"),
    [
        ("agent:ana", {"returns": 2}),
        ("agent:ben", {"billing": 2, "logistics": 1}),
        ("lead:mia", {"returns": 3, "billing": 2, "logistics": 1}),
    ],
)
def test_one_customer_shows_each_actor_other_cases(able, actor, seen):
    ids = [case_id(number) for number in range(1_501, 1_507)]
    answers = able.readers["helpdesk"].read(able.world.policy.actor(actor), "main", "Case", ids, Ample())
    found = [answer for answer in answers.values() if isinstance(answer, Found)]
    assert Counter(answer.fields["team"] for answer in found) == seen
    assert len(found) + sum(isinstance(answer, Forbidden) for answer in answers.values()) == 6
    cases = f"SELECT id FROM cases WHERE party_id = '{STORY}'"
    assert sorted(rows(able.place.modules, "helpdesk.db", cases)) == [(key,) for key in ids]


def test_one_case_of_that_customer_names_a_conversation_that_was_deleted(able):
    dangling = """SELECT case_id FROM origins WHERE case_id BETWEEN 'c-1501' AND 'c-1506'
        AND conversation_id NOT IN (SELECT id FROM conversations)"""
    assert rows(able.place.modules, "communications.db", dangling) == [("c-1504",)]


def test_nothing_changes_before_it_is_opened(able):
    wrong = rows(able.place.modules, "helpdesk.db", "SELECT id FROM cases WHERE changed_at < opened_at")
    assert wrong == []
