"""The change feed of a module's database: its triggers, its reader, and builds that go on from a cursor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lens_dsl.errors import ConfigurationError
from lens_runtime.adapters.readers import open_readers
from lens_runtime.ports import ModuleReader
from lens_runtime.projection.states import Change, Position
from lens_runtime.worlds.build import export_world, world_status
from lens_runtime.worlds.feeds import feed_statements, install_feed
from lens_runtime.worlds.folder import check_world, load_world
from lens_runtime.worlds.lag import lags
from tests.worlds.building import Kept, kept

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "world.yml": "id: talk\ntitle: Talk\ncontexts: [main, eu]\n",
    "ontology.yml": """\
kinds:
  Person: {module: people, projected: [city], label: "{{ id }}"}
  Talk: {module: talks, projected: [about], label: "{{ about }}"}
relationships:
  of: {from: Talk, to: Person, owner: talks, visibility: open}
  led_to: {from: Person, to: Talk, owner: talks, visibility: open}
""",
    "modules.yml": """\
people:
  source: {sqlite: people.db, feed: changes}
  records:
    Person: {table: people, id: id, visibility: "{{ class }}", revision: revision}
talks:
  source: {sqlite: talks.db, feed: news}
  records:
    Talk:
      table: long_talks
      base: talks
      id: id
      visibility: open
      context: "{{ region }}"
      revision: revision
      observed_at: at
  relationships:
    of:
      - {table: talks, from: id, to: person}
      - {table: guests, from: talk, to: person, observed_at: at}
    led_to: {table: origins, from: person, to: talk}
""",
    "policy.yml": """\
classes: [open, closed]
roles: {all: {modules: "*", kinds: "*", classes: [open, closed]}}
actors: {ana: {roles: [all]}}
""",
}
TABLES = {
    "people.db": "CREATE TABLE people (id TEXT PRIMARY KEY, city TEXT, class TEXT NOT NULL, revision INTEGER NOT NULL)",
    "talks.db": """CREATE TABLE talks (id INTEGER PRIMARY KEY, about TEXT, person TEXT, region TEXT NOT NULL,
        revision INTEGER NOT NULL, at TEXT);
      CREATE TABLE guests (talk INTEGER, person TEXT, at TEXT); CREATE TABLE origins (person TEXT, talk INTEGER);
      CREATE VIEW long_talks AS SELECT t.*, (SELECT count(*) FROM guests WHERE talk = t.id) AS n FROM talks t""",
}
FIRST = {
    "people.db": "INSERT INTO people VALUES ('a', 'Ulm', 'open', 1), ('b', 'Graz', 'closed', 1)",
    "talks.db": """INSERT INTO talks VALUES (1, 'bikes', 'a', 'main', 1, '2026-01-01');
      INSERT INTO talks VALUES (2, 'bells', '', 'main', 4, NULL);
      INSERT INTO guests VALUES (1, 'b', '2026-01-02'), (1, 'a', '2026-01-03'), (2, NULL, NULL);
      INSERT INTO origins VALUES ('b', 2), ('a', 7)""",
}


class Talks:
    """The world, its databases and its graph."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in FILES.items():
            (folder / name).write_text(text, encoding="utf-8")
        for name in TABLES:
            (folder / name).touch()
        world = load_world(folder)
        for name, statement in TABLES.items():
            self.run(name, statement, FIRST[name])
            install_feed(folder / name, world.modules[name.removesuffix(".db")], world.ontology)
        self.kept: Kept = kept(world, folder / "graph")

    def run(self, database: str, *statements: str) -> None:
        with closing(apsw.Connection(str(self.folder / database))) as connection:
            for statement in statements:
                connection.execute(statement)

    def reader(self, module: str) -> ModuleReader:
        return open_readers(load_world(self.folder), self.folder)[module]

    def since(self, module: str, cursor: Position) -> list[Change]:
        feed = self.reader(module).changes(cursor)
        assert feed is not None
        return list(feed.changes or ())

    def head(self, module: str) -> Position:
        feed = self.reader(module).changes(None)
        assert feed is not None
        return feed.head

    def built(self) -> list[int]:
        return [changes.total for changes in self.kept.build().modules]

    def lines(self) -> list[str]:
        return list(export_world(self.kept.world, self.kept.store))

    def same_as_rebuilt(self) -> None:
        incremental = self.lines()
        self.kept.build(rebuild=True)
        assert self.lines() == incremental


@pytest.fixture
def talks(tmp_path) -> Iterator[Talks]:
    made = Talks(tmp_path)
    yield made
    made.kept.store.close()


def test_a_change_is_told_with_what_the_record_is_now(talks):
    before = talks.head("talks")
    talks.run("talks.db", "UPDATE talks SET about = 'brakes', person = 'b', revision = 2 WHERE id = 1")
    (change,) = talks.since("talks", before)
    assert (change.op, str(change.coordinate), change.revision) == ("upsert", "talks:Talk:1", "2")
    assert change.node is not None
    assert (change.node.label, change.node.visibility, change.node.context) == ("brakes", "open", "main")
    assert change.node.observed_at == 1_767_225_600_000
    told = [(e.target.entity_id, e.provenance_revision, e.provenance_event_id) for e in change.relationships]
    assert told == [("b", "1", "3"), ("a", "1", "1")]


