"""One contract for the module readers of every kind of source: the same records, the same answers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, nullcontext

import apsw
import pytest

from lens_dsl.errors import ConfigurationError, ExecutionError, ReaderError
from lens_runtime.adapters.readers import open_readers
from lens_runtime.graph import Coordinate
from lens_runtime.ports import Forbidden, Found, NotFound, Unreadable
from lens_runtime.worlds.folder import load_world
from tests.worlds.desk import KINDS, RECORDS, Desk, Spent, record


@pytest.fixture(params=KINDS)
def desk(request, tmp_path) -> Iterator[Desk]:
    made = Desk(tmp_path, request.param)
    with made.over_http() if made.kind == "http" else nullcontext():
        yield made


@pytest.mark.promise("P48")
def test_a_record_comes_with_its_declared_fields_in_the_types_of_the_language(desk):
    found = desk.read("ana", ["1"])["1"]
    assert isinstance(found, Found)
    assert found.fields == {
        "id": "1", "team": "returns", "urgent": True, "text": "text 1", "tags": ["a", {"b": None}], "weight": 1.5,
    }  # fmt: skip
    assert (found.label, found.visibility) == ("returns: text 1", "internal")
    assert found.observed_at == 1_777_622_400_000


def test_nulls_are_nulls(desk):
    found = desk.read("ana", ["4"], "eu")["4"]
    assert [found.fields[name] for name in ("urgent", "tags", "weight")] == [None, None, None]
    assert found.observed_at is None


@pytest.mark.promise("P51")
@pytest.mark.parametrize(
    ("name", "seen"),
    [("ana", {"1", "6"}), ("mia", {"1", "2", "3", "5", "6"})],
)
def test_every_record_is_authorized_by_itself(desk, name, seen):
    answers = desk.read(name, ["1", "2", "3", "5", "6"])
    assert {key for key, answer in answers.items() if isinstance(answer, Found)} == seen
    assert all(answer == Forbidden() for key, answer in answers.items() if key not in seen)


def test_every_id_asked_has_an_answer(desk):
    ids = ["1", "01", "1.0", "x", "", "'; DROP TABLE tickets; --", "99"]
    answers = desk.read("mia", ids)
    assert list(answers) == ids
    assert all(answers[key] == NotFound() for key in ids[1:])


def test_a_record_of_another_context_is_not_found(desk):
    assert desk.read("mia", ["4"], "main") == {"4": NotFound()}
    assert desk.read("mia", ["1"], "eu") == {"1": NotFound()}


def test_another_kind_is_not_found(desk):
    assert desk.reader.read(desk.actor("mia"), "main", "Other", ["1"], Spent()) == {"1": NotFound()}


def test_a_change_in_the_source_is_seen_and_gives_another_revision(desk):
    before = desk.read("ana", ["1"])["1"]
    assert desk.read("ana", ["1"])["1"] == before
    desk.put([record(1, body="changed"), *RECORDS[1:]])
    after = desk.read("ana", ["1"])["1"]
    assert (after.fields["text"], after.revision != before.revision) == ("changed", True)
    desk.put([record(1, "billing")])
    assert desk.read("ana", ["1", "2"]) == {"1": Forbidden(), "2": NotFound()}


def test_what_the_snapshot_says_is_what_a_read_says(desk):
    snapshot = desk.reader.snapshot()
    nodes = {node.coordinate.entity_id: node for node in snapshot.nodes}
    assert list(nodes) == ["1", "2", "3", "4", "5", "6"]
    for key, node in nodes.items():
        found = desk.read("mia", [key], node.context)[key]
        assert (node.revision, node.visibility, node.label) == (found.revision, found.visibility, found.label)
        assert node.properties == {name: found.fields[name] for name in ("id", "team", "urgent")}
        assert node.keys == ("id", "team")
    assert [nodes[key].guard for key in "125"] == ["team=s:returns", "team=s:billing", None]


@pytest.mark.promise("P14")
def test_labels_and_summaries_are_cut_by_the_owning_module(desk):
    node = list(desk.reader.snapshot().nodes)[5]
    assert (len(node.label), node.label[-1]) == (200, "…")
    assert (len(node.summary or ""), (node.summary or "")[-1]) == (1_000, "…")


@pytest.mark.promise("P8")
def test_relationships_carry_the_record_that_asserts_them(desk):
    snapshot = desk.reader.snapshot()
    revisions = {node.coordinate.entity_id: node.revision for node in desk.reader.snapshot().nodes}
    edges = [(e.source.entity_id, e.target.entity_id, e) for e in snapshot.edges]
    assert [edge[:2] for edge in edges] == [("2", "1"), ("3", "99")]
    for source, _, edge in edges:
        assert edge.source == Coordinate("desk", "Ticket", source)
        assert (edge.provenance_module, edge.provenance_entity_id) == ("desk", source)
        assert edge.provenance_revision == revisions[source]
        assert (edge.visibility, edge.context, edge.observed_at) == ("internal", "main", 1_777_622_400_000)
        assert edge.properties == {"weight": 1.5}


def test_a_missing_source_is_unavailable_and_comes_back(desk):
    desk.lose()
    for attempt in (lambda: desk.read("ana", ["1"]), lambda: list(desk.reader.snapshot().nodes)):
        with pytest.raises(ReaderError) as caught:
            attempt()
        assert (caught.value.code, caught.value.retryable) == ("ReaderUnavailable", True)
        assert str(desk.folder) not in str(caught.value)
    desk.put(RECORDS)
    assert isinstance(desk.read("ana", ["1"])["1"], Found)


def test_a_damaged_source_is_unavailable_and_its_content_is_not_shown(desk):
    (desk.folder / desk.file).write_bytes(b'\xff{"secret-value": ' * 100)
    with pytest.raises(ReaderError) as caught:
        desk.read("ana", ["1"])
    assert caught.value.code == "ReaderUnavailable"
    assert "secret-value" not in str(caught.value)


def test_no_time_left_is_an_error_of_its_own(desk):
    with pytest.raises(ExecutionError, match="DeadlineExceeded"):
        desk.read("ana", ["1"], left=0.0)


def test_a_record_that_does_not_fit_is_named_by_its_field_and_not_its_value(desk):
    desk.put([record(1, seen="yesterday"), record(2, team="returns")])
    answers = desk.read("ana", ["1", "2"])
    assert isinstance(answers["1"], Unreadable)
    if desk.kind != "http":  # what a module says of a fault goes to its operator, never to an actor
        assert "'seen'" in answers["1"].reason
    assert "yesterday" not in answers["1"].reason
    assert isinstance(answers["2"], Found | Forbidden)


PLACES = {
    "json": "desk.json, tickets.* at 1",
    "csv": "tickets.csv, line 3",
    "sqlite": "desk.db, table tickets, row 2 in the order of its key",
    "http": "desk.db, table tickets, row 2 in the order of its key",
}


def test_in_a_build_a_record_that_does_not_fit_is_configuration_and_is_placed(desk):
    desk.put([record(1), record(2, seen="yesterday")])
    for stream in (desk.reader.snapshot().nodes, desk.reader.snapshot().edges):
        with pytest.raises(ConfigurationError) as caught:
            list(stream)
        assert caught.value.code == "RecordUnreadable"
        assert "module desk, Ticket: 'seen'" in caught.value.message
        assert PLACES[desk.kind] in caught.value.message
        assert "yesterday" not in str(caught.value)


def test_in_a_build_a_damaged_source_is_configuration_and_its_content_is_not_shown(desk):
    (desk.folder / desk.file).write_bytes(b'\xff{"secret-value": ' * 100)
    with pytest.raises(ConfigurationError) as caught:
        list(desk.reader.snapshot().nodes)
    assert caught.value.code == "RecordUnreadable"
    assert desk.file.split("/")[-1] in caught.value.message
    assert "secret-value" not in str(caught.value)


@pytest.mark.parametrize("desk", ["csv"], indirect=True)
@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "tickets.csv is empty"),
        (b"\n\n1,2\n", "tickets.csv has no header"),
        (b"a,b,a\n", "tickets.csv has two columns called 'a'"),
        (b"a,b\n\n\xe9,3\n", "tickets.csv is not UTF-8: byte 0xe9 in line 3"),
        (b"a,b\n\n1\n", "tickets.csv has 1 cells in line 3, and 2 in its header"),
        (b'a,b\n1,"' + b"x" * 140_000 + b'"\n', "line 2: a cell has more than 131,072 characters"),
        (b'a,b\n1,"2\n', "line 2: a quoted cell is not closed"),
        (b"number,team\n,returns\n", "in line 2 there is no column 'urgent' (tickets.csv)"),
    ],
)
def test_what_is_wrong_with_a_table_is_told_in_words(desk, raw, told):
    (desk.folder / desk.file).write_bytes(raw)
    with pytest.raises(ConfigurationError) as caught:
        list(desk.reader.snapshot().nodes)
    assert told in caught.value.message


@pytest.mark.parametrize("desk", ["json", "csv"], indirect=True)
def test_a_record_without_an_id_is_placed(desk):
    desk.put([record(1), {**record(2), "number": None}])
    with pytest.raises(ConfigurationError, match="a Ticket has no id") as caught:
        list(desk.reader.snapshot().nodes)
    assert PLACES[desk.kind] in caught.value.message


@pytest.mark.parametrize("desk", ["sqlite"], indirect=True)
def test_a_text_of_a_database_that_is_not_utf8_is_told_in_words(desk):
    with closing(apsw.Connection(str(desk.folder / desk.file))) as connection:
        connection.execute("UPDATE tickets SET body = CAST(x'e9e9' AS TEXT) WHERE number = 1")
    with pytest.raises(ConfigurationError, match="not UTF-8: byte 0xe9"):
        list(desk.reader.snapshot().nodes)
    with pytest.raises(ReaderError, match="not UTF-8"):
        desk.read("mia", ["1"])


def test_an_unknown_context_stops_the_snapshot(desk):
    desk.put([record(1, region="moon")])
    with pytest.raises(ConfigurationError, match="UnknownContext"):
        list(desk.reader.snapshot().nodes)


@pytest.mark.parametrize("desk", ["json", "csv"], indirect=True)
def test_the_same_id_twice_stops_the_snapshot(desk):
    desk.put([record(1), record(1)])
    with pytest.raises(ConfigurationError, match="DuplicateRecord"):
        list(desk.reader.snapshot().nodes)


@pytest.mark.parametrize("desk", ["csv", "sqlite"], indirect=True)
def test_a_column_that_is_not_there_is_named(desk):
    file = desk.folder / "modules.yml"
    file.write_text(file.read_text("utf-8").replace("text: body", "text: boddy"), encoding="utf-8")
    reader = open_readers(load_world(desk.folder), desk.folder)["desk"]
    with pytest.raises(ConfigurationError, match="there is no column 'boddy'"):
        list(reader.snapshot().nodes)


@pytest.mark.parametrize("desk", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("old", "new", "named"),
    [("table: tickets", "table: tickts", "no such table: tickts"), ("id: number", "id: numbr", "numbr")],
)
def test_a_table_or_id_column_that_is_not_there_is_named(desk, old, new, named):
    file = desk.folder / "modules.yml"
    file.write_text(file.read_text("utf-8").replace(old, new), encoding="utf-8")
    reader = open_readers(load_world(desk.folder), desk.folder)["desk"]
    for attempt, error in (
        (lambda: list(reader.snapshot().nodes), ConfigurationError),
        (lambda: reader.read(desk.actor("mia"), "main", "Ticket", ["1"], Spent()), ReaderError),
    ):
        with pytest.raises(error, match=named) as caught:
            attempt()
        assert caught.value.code == "RecordUnreadable"


@pytest.mark.parametrize("desk", ["sqlite"], indirect=True)
def test_a_view_is_read_like_a_table(desk):
    expected = list(desk.reader.snapshot().nodes)
    with closing(apsw.Connection(str(desk.folder / "desk.db"))) as connection:
        connection.execute("CREATE VIEW seen_tickets AS SELECT * FROM tickets")
    file = desk.folder / "modules.yml"
    file.write_text(
        file.read_text("utf-8").replace("table: tickets", "table: seen_tickets"), encoding="utf-8"
    )
    reader = open_readers(load_world(desk.folder), desk.folder)["desk"]
    assert list(reader.snapshot().nodes) == expected
    assert reader.read(desk.actor("ana"), "main", "Ticket", ["1"], Spent()) == desk.read("ana", ["1"])


@pytest.mark.promise("P18")
def test_nothing_is_written_beside_or_into_a_source(desk):
    names = sorted(path.name for path in desk.folder.rglob("*"))
    content = (desk.folder / desk.file).read_bytes()
    os.chmod(desk.folder / desk.file, 0o444)
    desk.read("ana", ["1"])
    list(desk.reader.snapshot().nodes)
    assert sorted(path.name for path in desk.folder.rglob("*")) == names
    assert (desk.folder / desk.file).read_bytes() == content
