"""CSV files wherever they lie: plain, zipped, in an installed package; read line by line."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from lens_dsl.errors import ConfigurationError, ReaderError
from lens_runtime.adapters.readers import open_readers
from lens_runtime.ports import Found, NotFound
from lens_runtime.worlds.folder import check_world, load_world
from lens_runtime.worlds.templates import Template, TemplateFault
from tests.worlds.building import Ample

FILES = {
    "world.yml": "id: books\ntitle: Books\n",
    "ontology.yml": """\
kinds:
  Book: {module: shelf, projected: [pages], label: "{{ title }}", hydrated: [title]}
  Author: {module: people}
relationships:
  written_by: {from: Book, to: Author, owner: shelf, visibility: public}
""",
    "modules.yml": """\
people:
  source: {csv: data}
  records: {Author: {table: authors, id: name, visibility: public}}
shelf:
  source: {csv: data, null_text: NA}
  records: {Book: {table: books, id: "{{ shelf }}-{{ number }}", visibility: public, types: {pages: int}}}
  relationships:
    written_by: {table: books, from: "{{ shelf }}-{{ number }}", to: author}
""",
    "policy.yml": """\
classes: [public]
roles: {all: {modules: "*", kinds: "*", classes: [public]}}
actors: {me: {roles: [all]}}
may_act_as: [me]
""",
}
BOOKS = "shelf,number,title,pages,author\na,1,Ulysses,730,Joyce\na,2,NA,NA,NA\nb,1,Emma,NA,Austen\n"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "authors.csv").write_text("name\nJoyce\n", "utf-8")
    return tmp_path


def zipped(world: Path, name: str = "books.csv", text: str = BOOKS) -> Path:
    file = world / "data" / "books.csv.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, text)
    return file


def read(world: Path, *ids: str):
    loaded = load_world(world)
    reader = open_readers(loaded, world)["shelf"]
    return reader, reader.read(loaded.policy.actor("me"), "main", "Book", ids, Ample())


@pytest.mark.parametrize("way", ["plain", "zip"])
def test_a_table_is_a_csv_file_plain_or_zipped(world, way):
    if way == "zip":
        zipped(world)
    else:
        (world / "data" / "books.csv").write_text(BOOKS, "utf-8")
    reader, answers = read(world, "a-1", "a-2", "c-9")
    assert isinstance(answers["a-1"], Found)
    assert answers["a-1"].fields == {"id": "a-1", "pages": 730, "title": "Ulysses"}
    assert isinstance(answers["a-2"], Found)
    assert answers["a-2"].fields == {"id": "a-2", "pages": None, "title": None}
    assert isinstance(answers["c-9"], NotFound)
    snapshot = reader.snapshot()
    assert [node.coordinate.entity_id for node in snapshot.nodes] == ["a-1", "a-2", "b-1"]
    edges = [(edge.source.entity_id, edge.target.entity_id) for edge in snapshot.edges]
    assert edges == [("a-1", "Joyce"), ("b-1", "Austen")]
    assert snapshot.null_references == {"written_by": 1}


def test_what_a_snapshot_says_of_a_record_is_what_its_relationships_carry(world):
    zipped(world)
    snapshot = read(world)[0].snapshot()
    revisions = {node.coordinate.entity_id: node.revision for node in snapshot.nodes}
    assert {e.provenance_entity_id: e.provenance_revision for e in snapshot.edges} == {
        name: revisions[name] for name in ("a-1", "b-1")
    }


@pytest.mark.parametrize("fault", ["no zip", "no member", "short line"])
def test_a_zip_that_cannot_be_understood_is_unavailable(world, fault):
    if fault == "no zip":
        (world / "data" / "books.csv.zip").write_bytes(b"PK no more")
    else:
        zipped(world, "other.csv") if fault == "no member" else zipped(world, text=BOOKS + "c,1\n")
    with pytest.raises(ReaderError) as caught:
        read(world, "a-1")
    assert caught.value.code == "ReaderUnavailable"
    told = {
        "no zip": "books.csv.zip is no zip file, or is damaged",
        "no member": "books.csv.zip holds no file books.csv",
        "short line": "books.csv.zip has 2 cells in line 5, and 5 in its header",
    }
    assert told[fault] in str(caught.value)


@pytest.mark.parametrize("way", ["plain", "zip"])
def test_in_a_build_a_record_that_does_not_fit_is_placed_by_its_line(world, way):
    text = BOOKS.replace("b,1,Emma,NA", 'b,1,"Em\nma",many')
    if way == "zip":
        zipped(world, text=text)
    else:
        (world / "data" / "books.csv").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError) as caught:
        list(read(world)[0].snapshot().nodes)
    assert caught.value.code == "RecordUnreadable"
    file = "books.csv.zip" if way == "zip" else "books.csv"
    assert caught.value.message == (
        f"module shelf, Book: in line 4 a cell of column 'pages' is not of type int ({file})"
    )


@pytest.mark.parametrize("fault", ["no zip", "no member", "latin-1", "column"])
def test_a_check_looks_into_a_zip(world, fault):
    if fault == "no zip":
        (world / "data" / "books.csv.zip").write_bytes(b"PK no more")
    elif fault == "latin-1":
        zipped(world).unlink()
        with zipfile.ZipFile(world / "data" / "books.csv.zip", "w") as archive:
            archive.writestr("books.csv", BOOKS.replace("Emma", "Emm\xe4").encode("latin-1"))
    else:
        zipped(
            world, *(["other.csv"] if fault == "no member" else ["books.csv", BOOKS.replace("author", "by")])
        )
    told = {
        "no zip": "books.csv.zip is no zip file, or is damaged",
        "no member": "books.csv.zip holds no file books.csv",
        "latin-1": "books.csv.zip is not UTF-8: byte 0xe4 in line 4",
        "column": "no column 'author' in books.csv.zip",
    }
    _, findings = check_world(world, data=True)
    assert findings
    assert any(told[fault] in finding.message for finding in findings), findings


def test_a_check_says_nothing_of_data_that_lies_elsewhere(world, monkeypatch):
    zipped(world)
    assert check_world(world, data=True)[1] == ()
    modules = world / "modules.yml"
    modules.write_text(
        modules.read_text("utf-8").replace("data, null", "data, package: some_books, null"), "utf-8"
    )
    (world / "some_books" / "data").mkdir(parents=True)
    (world / "some_books" / "data" / "books.csv").write_text("other\n1\n", "utf-8")
    monkeypatch.chdir(world)
    assert [f.field for f in check_world(world, data=True)[1]] == ["shelf.source.package"]


def test_files_of_a_package_are_found_without_importing_it(world, tmp_path, monkeypatch):
    package = tmp_path / "site" / "some_books"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')", "utf-8")
    (package / "data" / "books.csv").write_text(BOOKS, "utf-8")
    modules = world / "modules.yml"
    modules.write_text(
        modules.read_text("utf-8").replace("data, null", "data, package: some_books, null"), "utf-8"
    )
    with pytest.raises(ConfigurationError, match="the Python package 'some_books' is not installed"):
        load_world(world)
    monkeypatch.syspath_prepend(str(package.parent))
    assert isinstance(read(world, "b-1")[1]["b-1"], Found)
    assert "some_books" not in sys.modules


def test_only_csv_files_come_in_a_package(world):
    modules = world / "modules.yml"
    modules.write_text(
        modules.read_text("utf-8").replace("{csv: data}", "{json: x.json, package: some_books}"), "utf-8"
    )
    with pytest.raises(ConfigurationError, match="package is for csv alone"):
        load_world(world)


@pytest.mark.parametrize(
    "text",
    ["{{ a }}", "{{a}}-{{ b }}", "100% {{ a }} %s", "{{ a }}\n", "{{ a|upper }}", "{{ true }}", "plain"],
)
def test_a_template_of_plain_names_gives_what_any_template_gives(text):
    made = Template(text)
    slow = made._template
    for values in (
        {"a": "x%s{{ b }}", "b": None},
        {"a": 1, "b": 2.5},
        {"a": True, "b": ""},
        {"a": [1], "b": {}},
    ):
        if "upper" not in text:
            assert made.render(values) == slow.render(values)
    if "a" in made.names:
        with pytest.raises(TemplateFault, match="UndefinedError"):
            made.render({"b": 1})