def test_a_line_of_a_link_table_is_news_of_the_record_that_asserts_it(talks):
    before = talks.head("talks")
    talks.run(
        "talks.db", "INSERT INTO origins VALUES ('a', 1)", "UPDATE guests SET talk = 2 WHERE person = 'b'"
    )
    subjects = [change.coordinate.entity_id for change in talks.since("talks", before)]
    assert subjects == ["1", "2"]


def test_a_deletion_is_told_and_what_is_still_asserted_in_its_name(talks):
    before = talks.head("talks")
    talks.run("talks.db", "DELETE FROM talks WHERE id = 2")
    (change,) = talks.since("talks", before)
    assert (change.op, change.node, change.revision) == ("delete", None, "4")
    assert [(one.type, one.source.entity_id) for one in change.relationships] == [("led_to", "b")]


def test_what_is_rolled_back_is_not_told(talks):
    before = talks.head("people")
    changed = "UPDATE people SET city = 'Linz' WHERE id = 'a'"
    refused = "INSERT INTO people VALUES ('b', NULL, 'open', 1)"
    with pytest.raises(apsw.ConstraintError):
        talks.run("people.db", f"BEGIN; {changed}; {refused}; COMMIT")
    assert talks.head("people") == before


def test_a_build_writes_what_changed_and_nothing_else(talks):
    assert talks.built() == [2, 6]
    assert talks.built() == [0, 0]
    talks.run("people.db", "UPDATE people SET city = 'Linz', revision = 2 WHERE id = 'a'")
    assert talks.built() == [1, 0]
    talks.same_as_rebuilt()


def test_a_database_that_is_mapped_anew_or_restored_is_read_whole(talks):
    talks.built()
    (talks.folder / "saved").write_bytes((talks.folder / "people.db").read_bytes())
    talks.run("people.db", "UPDATE people SET city = 'Linz', revision = 2 WHERE id = 'a'")
    talks.built()
    (talks.folder / "people.db").write_bytes((talks.folder / "saved").read_bytes())
    talks.run("people.db", "UPDATE people SET city = 'Brno', revision = 2 WHERE id = 'b'")
    assert talks.built() == [2, 0]
    file = talks.folder / "modules.yml"
    file.write_text(file.read_text("utf-8").replace('"{{ class }}"', "closed"), "utf-8")
    talks.kept = kept(load_world(talks.folder), talks.folder / "graph")
    assert talks.built() == [1, 0]
    talks.same_as_rebuilt()


def test_status_tells_how_far_the_graph_is_behind(talks):
    talks.built()
    talks.run("people.db", *["UPDATE people SET revision = revision + 1"] * 3)
    found = world_status(talks.kept.world, talks.kept.store)
    readers = open_readers(talks.kept.world, talks.folder)
    assert {name: str(lag) for name, lag in lags(found, readers).items()} == {"people": "6", "talks": "0"}
    (talks.folder / "talks.db").unlink()
    assert str(lags(found, readers)["talks"]) == "the module is unavailable"


def test_a_database_without_the_feed_of_its_mapping_says_what_is_missing(talks):
    talks.run("people.db", "DROP TABLE changes")
    with pytest.raises(ConfigurationError, match=r"module people, feed changes: no such table: changes"):
        talks.built()


def test_a_feed_that_does_not_fit_its_database_is_refused(talks, tmp_path):
    database = tmp_path / "empty.db"
    with pytest.raises(ConfigurationError, match="FeedNotInstalled"):
        install_feed(database, talks.kept.world.modules["talks"], talks.kept.world.ontology)
    with closing(apsw.Connection(str(database))) as connection:
        assert list(connection.execute("SELECT name FROM sqlite_master")) == []


def test_installing_a_feed_again_keeps_its_order_and_what_was_first_asserted(talks):
    talks.built()
    module = talks.kept.world.modules["talks"]
    before = talks.head("talks").seq
    install_feed(talks.folder / "talks.db", module, talks.kept.world.ontology)
    assert talks.head("talks").seq > before
    assert talks.built() == [0, 0]
    assert feed_statements(talks.kept.world.modules["talks"], talks.kept.world.ontology)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        (", revision: revision}\ntalks", "}\ntalks", "people.records.Person"),
        ("revision: revision}\ntalks", "revision: '{{ a }}'}\ntalks", "people.records.Person.revision"),
        ("from: talk, to", "from: '{{ talk }}', to", "talks.relationships.of[1].from"),
        (", feed: changes", "", ""),
        (", feed: news", "", "talks.records.Talk.base"),
        ("sqlite: people.db, feed", "json: people.db, feed", "people.source"),
    ],
)
def test_a_mapping_that_a_feed_cannot_tell_is_a_fault(talks, old, new, field):
    text = FILES["modules.yml"]
    assert text.count(old) == 1
    (talks.folder / "modules.yml").write_text(text.replace(old, new), encoding="utf-8")
    _, findings = check_world(talks.folder)
    assert [one.field for one in findings][:1] == ([field] if field else [])
