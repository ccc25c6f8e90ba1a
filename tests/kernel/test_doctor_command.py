"""``lens doctor``: a healthy graph, everything that can be wrong with one, and that what it advises helps."""

from __future__ import annotations

import json
import re
import shlex
from contextlib import closing
from pathlib import Path

import apsw
import pytest

NODE = "(SELECT min(nid) FROM context_nodes)"
EDGE = "(SELECT min(eid) FROM context_edges WHERE src IS NOT NULL AND dst IS NOT NULL)"
LIVE = "(SELECT generation FROM context_generation)"
PLANTED = {
    "schema": (
        "DROP INDEX context_edges_src",
        "DROP TABLE context_fan",
        "DROP TABLE context_schema",
        "ALTER TABLE context_nodes ADD COLUMN more TEXT",
        "CREATE INDEX more ON context_nodes (label)",
        "CREATE TRIGGER more AFTER DELETE ON context_nodes BEGIN DELETE FROM context_keys; END",
        "UPDATE context_schema SET version = 2",
        "INSERT INTO context_schema VALUES (4)",
    ),
    "statistics": ("ANALYZE",),
    "generation": ("INSERT INTO context_builds VALUES (7, 'library', 0)",),
    "ontology": ("UPDATE context_generation SET ontology = 'old'",),
    "policy": (
        "UPDATE context_generation SET policy = 'old'",
        "DELETE FROM context_grants",
        "INSERT INTO context_grants VALUES ('eve', 'Book', '-', 'internal', 'nobody')",
    ),
    "cursors": (
        f"INSERT INTO context_projection_cursors VALUES ({LIVE}, 'ghost', '1', 0)",
        "DELETE FROM context_projection_cursors WHERE module = 'lending'",
    ),
    "labels": (f"UPDATE context_nodes SET label = ' ' WHERE nid = {NODE}",),
    "record scopes": (
        f"DELETE FROM context_scopes WHERE vis = (SELECT vis FROM context_nodes WHERE nid = {NODE})",
        f"UPDATE context_nodes SET vis = NULL WHERE nid = {NODE}",
        f"UPDATE context_nodes SET visibility = 'other' WHERE nid = {NODE}",
    ),
    "keys": (
        "UPDATE OR IGNORE context_keys SET nid = 999999",
        "UPDATE context_keys SET nobs = 5",
        f"UPDATE context_keys SET vis = 999 WHERE nid = {NODE}",
    ),
    "keys by kind": (f"DELETE FROM context_keys WHERE nid = {NODE}",),
    "text": (
        f"UPDATE context_nodes SET words = 'elsewhere' WHERE nid = {NODE}",
        "INSERT INTO context_text (context_text) VALUES ('delete-all')",
    ),
    "text whole": (
        f"INSERT INTO context_text (rowid, scopes, words) VALUES (1, 'g' || {LIVE} || 'v1', 'stray')",
    ),
    "ends": (
        f"UPDATE context_edges SET dst = 999999 WHERE eid = {EDGE}",
        f"UPDATE context_edges SET dst = src WHERE eid = {EDGE}",
    ),
    "dangling": (
        f"UPDATE context_edges SET dst = NULL WHERE eid = {EDGE}",
        f"UPDATE context_edges SET src = NULL WHERE eid = {EDGE}",
    ),
    "orphan adjacency": (
        "INSERT INTO context_adjacency VALUES (999999, 0, 1, 1, 0, 0, 1, 1)",
        f"DELETE FROM context_nodes WHERE nid = (SELECT src FROM context_edges WHERE eid = {EDGE})",
    ),
    "orphan fan": ("INSERT INTO context_fan VALUES (999999, 0, 1, 1, 1)",),
    "adjacency": (
        f"DELETE FROM context_edges WHERE eid = {EDGE}",
        f"INSERT INTO context_adjacency VALUES ({NODE}, 0, 1, 1, 0, 0, 999999, 999999)",
        "UPDATE context_adjacency SET vis = 999",
        "UPDATE context_adjacency SET dir = 1 - dir",
        "UPDATE context_adjacency SET nobs = 5",
        "DELETE FROM context_types",
    ),
    "adjacency whole": (f"DELETE FROM context_adjacency WHERE eid = {EDGE} AND dir = 1",),
    "fan": ("UPDATE context_fan SET n = n + 1", "DELETE FROM context_fan"),
    "generations": (
        f"UPDATE context_nodes SET generation = 99 WHERE nid = {NODE}",
        "INSERT INTO context_projection_cursors VALUES (99, 'lending', '1', 0)",
    ),
    "aggregates": (
        """INSERT INTO context_aggregates VALUES ('a', 'library', 'main', 'p', 'x', '-', '1', 's', 'u', 'h', 'f',
        '1', 1, 'm', 0, 0, '["gone"]')""",
    ),
}  # fmt: skip
CASES = [(check, statement) for check, statements in PLANTED.items() for statement in statements]


