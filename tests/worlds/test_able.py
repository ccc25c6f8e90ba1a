"""The demo world: made the same every time, and holding on purpose what a demo and the tests need."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lens_dsl.errors import ConfigurationError
from lens_library.able.generator import generate
from lens_library.able.rows import case_id
from lens_library.able.story import HUB, STORY, TWINS
from lens_library.able.texts import ORDERS_TO_THE_READER
from lens_runtime.ports import Forbidden, Found
from lens_runtime.settings import Settings
from lens_runtime.worlds.address import find_world
from lens_runtime.worlds.build import drop_world, export_world, world_status
from lens_runtime.worlds.folder import load_world
from tests.worlds.building import Ample, Kept, kept

CONTENT = "3caa"


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
    for database, table in (
        ("directory.db", "parties"),
        ("communications.db", "conversations"),
        ("communications.db", "origins"),
        ("helpdesk.db", "cases"),
    ):
        digest.update(repr(rows(folder, database, f"SELECT * FROM {table}")).encode())
    return digest.hexdigest()


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
    assert len(lines) == 6_656
    other.store.close()


@pytest.mark.promise("P1")
def test_a_dropped_graph_is_built_again_from_the_modules(tmp_path, able):
    other = kept(able.world, tmp_path)
    other.build()
    before = content(other.place.modules)
    drop_world(other.store)
    other.build()
    assert content(other.place.modules) == before
    assert list(export_world(other.world, other.store)) == list(export_world(able.world, able.store))
    other.store.close()


@pytest.mark.promise("P3")
def test_building_again_writes_nothing(able):
    assert [changes.total for changes in able.build().modules] == [0, 0, 0]


def test_its_counts(able):
    found = world_status(able.world, able.store)
    assert found.nodes == {"Case": 1_506, "Conversation": 896, "Party": 400}
    assert found.edges == {
        "involves_party": 2_402,
        "originated_from_conversation": 731,
        "routed_to_case": 721,
    }
    assert found.dangling == {"originated_from_conversation": 10}


def test_customer_text_is_in_no_graph_table(able):
    told = "".join(export_world(able.world, able.store))
    bodies = rows(able.place.modules, "communications.db", "SELECT body FROM conversations")
    assert not [body for (body,) in bodies if str(body) in told]
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
