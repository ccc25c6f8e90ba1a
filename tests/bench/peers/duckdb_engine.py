"""DuckDB: relationships in both directions in one table, sorted and indexed by the record they are at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from tests.bench.graph import TYPES, Graph
from tests.bench.peers.walking import Hop, tables
from tests.bench.shapes import ALONG, BUDGET

NAMES = [name for name, _, _ in TYPES]
CHAIN = """SELECT e1.node, e1.other, e2.other, e3.other FROM adjacency e1
JOIN adjacency e2 ON e2.node = e1.other AND e2.way = 0 AND e2.type = ? AND NOT e2.secret
JOIN adjacency e3 ON e3.node = e2.other AND e3.way = 0 AND e3.type = ? AND NOT e3.secret
WHERE e1.node = ? AND e1.way = 0 AND e1.type = ? AND NOT e1.secret"""


class DuckdbEngine:
    """One question a level: the frontier as a list, a window for the bound."""

    def __init__(self, graph: Graph, folder: Path) -> None:
        file = folder / f"{graph.size}.duckdb"
        fresh = not file.exists()
        making = file.with_suffix(".making")
        making.unlink(missing_ok=True)
        if fresh:
            with duckdb.connect(str(making)) as connection:
                _fill(connection, tables(graph, folder))
            making.rename(file)
        self._connection = duckdb.connect(str(file), read_only=True)

    def hops(self, nodes: Sequence[int], types: Sequence[str]) -> list[Hop]:
        """One statement for all of them."""
        wanted = ", ".join(str(NAMES.index(name)) for name in types)
        found: list[Hop] = self._connection.execute(
            f"""SELECT node, edge, other, seen FROM adjacency
            WHERE node IN ({", ".join(map(str, nodes))}) AND type IN ({wanted}) AND NOT secret
            QUALIFY row_number() OVER (PARTITION BY node ORDER BY seen DESC) <= {BUDGET.fanout}"""
        ).fetchall()
        return found

    def chain(self, start: int) -> list[tuple[int, ...]]:
        """One statement of three joins."""
        first, second, third = (NAMES.index(name) for name in ALONG)
        found: list[tuple[int, ...]] = self._connection.execute(
            CHAIN, (second, third, start, first)
        ).fetchall()
        return found

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


def _fill(connection: duckdb.DuckDBPyConnection, source: Path) -> None:
    connection.execute(
        """CREATE TABLE adjacency (
        node INTEGER, way TINYINT, type TINYINT, seen BIGINT, edge INTEGER, other INTEGER, secret BOOLEAN)"""
    )
    columns = (
        "{'source': 'INTEGER', 'target': 'INTEGER', 'edge': 'INTEGER', 'seen': 'BIGINT', 'secret': 'BOOLEAN'}"
    )
    read = [
        f"SELECT {ends}, {way} AS way, {number} AS type, seen, edge, secret "
        f"FROM read_csv('{source / name}.csv', header = false, columns = {columns})"
        for number, name in enumerate(NAMES)
        for way, ends in enumerate(("source AS node, target AS other", "target AS node, source AS other"))
    ]
    connection.execute(
        f"""INSERT INTO adjacency SELECT node, way, type, seen, edge, other, secret
        FROM ({" UNION ALL ".join(read)}) ORDER BY node, way, type, seen DESC"""
    )
    connection.execute("CREATE INDEX adjacency_node ON adjacency (node)")
