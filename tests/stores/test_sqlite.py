"""The SQLite file alone: limits, locks, threads, damage."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import apsw
import pytest

from lens_dsl.errors import ConfigurationError, ExecutionError, StoreError
from lens_dsl.plan import Statement
from lens_runtime.adapters import sqlite_connection, sqlite_lock
from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.adapters.sqlite_connection import mapped, open_reader
from lens_runtime.projection.status import export, status
from tests.stores.model import WORLD, Facts, Patience, edge, party, project, scope

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def built(database: Path):
    store = SqliteStore(database, world=WORLD)
    project(store, Facts(nodes={"people": [party("p1"), party("p2")], "desk": []}))
    yield store
    store.close()


class Until:
    """A deadline a moment away."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining(self) -> float:
        return max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        if not self.remaining():
            raise ExecutionError("DeadlineExceeded", "too late")


def test_a_deadline_stops_a_statement_at_once_and_the_store_goes_on(built):
    overruns = []
    for _ in range(3):
        deadline = Until(0.05)
        with pytest.raises(ExecutionError) as caught:
            built.read([Statement("slow")], scope("root"), deadline)
        overruns.append(time.monotonic() - deadline._end)
        assert caught.value.code == "DeadlineExceeded"
    assert min(overruns) < 0.05
    assert built.read([Statement("scopes_held")], scope("root"), Patience()).results
    with pytest.raises(ExecutionError):
        built.read([Statement("scopes_held")], scope("root"), Until(0))


@pytest.mark.promise("P45")
@pytest.mark.parametrize(
    "text",
    [
        "DELETE FROM context_nodes",
        "INSERT INTO context_types VALUES (9, 'x')",
        "CREATE TABLE t (a)",
        "DROP TABLE context_nodes",
        "ATTACH ':memory:' AS other",
        "PRAGMA query_only = 0",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('x')",
        "SELECT randomblob(10)",
        "VACUUM",
    ],
)
def test_a_reading_connection_can_only_read(built, database, text):
    connection = open_reader(database)
    with pytest.raises(apsw.Error), connection:
        connection.execute(text).fetchall()
    connection.close()


def test_d1s_limits_hold_on_every_connection(built, database):
    connection = open_reader(database)
    refused = {
        "many parameters": (f"SELECT 1 WHERE 1 IN ({','.join('?' * 101)})", (1,) * 101),
        "many terms": (" UNION ALL ".join(["SELECT 1"] * 6), ()),
        "deep": ("SELECT 1 WHERE " + " OR ".join(["1 = 2"] * 201), ()),
        "long": (f"SELECT 1 /*{'x' * 100_000}*/", ()),
        "wide": ("SELECT " + ",".join(["1"] * 101), ()),
        "large": ("SELECT length(?)", ("x" * 2_000_001,)),
        "long pattern": ("SELECT 'a' GLOB ?", ("a" * 51,)),
    }
    for text, parameters in refused.values():
        with pytest.raises(apsw.Error):
            connection.execute(text, parameters)
    assert connection.execute(" UNION ALL ".join(["SELECT 1"] * 5)).fetchall()
    connection.close()


HOLDER = """
import sys
from lens_runtime.adapters.sqlite import SqliteStore
store = SqliteStore(sys.argv[1], world="toy")
with store.writing():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_writer_is_told_who_writes_and_readers_go_on(built, database, monkeypatch):
    monkeypatch.setattr(sqlite_lock, "TIMEOUT_MS", 100)
    command = [sys.executable, "-c", HOLDER, str(database)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreError) as caught:
            project(built, Facts())
        assert caught.value.code == "StoreBusy"
        assert caught.value.retryable
        assert f"process {holder.pid} on " in caught.value.message
        assert status(built, WORLD).nodes == {"Party": 2}
        holder.kill()
    project(built, Facts())  # the lock went with its process


def test_one_read_is_of_one_moment(built, database):
    reader = SqliteStore(database, world=WORLD, read_only=True)
    seen, stop = [], threading.Event()

    def write() -> None:
        people = [party("p1"), party("p2")]
        for turn in range(20):
            edges = {"people": [edge("knows", "p1", "p2")] if turn % 2 else [], "desk": []}
            project(built, Facts(nodes={"people": people, "desk": []}, edges=edges))
        stop.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not stop.is_set():
        (adjacency,), (fan,) = reader.inspect([Statement("sizes"), Statement("fan_total")]).results
        seen.append((adjacency[0], fan[0]))
    writer.join()
    assert set(seen) <= {(0, 0), (2, 2)}
    reader.close()


def test_errors_of_a_source_are_not_the_stores(database):
    def broken():
        yield party("p1")
        raise FileNotFoundError("the source's file")

    store = SqliteStore(database, world=WORLD)
    with pytest.raises(FileNotFoundError):
        project(store, Facts(nodes={"people": broken(), "desk": []}))
    store.close()


def test_threads_share_a_store(built):
    answers: list[object] = []

    def ask() -> None:
        for _ in range(20):
            answers.append(built.read([Statement("scopes_held")], scope("root"), Patience()).results)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 80
    assert len({str(answer) for answer in answers}) == 1


def test_a_store_for_reading_refuses_to_write_and_makes_no_file(database):
    store = SqliteStore(database, world=WORLD, read_only=True)
    with pytest.raises(StoreError) as caught:
        store.write([Statement("clear_grants")])
    assert caught.value.code == "ReadOnly"
    with pytest.raises(StoreError) as caught:
        status(store, WORLD)
    assert (caught.value.code, caught.value.hint) == ("NotBuilt", "lens world build toy")
    assert list(database.parent.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_the_file_is_its_owners_alone(built, database):
    assert stat.S_IMODE(database.stat().st_mode) == 0o600


def test_a_damaged_or_foreign_file_is_said_to_be_one(database):
    database.write_bytes(b"this is no database" * 100)
    for read_only in (True, False):
        store = SqliteStore(database, world=WORLD, read_only=read_only)
        with pytest.raises(StoreError) as caught:
            list(export(store, WORLD))
        assert caught.value.code == "Damaged"


def test_a_folder_that_is_none_is_said_to_be_one(tmp_path):
    (tmp_path / "file").write_text("")
    store = SqliteStore(tmp_path / "file" / "graph.sqlite", world=WORLD)
    with pytest.raises(StoreError) as caught:
        project(store, Facts())
    assert caught.value.code == "CannotOpen"


def test_every_error_of_sqlite_comes_out_as_ours(tmp_path):
    foreign = [
        value for value in vars(apsw).values() if isinstance(value, type) and issubclass(value, apsw.Error)
    ]
    assert len(foreign) > 30
    for kind in [*foreign, OSError]:
        with pytest.raises(StoreError) as caught, mapped(tmp_path):
            raise kind("as it happens")
        assert not isinstance(caught.value, ConfigurationError)
        assert caught.value.__cause__ is not None


def test_what_reads_call_is_allowed_by_d1_too():
    assert "unixepoch" not in sqlite_connection.FUNCTIONS
    assert {"json_each", "coalesce", "->>"} <= sqlite_connection.FUNCTIONS
