"""What a skilled hand would write for one shape alone: bounded SQL on the same tables, with the same answer.

It knows the reader's scopes, the types and the directions beforehand, and hands out rows as they come.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lens_runtime.adapters.sqlite_connection import open_reader
from lens_runtime.projection.sql import INSPECTIONS
from tests.bench.graph import TYPES, name_of
from tests.bench.oracle import Walk
from tests.bench.shapes import ALONG, BUDGET, Neighbourhood
from tests.bench.world import OPEN, WORLD

_NODE = """n.nid, n.id, n.module, n.entity_type, n.entity_id, n.module_revision, n.label, n.summary, n.visibility,
  n.observed_at, n.properties"""
_EDGE = """r.id, r.provenance_module, r.edge_type, r.provenance_entity_id, r.provenance_revision,
  r.provenance_event_id, r.visibility, r.observed_at, r.properties"""

START = f"""
SELECT {_NODE} FROM context_generation g
CROSS JOIN context_keys k ON k.generation = g.generation AND k.kind = +?1 AND k.property = 'id'
  AND k.value = 's:' || ?2 AND k.vis = +?3
CROSS JOIN context_nodes n ON n.nid = k.nid LIMIT 1
"""

# ?1 nids, ?2 [[type, direction, scope], ...], ?3 edges kept at a node. A group gives at most so many of its newest.
HOP = f"""
SELECT h.near, h.other, h.eid, h.nobs, {_EDGE} FROM (
  SELECT e.node AS near, e.other, e.eid, e.nobs,
    row_number() OVER (PARTITION BY e.node ORDER BY e.nobs, e.tie, e.eid) AS rank
  FROM json_each(?1) f CROSS JOIN json_each(?2) w
  CROSS JOIN context_fan g ON g.node = +f.value AND g.dir = +(w.value->>1) AND g.etype = +(w.value->>0)
    AND g.vis = +(w.value->>2)
  CROSS JOIN context_adjacency e ON e.node = g.node AND e.dir = g.dir AND e.etype = g.etype AND e.vis = g.vis
    AND e.nobs <= CASE WHEN g.n <= +?3 THEN 9e18 ELSE (
      SELECT y.nobs FROM context_adjacency y
      WHERE y.node = g.node AND y.dir = g.dir AND y.etype = g.etype AND y.vis = g.vis
      ORDER BY y.nobs LIMIT 1 OFFSET +?3 - 1) END) h
CROSS JOIN context_edges r ON r.eid = h.eid
WHERE h.rank <= +?3
"""

NODES = f"SELECT {_NODE} FROM json_each(?1) j CROSS JOIN context_nodes n ON n.nid = +j.value"


def _chain() -> str:
    """One statement for the whole chain: ?1 kind, ?2 id, ?3 edges kept at a node, then scope, type, scope, type, ..."""
    columns, joins, near = [_NODE.replace("n.", "n0.")], [], "n0.nid"
    for hop in range(1, len(ALONG) + 1):
        etype, vis = f"?{2 * hop + 3}", f"?{2 * hop + 4}"
        group = f"node = {near} AND {{0}}.dir = 0 AND {{0}}.etype = +{etype} AND {{0}}.vis = +{vis}"
        joins.append(f"""CROSS JOIN context_fan g{hop} ON g{hop}.{group.format(f"g{hop}")}
CROSS JOIN context_adjacency e{hop} ON e{hop}.{group.format(f"e{hop}")}
  AND e{hop}.nobs <= CASE WHEN g{hop}.n <= +?3 THEN 9e18 ELSE (
    SELECT y.nobs FROM context_adjacency y WHERE y.{group.format("y")}
    ORDER BY y.nobs LIMIT 1 OFFSET +?3 - 1) END
CROSS JOIN context_edges r{hop} ON r{hop}.eid = e{hop}.eid
CROSS JOIN context_nodes n{hop} ON n{hop}.nid = e{hop}.other""")
        columns += [_EDGE.replace("r.", f"r{hop}."), _NODE.replace("n.", f"n{hop}.")]
        near = f"e{hop}.other"
    return f"""SELECT {", ".join(columns)} FROM context_generation g
CROSS JOIN context_keys k ON k.generation = g.generation AND k.kind = +?1 AND k.property = 'id'
  AND k.value = 's:' || ?2 AND k.vis = +?4
CROSS JOIN context_nodes n0 ON n0.nid = k.nid
{chr(10).join(joins)}"""


CHAIN = _chain()
_IDS = [
    4 + 20 * number for number in range(len(ALONG) + 1)
]  # where the chain's columns have a record's own id


class Handwritten:
    """The statements on a connection of their own."""

    def __init__(self, path: Path) -> None:
        self._connection = open_reader(path)
        rows = self._connection.execute(INSPECTIONS["scopes"], (WORLD,))
        self._vis = {
            str(kind): vis for _, kind, _, class_, joined, vis in rows if class_ == OPEN and not joined
        }
        self._types = {str(name): etype for name, etype in self._connection.execute(INSPECTIONS["types"])}
        self._ways: dict[str, str] = {}

    def chain(self, kinds: Sequence[str], start: int) -> list[tuple[Any, ...]]:
        """The rows of the chain, over records of these kinds."""
        along = [
            v
            for name, kind in zip(ALONG, kinds[1:], strict=True)
            for v in (self._types[name], self._vis[kind])
        ]
        first = (kinds[0], name_of(start), BUDGET.fanout, self._vis[kinds[0]])
        return self._connection.execute(CHAIN, (*first, *along)).fetchall()

    def neighbourhood(self, shape: Neighbourhood, start: int) -> tuple[list[Any], dict[str, Any]]:
        """The records and relationships of a neighbourhood: a statement a hop, and one for the records."""
        run, ways = self._connection.execute, self._ways_of(shape)
        (first,) = run(START, (shape.kind, name_of(start), self._vis[shape.kind])).fetchall()
        known, level, edges = {first[0]}, [first[0]], dict[str, Any]()
        for _ in range(3):
            hops = run(HOP, (json.dumps(level), ways, BUDGET.fanout)).fetchall()
            newest = dict.fromkeys(row[1] for row in sorted(hops, key=_age))
            level = [nid for nid in newest if nid not in known][: BUDGET.nodes - len(known)]
            known.update(level)
            edges.update((str(row[4]), row) for row in hops if row[1] in known)
        return run(NODES, (json.dumps(sorted(known)),)).fetchall(), edges

    def _ways_of(self, shape: Neighbourhood) -> str:
        if shape.name not in self._ways:
            ends = [(self._types[name], ends) for name, *ends in TYPES if name in shape.types]
            ways = [(etype, way, self._vis[ends[1 - way]]) for etype, ends in ends for way in (0, 1)]
            self._ways[shape.name] = json.dumps(ways)
        return self._ways[shape.name]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def chain_of(rows: Sequence[tuple[Any, ...]]) -> list[tuple[str, ...]]:
    """The chain's records by their own ids, sorted."""
    return sorted(tuple(row[at] for at in _IDS) for row in rows)


def walk_of(found: tuple[list[Any], dict[str, Any]]) -> Walk:
    """What a neighbourhood's statements brought, in the oracle's terms."""
    nodes, edges = found
    return Walk(
        frozenset(int(row[4][1:]) for row in nodes), frozenset(int(row[7][1:]) for row in edges.values())
    )


def _age(row: tuple[Any, ...]) -> int:
    age: int = row[3]
    return age
