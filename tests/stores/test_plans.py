"""Every fixed statement's plan, with and without statistics, here and on D1's SQLite."""

from __future__ import annotations

import re
import sqlite3

import apsw
import pytest

from lens_dsl.aggregates_sql import COMMITS
from lens_dsl.plan import Statement
from lens_dsl.sql import READS, SCOPES
from lens_runtime.projection.schema import DDL, TABLES
from lens_runtime.projection.sql import INSPECTIONS, WRITES
from tests.stores import statements
from tests.stores.model import Facts, case, edge, party, project

# Tables of a few rows, and those that the compiler and the operator read whole, on purpose.
SMALL = {"context_schema", "context_generation", "context_builds", "context_types"}
LOADED = {
    "scopes": "context_scopes",
    "grants": "context_grants",
    "clear_grants": "context_grants",
    "count_nodes": "context_nodes",
    "count_edges": "context_edges",
}
OURS = {
    name: text
    for name, text in {**READS, **COMMITS, "actor_scopes": SCOPES, **INSPECTIONS, **WRITES}.items()
    if not name.startswith(("create_", "drop_context_", "drop_statistics"))
}


def bad(details: list[str], loaded: str = "") -> list[str]:
    """What reads a whole table, or builds something over one."""
    scans = re.compile(r"^SCAN (\w+)")
    found = []
    for detail in details:
        scanned = scans.match(detail)
        table = scanned.group(1) if scanned else ""
        if re.search("AUTOMATIC|BLOOM", detail) or (table in TABLES and table not in {*SMALL, loaded}):
            found.append(detail)
    return found


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
        for name, text in OURS.items():
            if statistics and name in WRITES:
                continue  # a build drops them first
            parameters = (None,) * highest_parameter(text)
            rows = store.inspect([Statement(f"explain_{name}", parameters)]).results[0]
            assert bad([str(row[3]) for row in rows], LOADED.get(name, "")) == [], name


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
            parameters = (None,) * highest_parameter(WRITES[name])
            rows = store.inspect([Statement(f"explain_{name}", parameters)]).results[0]
            (sought,) = [str(row[3]) for row in rows if str(row[3]).startswith("SEARCH")]
            assert sought.count("=?") == columns


def test_a_scan_would_be_seen(store):
    project(store, Facts())
    with store.writing():
        rows = store.inspect([Statement("scan")]).results[0]
    assert bad([str(row[3]) for row in rows])


def test_columns_have_names_of_their_own():
    """D1 hands rows out as objects, so that two columns of one name would be one."""
    connection = apsw.Connection(":memory:")
    for statement in DDL:
        connection.execute(statement)
    for name, text in OURS.items():
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
        cursor.execute(text, (None,) * highest_parameter(text))
    return found


def highest_parameter(text: str) -> int:
    return max((int(number) for number in re.findall(r"\?(\d+)", text)), default=0)


def test_pythons_own_sqlite_prepares_them_too():
    """3.40 and newer: what CI's oldest Python brings."""
    connection = sqlite3.connect(":memory:")
    for statement in DDL:
        connection.execute(statement)
    for name, text in OURS.items():
        assert connection.execute(f"EXPLAIN {text}", (None,) * highest_parameter(text)).fetchall(), name
    connection.close()


def test_statements_keep_to_what_both_engines_prepare():
    for name, text in OURS.items():
        assert not re.search(r"(?<![+\w])=\s*\?\d", text), f"{name}: apsw prepares `= ?1` anew at every call"
        assert not re.search(r"\b(power|log10|user_version|LIKE)\b", text), name
        assert len(text) < 16_000, f"{name}: apsw caches no statement as long as this"
        assert highest_parameter(text) <= 10, name
    assert not set(statements.INSPECTIONS) & set(OURS)
