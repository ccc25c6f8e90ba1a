"""What a module says when it is asked wins over what the projection kept of it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import lens_runtime
from lens_runtime.assembly import build
from lens_runtime.graph import Node
from lens_runtime.worlds.new import new_world

TEXT = "MATCH (b:Book {id: 'b1'}) RETURN b, b.title AS title, b.shelf AS shelf"


@pytest.fixture
def library(own_home: Path, tmp_path: Path) -> Path:
    folder = new_world(tmp_path / "library")
    build(str(folder))
    return folder


def edit(folder: Path, **changes: str) -> None:
    """Change the first book where it lives, without a build."""
    path = folder / "data" / "books.csv"
    with path.open(encoding="utf-8", newline="") as file:
        books = list(csv.DictReader(file))
    books[0].update(changes)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(books[0]))
        writer.writeheader()
        writer.writerows(books)


def ask(folder: Path) -> tuple[Node, str, str]:
    with lens_runtime.open(str(folder)) as session:
        ((book, title, shelf),) = session.query(TEXT).rows
    assert isinstance(book, Node)
    return book, str(title), str(shelf)


@pytest.mark.promise("P6")
def test_a_node_carries_the_revision_its_module_gave_it(library):
    """As long as nothing changes the projected and the live revision are one, and two records' differ."""
    with lens_runtime.open(str(library)) as session:
        result = session.query("MATCH (b:Book) WHERE b.id IN ['b1', 'b2', 'b3'] RETURN b")
    assert all(node.revision == node.projected_revision for node in result.nodes)
    assert len({node.projected_revision for node in result.nodes}) == 3
    assert [freshness.lagging for freshness in result.freshness] == [0]


@pytest.mark.promise("P48")
def test_every_value_label_and_revision_is_the_modules_own_at_read_time(library):
    before = ask(library)[0]
    edit(library, title="A Newer Title", shelf="lost")
    book, title, shelf = ask(library)
    assert (title, shelf) == ("A Newer Title", "lost")
    assert (book.properties["title"], book.label) == ("A Newer Title", "A Newer Title")
    assert book.revision != before.revision
    assert book.projected_revision == before.revision


@pytest.mark.promise("P48")
def test_a_row_that_no_longer_holds_is_not_returned(library):
    text = "MATCH (b:Book) WHERE b.id = 'b1' AND b.shelf = 'fiction' RETURN b.id"
    with lens_runtime.open(str(library)) as session:
        assert len(session.query(text)) == 1
    edit(library, shelf="lost")
    with lens_runtime.open(str(library)) as session:
        assert len(session.query(text)) == 0


@pytest.mark.promise("P51")
def test_a_record_that_is_hidden_since_the_build_is_gone(library):
    edit(library, **{"class": "internal"})
    with lens_runtime.open(str(library), actor="visitor:tom") as session:
        asked = [session.query("MATCH (b:Book {id: $id}) RETURN b", id=id_) for id_ in ("b1", "no such")]
    assert [(r.rows, r.cuts, r.freshness, r.complete) for r in asked] == [((), (), (), True)] * 2
