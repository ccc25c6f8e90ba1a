"""What is measured is what the compiler would have built."""

from __future__ import annotations

from pathlib import Path

import apsw

from lens_runtime.adapters.sqlite import SqliteStore
from lens_runtime.projection.build import build
from tests.bench.graph import MODULE, draw
from tests.bench.world import DECLARED, POLICY, WORLD, Module, Still, built

NODES = """SELECT id, entity_type, entity_id, visibility, observed_at, keys, properties, digest,
  (SELECT class FROM context_scopes s WHERE s.vis = n.vis) FROM context_nodes n"""
EDGES = """SELECT e.id, from_node_id, edge_type, to_node_id, provenance_entity_id, e.visibility, e.observed_at,
  e.digest, a.id, b.id FROM context_edges e
  LEFT JOIN context_nodes a ON a.nid = src LEFT JOIN context_nodes b ON b.nid = dst"""
ADJACENCY = """SELECT n.id, dir, t.name, s.kind, s.class, s.edge_class, nobs, tie, e.id, o.id FROM context_adjacency a
  JOIN context_nodes n ON n.nid = a.node JOIN context_nodes o ON o.nid = a.other
  JOIN context_edges e ON e.eid = a.eid JOIN context_types t ON t.etype = a.etype
  JOIN context_scopes s ON s.vis = a.vis"""
FAN = """SELECT n.id, dir, t.name, s.kind, s.class, s.edge_class, f.n FROM context_fan f
  JOIN context_nodes n ON n.nid = f.node JOIN context_types t ON t.etype = f.etype
  JOIN context_scopes s ON s.vis = f.vis"""
KEYS = """SELECT k.generation, k.kind, property, value, s.class, nobs, tie, n.id FROM context_keys k
  JOIN context_nodes n ON n.nid = k.nid JOIN context_scopes s ON s.vis = k.vis"""
SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
LIVE = "SELECT world, generation, ontology, policy FROM context_generation"
GRANTS = "SELECT actor, kind, guard, class, role FROM context_grants"


def test_a_loaded_file_holds_what_the_compiler_writes(tmp_path: Path) -> None:
    graph = draw(1_000)
    compiled = tmp_path / "compiled.sqlite"
    store = SqliteStore(compiled, world=WORLD)
    build(store, DECLARED, POLICY, [(MODULE, Module(graph).snapshot())], clock=Still())
    store.close()
    loaded = built(graph, tmp_path)
    assert loaded == built(graph, tmp_path)
    one, other = apsw.Connection(str(compiled)), apsw.Connection(str(loaded))
    for dump in (SCHEMA, LIVE, GRANTS, NODES, EDGES, ADJACENCY, FAN, KEYS):
        rows = sorted(one.execute(dump).fetchall(), key=str)
        assert rows
        assert rows == sorted(other.execute(dump).fetchall(), key=str)
