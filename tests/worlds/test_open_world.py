"""A world that is open: a graph in a JSON file, any label, type and property, and scopes by ``visibility``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lens_dsl.budget import Budget
from lens_dsl.errors import ConfigurationError
from lens_runtime.assembly import build, open_session
from lens_runtime.settings import Settings
from lens_runtime.worlds.folder import check_world

FILES = {
    "world.yml": "id: notes\ntitle: Notes\nopen: true\n",
    "ontology.yml": "kinds: {}\n",
    "modules.yml": "notes:\n  source: {graph: graph.json}\n",
    "policy.yml": (
        "classes: [public, private]\n"
        "roles:\n"
        "  reader: {modules: '*', kinds: '*', classes: [public]}\n"
        "  writer: {modules: '*', kinds: '*', classes: [public, private]}\n"
        "actors:\n  ann: {roles: [reader]}\n  bob: {roles: [writer]}\n"
        "may_act_as: [ann, bob]\n"
    ),
}
GRAPH = {
    "nodes": [
        {"id": "a", "labels": ["Note", "Draft"], "props": {"title": "A", "tags": ["x", 1, 1.5]}},
        {"id": "b", "labels": ["Note"], "props": {"title": "B", "visibility": "private"}},
        {"id": "c"},
    ],
    "edges": [
        {"id": "1", "from": "a", "type": "CITES", "to": "b", "props": {"page": 3}},
        {"id": "2", "from": "a", "type": "SEES", "to": "c"},
    ],
}
SCAN = Budget(allow_scan=True)


def written(folder: Path, graph: object = GRAPH, **files: str) -> Path:
    folder.mkdir()
    for name, text in {**FILES, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "graph.json").write_text(json.dumps(graph), encoding="utf-8")
    return folder


def ask(folder: Path, home: Path, actor: str, text: str) -> list[tuple[object, ...]]:
    settings = Settings(home=home)
    build(str(folder), settings=settings)
    with open_session(str(folder), actor=actor, settings=settings) as session:
        result = session.query(text, budget=SCAN)
    assert result.complete
    return list(result.rows)


def test_any_label_type_and_property_is_asked_for(tmp_path):
    folder, home = written(tmp_path / "notes"), tmp_path / "home"
    assert ask(folder, home, "bob", "MATCH (n:Draft:Note) RETURN n.title, n.tags, n.nothing, labels(n)") == [
        ("A", ["x", 1, 1.5], None, ["Draft", "Note"])
    ]
    assert ask(folder, home, "bob", "MATCH (n:Note)-[r {page: 3}]->(m) RETURN type(r), m.title") == [
        ("CITES", "B")
    ]
    assert ask(folder, home, "bob", "MATCH (n)-->(m) WHERE NOT m:Note RETURN n.title, labels(m)") == [
        ("A", [])
    ]
    assert ask(folder, home, "bob", "MATCH (n:Nothing)-[:NOR]->() RETURN n") == []


def test_a_class_that_an_actor_does_not_read_is_not_there(tmp_path):
    folder, home = written(tmp_path / "notes"), tmp_path / "home"
    assert ask(folder, home, "bob", "MATCH (n:Note) RETURN count(n)") == [(2,)]
    assert ask(folder, home, "ann", "MATCH (n:Note) RETURN count(n)") == [(1,)]
    assert ask(
        folder, home, "ann", "MATCH (n {title: 'A'}) RETURN size([(n)-->(m) | m]), exists((n)-[:CITES]->())"
    ) == [(1, False)]


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("ontology.yml", "kinds: {Note: {module: notes}}\n", "an open world declares nothing"),
        ("world.yml", "id: notes\ntitle: Notes\n", "is for open worlds alone"),
        ("modules.yml", "notes:\n  source: {json: graph.json}\n", "one module, whose source is a graph"),
        ("modules.yml", "notes:\n  source: {graph: other.json}\n", "there is no such file"),
    ],
)
def test_what_does_not_go_with_an_open_world_is_reported(tmp_path, file, text, message):
    _, findings = check_world(written(tmp_path / "notes", **{file: text}))
    assert any(message in finding.message for finding in findings)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        ({"nodes": [{"id": 5}]}, "nodes.0.id"),
        ({"nodes": [], "edges": [{"id": "1", "from": "a", "to": "b"}]}, "edges.0.type"),
        ([], "valid dictionary"),
    ],
)
def test_a_file_that_is_no_graph_says_where(tmp_path, graph, message):
    folder = written(tmp_path / "notes", graph)
    with pytest.raises(ConfigurationError, match=message):
        build(str(folder), settings=Settings(home=tmp_path / "home"))
