"""GraphQLite: an extension of SQLite with Cypher, loaded into apsw, since many a Python's sqlite3 loads none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import graphqlite

from tests.bench.graph import TYPES, Graph, observed_at
from tests.bench.peers.walking import Hop
from tests.bench.shapes import ALONG, BUDGET

KEYS = {"id": 1, "edge": 2, "seen": 3, "secret": 4}
CHAIN = (
    "MATCH (a:N {id: %d})-[r1:%s]->(b:N)-[r2:%s]->(c:N)-[r3:%s]->(d:N) "
    "WHERE r1.secret = 0 AND r2.secret = 0 AND r3.secret = 0 "
    "RETURN a.id AS a, b.id AS b, c.id AS c, d.id AS d"
)
HOPS = (
    "MATCH (a:N {id: %d})-[r:%s]-(b:N) WHERE r.secret = 0 "
    "RETURN r.edge AS edge, b.id AS far, r.seen AS seen ORDER BY r.seen DESC LIMIT %d"
)


class GraphqliteEngine:
    """One statement a record; its tables are filled directly, which is faster than CREATE."""

    def __init__(self, graph: Graph, folder: Path) -> None:
        file = folder / f"{graph.size}.graphqlite"
        if not file.exists():
            making = file.with_suffix(".making")
            making.unlink(missing_ok=True)
            connection = apsw.Connection(str(making))
            graphqlite.load(connection)
            _fill(connection, graph)
            connection.close()
            making.rename(file)
        self._connection = apsw.Connection(str(file))
        graphqlite.load(self._connection)

    def hops(self, nodes: Sequence[int], types: Sequence[str]) -> list[Hop]:
        """One statement for each of them."""
        return [
            (node, row["edge"], row["far"], row["seen"])
            for node in nodes
            for row in self._rows(HOPS % (node, "|".join(types), BUDGET.fanout))
        ]

    def chain(self, start: int) -> list[tuple[int, ...]]:
        """One statement."""
        return [(row["a"], row["b"], row["c"], row["d"]) for row in self._rows(CHAIN % (start, *ALONG))]

    def _rows(self, text: str) -> list[dict[str, int]]:
        ((answer,),) = self._connection.execute("SELECT cypher(?)", (text,)).fetchall()
        rows: list[dict[str, int]] = json.loads(str(answer)) if answer else []
        return rows

    def close(self) -> None:
        """Close the database."""
        self._connection.close()


def _fill(connection: apsw.Connection, graph: Graph) -> None:
    connection.execute("PRAGMA synchronous = OFF")
    with connection:
        put = connection.executemany
        put("INSERT INTO property_keys (id, key) VALUES (?, ?)", [(n, key) for key, n in KEYS.items()])
        put("INSERT INTO nodes (id) VALUES (?)", ((node + 1,) for node in range(graph.size)))
        put("INSERT INTO node_labels VALUES (?, 'N')", ((node + 1,) for node in range(graph.size)))
        put("INSERT INTO node_props_int VALUES (?, 1, ?)", ((node + 1, node) for node in range(graph.size)))
        put("INSERT INTO edges (id, source_id, target_id, type) VALUES (?, ?, ?, ?)", _edges(graph))
        put("INSERT INTO edge_props_int VALUES (?, ?, ?)", _properties(graph))
    connection.execute("ANALYZE")


def _edges(graph: Graph) -> Iterator[tuple[Any, ...]]:
    for edge in graph.edges:
        ends = (graph.sources[edge] + 1, graph.targets[edge] + 1)
        yield (edge + 1, *ends, TYPES[graph.types[edge]][0])


def _properties(graph: Graph) -> Iterator[tuple[int, int, int]]:
    for edge in graph.edges:
        yield (edge + 1, KEYS["edge"], edge)
        yield (edge + 1, KEYS["seen"], observed_at(edge))
        yield (edge + 1, KEYS["secret"], graph.secret[edge])
