"""A world's check looks into the data: what modules.yml names must be there, and every file be readable."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lens_dsl.errors import ConfigurationError
from lens_runtime.worlds.folder import check_world, load_world
from lens_runtime.worlds.new import new_world
from tests.worlds.desk import SOURCES, Desk

BOOKS = "data/books.csv"


def found(folder: Path) -> Sequence[str]:
    world, findings = check_world(folder, data=True)
    assert (world is None) == bool(findings)
    assert {f.file for f in findings} <= {"modules.yml"}
    return [f"{f.line}: {f.field}: {f.message}" for f in findings]


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def starter(tmp_path: Path) -> Path:
    return new_world(tmp_path / "mine")


@pytest.mark.parametrize("kind", SOURCES)
def test_sound_data_has_no_findings(tmp_path, kind):
    assert found(Desk(tmp_path, kind).folder) == []


def test_the_starter_has_no_findings(starter):
    assert found(starter) == []


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "books.csv is empty"),
        (b"\n1,2\n", "books.csv has no header: line 1 must name the columns"),
        (b"isbn,isbn\n", "books.csv has two columns called 'isbn'"),
        (b"isbn,title\nb1,A\nb2,caf\xe9\n", "books.csv is not UTF-8: byte 0xe9 in line 3"),
        (b"isbn,title\nb1\n", "books.csv has 1 cells in line 2, and 2 in its header"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_finding_of_the_mapping(starter, raw, told):
    (starter / BOOKS).write_bytes(raw)
    assert [text for text in found(starter) if text.endswith(told) and "lending.records.Book.table" in text]
    assert load_world(starter), "a session opens all the same"
    with pytest.raises(ConfigurationError, match="InvalidWorld"):
        load_world(starter, data=True)


@pytest.mark.parametrize("kind", ["csv", "sqlite"])
@pytest.mark.parametrize(
    ("old", "new", "field", "told"),
    [
        ("id: number", "id: numbr", "records.Ticket.id", "no column 'numbr'"),
        ("{{ class }}", "{{ klass }}", "records.Ticket.visibility", "no column 'klass'"),
        ("{{ region or", "{{ regoin or", "records.Ticket.context", "did you mean region?"),
        ("observed_at: seen", "observed_at: sen", "records.Ticket.observed_at", "did you mean seen?"),
        ("text: body", "text: boddy", "records.Ticket.fields.text", "did you mean body?"),
        ("{text: body}", "{}", "records.Ticket.fields.text", "no column 'text'"),
        ("to: after", "to: aftr", "relationships.follows.to", "did you mean after?"),
        ("from: number", "from: nmber", "relationships.follows.from", "did you mean number?"),
    ],
)
def test_a_column_that_the_table_has_not_is_named_where_it_is_written(tmp_path, kind, old, new, field, told):
    desk = Desk(tmp_path, kind)
    change(tmp_path / "modules.yml", old, new)
    line = next(
        (
            n
            for n, text in enumerate((tmp_path / "modules.yml").read_text("utf-8").split("\n"), 1)
            if new in text
        ),
        0,
    )
    texts = found(desk.folder)
    assert len(texts) == 1
    assert texts[0].startswith(f"{line}: desk.{field}: ")
    assert told in texts[0]


def test_a_type_for_a_column_that_is_not_there_is_a_finding(tmp_path):
    desk = Desk(tmp_path, "csv")
    change(tmp_path / "modules.yml", "      types: {number: int", "      types: {numbre: int")
    assert ["desk.records.Ticket.types.numbre" in text for text in found(desk.folder)] == [True]


def test_a_table_that_is_not_there_is_a_finding(tmp_path):
    desk = Desk(tmp_path, "sqlite")
    change(tmp_path / "modules.yml", "table: tickets", "table: tickts")
    texts = found(desk.folder)
    assert len(texts) == 2
    assert all("desk.db has no table 'tickts'; did you mean tickets?" in text for text in texts)


@pytest.mark.parametrize("raw", [b"no database at all, " * 100, b""])
def test_a_file_that_is_no_database_is_a_finding(tmp_path, raw):
    desk = Desk(tmp_path, "sqlite")
    (tmp_path / desk.file).write_bytes(raw)
    assert all("no SQLite database" in text or "has no table" in text for text in found(tmp_path))
    assert found(tmp_path)


def test_a_view_is_as_good_as_a_table(tmp_path):
    desk = Desk(tmp_path, "sqlite")
    with closing(apsw.Connection(str(tmp_path / desk.file))) as connection:
        connection.execute("CREATE VIEW seen_tickets AS SELECT * FROM tickets")
    change(tmp_path / "modules.yml", "table: tickets", "table: seen_tickets")
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "desk.json is empty"),
        (b'{"tickets": [', "desk.json is no JSON: line 1, column 14"),
        (b'{"tickets": "\xe9"}', "desk.json is not UTF-8: byte 0xe9 in line 1"),
        (
            json.dumps({"ticket": []}).encode(),
            "there is nothing at 'tickets' in the file; did you mean ticket?",
        ),
        (json.dumps({"tickets": 5}).encode(), "leads to neither a list nor a map"),
        (b"[" * 100_000, "desk.json is nested too deeply"),
    ],
)
def test_a_json_file_must_have_what_the_path_begins_with(tmp_path, raw, told):
    desk = Desk(tmp_path, "json")
    (tmp_path / desk.file).write_bytes(raw)
    texts = found(tmp_path)
    assert [text.split(": ")[1] for text in texts] == [
        "desk.records.Ticket.each",
        "desk.relationships.follows.each",
    ]
    assert all(told in text for text in texts)
