"""Every fixed statement's plan, with and without statistics, here and on D1's SQLite."""

from __future__ import annotations

import re
import sqlite3

import apsw
import pytest

from lens_dsl.plan import Statement
from lens_runtime.projection.plans import PLANNED, unbounded
from lens_runtime.projection.plans import parameters as parameters_of
from lens_runtime.projection.schema import DDL
from lens_runtime.projection.sql import WRITES
from tests.stores import statements
from tests.stores.model import Facts, case, edge, party, project


@pytest.mark.promise("P136")
@pytest.mark.parametrize("statistics", [False, True])
def test_no_statement_reads_a_whole_table(store, statistics):
    names = [f"p{number}" for number in range(50)]
    said = Facts(
        nodes={"people": [party(name) for name in names], "desk": [case(name) for name in names]},
        edges={"people": [edge("knows", name, names[0]) for name in names], "desk": []},
    )
    project(store, said)
    with store.writing():
        if statistics:
            store.write([Statement("analyze_now")])
        for name, text in PLANNED.items():
            if statistics and name in WRITES:
                continue  # a build drops them first
            parameters = (None,) * parameters_of(text)
            rows = store.inspect([Statement(f"explain_{name}", parameters)]).results[0]
            assert unbounded(name, text, [str(row[3]) for row in rows]) == [], name


@pytest.mark.promise("P136")
@pytest.mark.parametrize("statistics", [False, True])
def test_full_text_is_matched_and_what_it_finds_is_sought(store, statistics):
    project(store, Facts(nodes={"people": [party(f"p{number}") for number in range(50)], "desk": []}))
    with store.writing():
        if statistics:
            store.write([Statement("analyze_now")])
        rows = store.inspect([Statement("explain_search", (None, None))]).results[0]
    details = [str(row[3]) for row in rows]
    (matched,) = [detail for detail in details if re.match(r"SCAN (t|context_text) ", detail)]
    assert re.search(r"VIRTUAL TABLE INDEX \d+:M", matched)
    assert any(re.match(r"SEARCH n .*context_nodes_text \(text_row=\?\)", detail) for detail in details)
    assert not any("TEMP B-TREE" in detail for detail in details)


def test_a_build_drops_statistics(store):
    project(store, Facts())
    store.write([Statement("analyze_now")])
    project(store, Facts())
    assert store.inspect([Statement("statistics")]).results == ((),)


def test_a_delete_seeks_by_the_whole_key(store):
    project(store, Facts())
    with store.writing():
        for name, columns in (("drop_adjacency", 8), ("drop_fan", 4), ("drop_keys", 8)):
            parameters = (None,) * parameters_of(WRITES[name])
            rows = store.inspect([Statement(f"explain_{name}", parameters)]).results[0]
            (sought,) = [str(row[3]) for row in rows if str(row[3]).startswith("SEARCH")]
            assert sought.count("=?") == columns


def test_a_scan_would_be_seen(store):
    project(store, Facts())
    with store.writing():
        rows = store.inspect([Statement("scan")]).results[0]
    plan = [str(row[3]) for row in rows]
    for text in (statements.INSPECTIONS["scan"], "SELECT s.id FROM context_nodes s WHERE s.label = 'x'"):
        assert unbounded("scan", text, plan)
    assert unbounded("scan", "SELECT s.id FROM context_nodes AS s", ["SCAN s"])
    assert unbounded("scan", "SELECT 1", ["SEARCH s USING AUTOMATIC COVERING INDEX (id=?)"])
    assert not unbounded("scan", "SELECT s.value FROM json_each(?1) s", ["SCAN s VIRTUAL TABLE INDEX 1:"])


def test_columns_have_names_of_their_own():
    """D1 hands rows out as objects, so that two columns of one name would be one."""
    connection = apsw.Connection(":memory:")
    for statement in DDL:
        connection.execute(statement)
    for name, text in PLANNED.items():
        columns = column_names(connection, text)
        assert len(set(columns)) == len(columns), name
        assert not any(column.isdigit() for column in columns), name


def column_names(connection: apsw.Connection, text: str) -> list[str]:
    """What a statement's columns are called, without running it."""
    found: list[str] = []

    def describe(cursor: apsw.Cursor, sql: str, bindings: object) -> bool:
        found.extend(column[0] for column in cursor.get_description())
        return False

    cursor = connection.cursor()
    cursor.exec_trace = describe
    with pytest.raises(apsw.ExecTraceAbort):
        cursor.execute(text, (None,) * parameters_of(text))
    return found


def test_pythons_own_sqlite_prepares_them_too():
    """3.40 and newer: what CI's oldest Python brings."""
    connection = sqlite3.connect(":memory:")
    for statement in DDL:
        connection.execute(statement)
    for name, text in PLANNED.items():
        assert connection.execute(f"EXPLAIN {text}", (None,) * parameters_of(text)).fetchall(), name
    connection.close()


def test_statements_keep_to_what_both_engines_prepare():
    for name, text in PLANNED.items():
        assert not re.search(r"(?<![+\w])=\s*\?\d", text), f"{name}: apsw prepares `= ?1` anew at every call"
        assert not re.search(r"\b(power|log10|user_version|LIKE)\b", text), name
        assert len(text) < 16_000, f"{name}: apsw caches no statement as long as this"
        assert parameters_of(text) <= 10, name
    assert not set(statements.INSPECTIONS) & set(PLANNED)