@pytest.fixture
def library(lens, own_home: Path, tmp_path: Path) -> Path:
    """The folder of a small world that is built."""
    folder = tmp_path / "my library"
    lens("world", "new", str(folder))
    assert lens("world", "build", str(folder)).code == 0
    return folder


@pytest.fixture
def graph(library: Path, own_home: Path) -> Path:
    """The file of its graph."""
    (found,) = (own_home / "worlds").glob("*/graph.db")
    return found


def run(graph: Path, statement: str) -> None:
    with closing(apsw.Connection(str(graph))) as connection:
        connection.execute(statement)


def mends(lens, world: Path) -> dict[str, str]:
    """What is found, by check: how it is mended."""
    ran = lens("doctor", str(world), "--json")
    told = json.loads(ran.out)
    found = {one["check"]: one["mend"] for one in told["checks"] if one["result"] == "finding"}
    assert ran.code == bool(found) == (not told["healthy"])
    return found


def carry_out(lens, mend: str) -> None:
    """Run the commands that a mend names, as a shell would."""
    commands = re.findall(r"\blens world (?:[^,']|'[^']*')+", mend)
    assert commands
    for command in commands:
        assert lens(*shlex.split(command)[1:]).code == 0, command


def test_able_is_healthy(lens, able_home):
    ran = lens("doctor", "able")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("able: nothing amiss\n")
    assert "7,617 relationships" in ran.out
    assert "finding" not in ran.out
    assert "untold" not in ran.out


@pytest.mark.parametrize(("check", "statement"), CASES)
def test_what_is_wrong_is_found_and_what_is_advised_helps(lens, library, graph, check, statement):
    assert mends(lens, library) == {}
    run(graph, statement)
    found = mends(lens, library)
    assert check in found
    carry_out(lens, found[check])
    assert mends(lens, library) == {}


def test_the_doctor_writes_nothing(lens, library, graph):
    run(graph, "UPDATE context_fan SET n = n + 1")
    run(graph, "PRAGMA wal_checkpoint(TRUNCATE)")
    before = graph.read_bytes()
    lens("doctor", str(library))
    assert graph.read_bytes() == before


@pytest.mark.parametrize(
    "page", ["1", "(SELECT rootpage FROM sqlite_master WHERE name = 'context_edges_src')"]
)
def test_a_damaged_file_is_told_and_a_new_one_helps(lens, library, graph, page):
    run(graph, "PRAGMA wal_checkpoint(TRUNCATE)")
    with closing(apsw.Connection(str(graph))) as connection:
        (at, size), *_ = connection.execute(f"SELECT {page}, page_size FROM pragma_page_size")
    content = bytearray(graph.read_bytes())
    content[(at - 1) * size : at * size] = b"\xa5" * size
    graph.write_bytes(content)
    found = mends(lens, library)
    assert list(found) == ["file"]
    removed, _, then = found["file"].partition(", then ")
    for name in re.split(", | and ", removed.removeprefix("remove ")):
        Path(name).unlink(missing_ok=True)
    carry_out(lens, then)
    assert mends(lens, library) == {}


def test_what_it_tells_holds_ids_and_nothing_of_a_record(lens, library, graph):
    run(graph, "UPDATE context_nodes SET label = '', summary = 'SECRET', visibility = 'other'")
    run(graph, "UPDATE context_adjacency SET nobs = 5")
    ran = lens("doctor", str(library))
    assert re.search(r"labels +finding +records without a label: \d+, such as [a-z2-7]{32}\n", ran.out)
    assert f"labels: give them one in modules.yml, then lens world build '{library}' --rebuild" in ran.out
    for hidden in ("SECRET", "Sea Road", "archive"):
        assert hidden not in ran.out


def test_a_build_that_is_at_work_is_no_finding(lens, library, graph):
    run(graph, "INSERT INTO context_builds VALUES (7, 'library', 0)")
    with closing(apsw.Connection(f"{graph}.writer")) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert mends(lens, library) == {}
        assert "a build is at work: process" in lens("doctor", str(library)).out
        writer.execute("ROLLBACK")
    assert list(mends(lens, library)) == ["generation"]


def test_without_a_graph_there_is_nothing_to_look_at(lens, own_home, tmp_path):
    folder = tmp_path / "mine"
    lens("world", "new", str(folder))
    for _ in range(2):
        ran = lens("doctor", str(folder))
        assert (ran.code, ran.out) == (3, "")
        assert f"lens world build {folder}" in ran.err
        lens("world", "build", str(folder))
        lens("world", "drop", str(folder))


def test_a_graph_elsewhere_is_mended_there(lens, library, tmp_path):
    where = f"sqlite:{tmp_path / 'other.db'}"
    lens("world", "build", str(library), "--store", where)
    run(tmp_path / "other.db", "UPDATE context_fan SET n = n + 1")
    told = json.loads(lens("doctor", str(library), "--store", where, "--json").out)
    (mend,) = [one["mend"] for one in told["checks"] if one["result"] == "finding"]
    carry_out(lens, mend)
    assert lens("doctor", str(library), "--store", where).code == 0
