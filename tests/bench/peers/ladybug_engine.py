"""Ladybug: a table of records, a table a type of relationship, Cypher."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import ladybug

from tests.bench.graph import TYPES, Graph
from tests.bench.peers.walking import Hop, tables
from tests.bench.shapes import ALONG, BUDGET

POOL = 1 << 30
CHAIN = (
    "MATCH (a:N {{id: $start}})-[r1:{}]->(b:N)-[r2:{}]->(c:N)-[r3:{}]->(d:N) "
    "WHERE NOT r1.secret AND NOT r2.secret AND NOT r3.secret RETURN a.id, b.id, c.id, d.id"
).format(*ALONG)
HOPS = (
    "MATCH (a:N {{id: $start}})-[r:{types}]-(b:N) WHERE NOT r.secret "
    f"RETURN a.id, r.edge, b.id, r.seen ORDER BY r.seen DESC LIMIT {BUDGET.fanout}"
)


class LadybugEngine:
    """One statement a record: with the frontier as a list it was three to twelve times slower.

    One thread: with two, chains of three steps came back with other rows (ladybug 0.22.0).
    """

    def __init__(self, graph: Graph, folder: Path) -> None:
        file = folder / f"{graph.size}.lbug"
        if not file.exists():
            making = folder / f"{graph.size}.lbug-making"
            making.unlink(missing_ok=True)
            _fill(making, tables(graph, folder))
            making.rename(file)
        self._database = ladybug.Database(str(file), buffer_pool_size=POOL, read_only=True)
        self._connection = ladybug.Connection(self._database, num_threads=1)

    def hops(self, nodes: Sequence[int], types: Sequence[str]) -> list[Hop]:
        """One statement for each of them."""
        text = HOPS.format(types="|".join(types))
        return [(a, r, b, seen) for node in nodes for a, r, b, seen in self._rows(text, node)]

    def chain(self, start: int) -> list[tuple[int, ...]]:
        """One statement."""
        return [tuple(row) for row in self._rows(CHAIN, start)]

    def _rows(self, text: str, start: int) -> list[list[int]]:
        result = self._connection.execute(text, {"start": start})
        rows: list[list[int]] = result.get_all()
        result.close()
        return rows

    def close(self) -> None:
        """Close the database."""
        self._connection.close()
        self._database.close()


def _fill(file: Path, source: Path) -> None:
    database = ladybug.Database(str(file), buffer_pool_size=POOL)
    connection = ladybug.Connection(database)
    connection.execute("CREATE NODE TABLE N(id INT64, PRIMARY KEY(id))")
    connection.execute(f"COPY N FROM '{source / 'nodes.csv'}' (header = false)")
    for name, _, _ in TYPES:
        connection.execute(f"CREATE REL TABLE {name}(FROM N TO N, edge INT64, seen INT64, secret BOOLEAN)")
        connection.execute(f"COPY {name} FROM '{source / name}.csv' (header = false)")
    connection.close()
    database.close()
