"""The compiler's statements, all of them: what it writes, and what it and the operator inspect.

A statement takes at most one JSON text of rows and a few scalars. D1 binds every number as REAL, so row
integers travel inside the JSON, and scalar numbers are only compared or stored in INTEGER columns, which
turn them back. ``=+?1`` instead of ``=?1`` keeps apsw from preparing a statement anew at every call.
"""

from __future__ import annotations

from lens_runtime.projection.diagnoses import DIAGNOSES, LOST
from lens_runtime.projection.schema import DDL, LEASE, TABLES

_NODE = """n.nid, n.id, n.context, n.module, n.entity_type, n.entity_id, n.module_revision, n.label, n.summary,
  n.visibility, n.guard, n.observed_at, n.keys, n.properties, n.digest"""

_EDGE = """e.eid, e.id, e.from_node_id, e.edge_type, e.to_node_id, e.provenance_module, e.provenance_entity_id,
  e.provenance_revision, e.provenance_event_id, e.visibility, e.observed_at, e.properties, e.digest, e.src, e.dst"""

INSPECTIONS: dict[str, str] = {
    "schema_exists": "SELECT count(*) AS n FROM sqlite_master WHERE type = 'table' AND name = 'context_schema'",
    "statistics": "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'sqlite_stat1'",
    "schema_version": "SELECT version FROM context_schema",
    "lease": "SELECT holder, since FROM context_lease WHERE name = 'writer' AND until > unixepoch()",
    "live": "SELECT world, generation, ontology, policy, built_at FROM context_generation",
    "grants": "SELECT actor, kind, guard, class, role FROM context_grants",
    "builds": "SELECT generation FROM context_builds ORDER BY generation",
    "highest": """SELECT (SELECT coalesce(max(nid), 0) FROM context_nodes) AS nid,
        (SELECT coalesce(max(eid), 0) FROM context_edges) AS eid,
        max((SELECT coalesce(max(generation), 0) FROM context_generation),
            (SELECT coalesce(max(generation), 0) FROM context_builds)) AS generation""",
    "types": "SELECT name, etype FROM context_types",
    "scopes": "SELECT context, kind, guard, class, edge_class, vis FROM context_scopes WHERE world = +?1",
    "cursors": """SELECT module, cursor, updated_at FROM context_projection_cursors
        WHERE generation = +?1 ORDER BY module""",
    "null_references": """SELECT module, edge_type, n FROM context_null_references
        WHERE generation = +?1 ORDER BY module, edge_type""",
    "nodes_by_id": f"""SELECT {_NODE} FROM json_each(?1) j
        CROSS JOIN context_nodes n ON n.generation = +?2 AND n.id = j.value""",
    "nodes_by_nid": f"SELECT {_NODE} FROM json_each(?1) j CROSS JOIN context_nodes n ON n.nid = j.value",
    "edges_by_id": f"""SELECT {_EDGE} FROM json_each(?1) j
        CROSS JOIN context_edges e ON e.generation = +?2 AND e.id = j.value""",
    "edges_by_assertion": f"""SELECT {_EDGE} FROM json_each(?1) j
        CROSS JOIN context_edges e ON e.generation = +?2 AND e.provenance_module = +?3
          AND e.provenance_entity_id = j.value""",
    "edges_out": f"SELECT {_EDGE} FROM json_each(?1) j CROSS JOIN context_edges e ON e.src = j.value",
    "edges_in": f"SELECT {_EDGE} FROM json_each(?1) j CROSS JOIN context_edges e ON e.dst = j.value",
    "edges_without_source": f"""SELECT {_EDGE} FROM json_each(?1) j
        CROSS JOIN context_edges e ON e.src IS NULL AND e.generation = +?2 AND e.from_node_id = j.value""",
    "edges_without_target": f"""SELECT {_EDGE} FROM json_each(?1) j
        CROSS JOIN context_edges e ON e.dst IS NULL AND e.generation = +?2 AND e.to_node_id = j.value""",
    "module_nodes": """SELECT nid, id FROM context_nodes
        WHERE generation = +?1 AND module = +?2 AND nid > +?3 ORDER BY nid LIMIT +?4""",
    "module_edges": """SELECT eid, id FROM context_edges
        WHERE generation = +?1 AND provenance_module = +?2 AND eid > +?3 ORDER BY eid LIMIT +?4""",
    "count_nodes": """SELECT entity_type, count(*) AS n FROM context_nodes
        WHERE generation = +?1 GROUP BY entity_type ORDER BY entity_type""",
    "count_edges": """SELECT edge_type, count(*) AS n, sum(src IS NULL OR dst IS NULL) AS dangling,
        count(DISTINCT CASE WHEN src IS NULL THEN from_node_id WHEN dst IS NULL THEN to_node_id END) AS absent
        FROM context_edges
        WHERE generation = +?1 GROUP BY edge_type ORDER BY edge_type""",
    "export_nodes": """SELECT id, world, context, module, entity_type, entity_id, module_revision, label, summary,
        visibility, guard, observed_at, keys, properties FROM context_nodes
        WHERE generation = +?1 AND id > +?2 ORDER BY id LIMIT +?3""",
    "export_edges": """SELECT id, from_node_id, edge_type, to_node_id, provenance_module, provenance_entity_id,
        provenance_revision, provenance_event_id, visibility, observed_at, properties,
        src IS NULL AS source_missing, dst IS NULL AS target_missing FROM context_edges
        WHERE generation = +?1 AND id > +?2 ORDER BY id LIMIT +?3""",
    "generation_left": """SELECT EXISTS (SELECT 1 FROM context_nodes WHERE generation = +?1) AS nodes,
        EXISTS (SELECT 1 FROM context_edges WHERE generation = +?1) AS edges,
        EXISTS (SELECT 1 FROM context_keys WHERE generation = +?1) AS keys""",
    **DIAGNOSES,
}

CREATE = tuple(f"create_{number:02}" for number in range(len(DDL)))
DROP = tuple(f"drop_{table}" for table in TABLES)

# The index is written in the order of its rows: one that comes out of order makes it flush what it has.
_TEXT = """text_row,
          coalesce('g' || generation || 'v' || vis, '') || coalesce(' g' || generation || 'v' || vis_any, ''), words
        FROM context_nodes"""
_ENTRY = f"{_TEXT}\n        WHERE nid IN (SELECT value FROM json_each(?1)) ORDER BY text_row"
_OLD_NODES = "SELECT nid FROM context_nodes WHERE generation = +?1 ORDER BY id LIMIT +?2"

WRITES: dict[str, str] = {
    **dict(zip(CREATE, DDL, strict=True)),
    **{name: f"DROP TABLE IF EXISTS {table}" for name, table in zip(DROP, TABLES, strict=True)},
    "create_lease": LEASE,
    # After ANALYZE the deletes below would seek by their first columns only, and read whole hubs and kinds.
    "drop_statistics": "DROP TABLE IF EXISTS sqlite_stat1",
    "set_version": "INSERT INTO context_schema (version) SELECT +?1 WHERE NOT EXISTS (SELECT 1 FROM context_schema)",
    # A lease that another holds and that has not run out gives NULL, so that NOT NULL fails the whole write.
    "hold_lease": """INSERT INTO context_lease (name, holder, since, until) VALUES ('writer',
        CASE WHEN EXISTS (SELECT 1 FROM context_lease
          WHERE name = 'writer' AND holder <> +?1 AND until > unixepoch()) THEN NULL ELSE +?1 END,
        unixepoch(), unixepoch() + CAST(+?2 AS INTEGER))
        ON CONFLICT (name) DO UPDATE SET until = excluded.until, holder = excluded.holder,
          since = CASE WHEN holder = excluded.holder THEN since ELSE excluded.since END""",
    "release_lease": "DELETE FROM context_lease WHERE name = 'writer' AND holder = +?1",
    "open_build": "INSERT INTO context_builds (generation, world, started_at) VALUES (+?1, +?2, +?3)",
    # The generation that was live joins those to be swept, and the finished one leaves them.
    "retire_live": """INSERT INTO context_builds (generation, world, started_at)
        SELECT generation, world, built_at FROM context_generation WHERE world = +?1 AND generation <> +?2""",
    "close_build": "DELETE FROM context_builds WHERE generation = +?1",
    "set_live": """INSERT INTO context_generation (world, generation, ontology, policy, built_at)
        VALUES (+?1, +?2, +?3, +?4, +?5) ON CONFLICT (world) DO UPDATE SET generation = excluded.generation,
        ontology = excluded.ontology, policy = excluded.policy, built_at = excluded.built_at""",
    "clear_grants": "DELETE FROM context_grants",
    "add_grants": """INSERT INTO context_grants (actor, kind, guard, class, role)
        SELECT value->>0, value->>1, value->>2, value->>3, value->>4 FROM json_each(?1)""",
    "set_policy": "UPDATE context_generation SET policy = +?2 WHERE world = +?1",
    "add_types": "INSERT INTO context_types (etype, name) SELECT value->>0, value->>1 FROM json_each(?1)",
    "add_scopes": """INSERT INTO context_scopes (vis, world, context, kind, guard, class, edge_class)
        SELECT value->>0, +?2, value->>1, value->>2, value->>3, value->>4, value->>5 FROM json_each(?1)""",
    "put_nodes": """INSERT INTO context_nodes (nid, generation, id, world, context, module, entity_type, entity_id,
          module_revision, label, summary, visibility, guard, vis, vis_any, observed_at, projected_at, keys,
          properties, digest, text_row, words)
        SELECT value->>0, +?2, value->>1, +?3, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7,
          value->>8, value->>9, value->>10, value->>15, value->>16, value->>11, +?4, value->>12, value->>13, value->>14,
          value->>17, value->>18
        FROM json_each(?1) WHERE true
        ON CONFLICT DO UPDATE SET module_revision = excluded.module_revision, label = excluded.label,
          summary = excluded.summary, visibility = excluded.visibility, guard = excluded.guard, vis = excluded.vis,
          vis_any = excluded.vis_any, observed_at = excluded.observed_at, projected_at = excluded.projected_at,
          keys = excluded.keys, properties = excluded.properties, digest = excluded.digest, words = excluded.words""",
    "drop_nodes": "DELETE FROM context_nodes WHERE nid IN (SELECT value FROM json_each(?1))",
    # What asserted an edge, and at which revision, stays as first written (P9).
    "put_edges": """INSERT INTO context_edges (eid, generation, id, from_node_id, edge_type, to_node_id,
          provenance_module, provenance_entity_id, provenance_revision, provenance_event_id,
          visibility, observed_at, projected_at, properties, digest, src, dst)
        SELECT value->>0, +?2, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8,
          value->>9, value->>10, +?3, value->>11, value->>12, value->>13, value->>14
        FROM json_each(?1) WHERE true
        ON CONFLICT DO UPDATE SET visibility = excluded.visibility, observed_at = excluded.observed_at,
          projected_at = excluded.projected_at, properties = excluded.properties, digest = excluded.digest,
          src = excluded.src, dst = excluded.dst""",
    "drop_edges": "DELETE FROM context_edges WHERE eid IN (SELECT value FROM json_each(?1))",
    "add_adjacency": """INSERT INTO context_adjacency (node, dir, etype, vis, nobs, tie, eid, other)
        SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7
        FROM json_each(?1)""",
    "drop_adjacency": """DELETE FROM context_adjacency WHERE (node, dir, etype, vis, nobs, tie, eid, other) IN (
        SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7
        FROM json_each(?1))""",
    "add_fan": """INSERT INTO context_fan (node, dir, etype, vis, n)
        SELECT value->>0, value->>1, value->>2, value->>3, value->>4 FROM json_each(?1) WHERE true
        ON CONFLICT DO UPDATE SET n = n + excluded.n""",
    "drop_fan": """DELETE FROM context_fan WHERE n = 0 AND (node, dir, etype, vis) IN (
        SELECT value->>0, value->>1, value->>2, value->>3 FROM json_each(?1))""",
    "add_keys": """INSERT INTO context_keys (generation, kind, property, value, vis, nobs, tie, nid)
        SELECT +?2, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6 FROM json_each(?1)""",
    "drop_keys": """DELETE FROM context_keys WHERE (generation, kind, property, value, vis, nobs, tie, nid) IN (
        SELECT CAST(+?2 AS INTEGER), value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6
        FROM json_each(?1))""",
    # An entry of the index is taken out by what it was made of: before its node changes or goes.
    "add_text": f"INSERT INTO context_text (rowid, scopes, words) SELECT {_ENTRY}",
    "drop_text": f"INSERT INTO context_text (context_text, rowid, scopes, words) SELECT 'delete', {_ENTRY}",
    "set_cursor": """INSERT INTO context_projection_cursors (generation, module, cursor, updated_at)
        VALUES (+?1, +?2, +?3, +?4)
        ON CONFLICT DO UPDATE SET cursor = excluded.cursor, updated_at = excluded.updated_at""",
    "clear_null_references": "DELETE FROM context_null_references WHERE generation = +?1 AND module = +?2",
    "add_null_references": """INSERT INTO context_null_references (generation, module, edge_type, n)
        SELECT +?2, +?3, value->>0, value->>1 FROM json_each(?1)""",
    "drop_cursor": "DELETE FROM context_projection_cursors WHERE generation = +?1 AND module = +?2",
    "sweep_adjacency": f"DELETE FROM context_adjacency WHERE node IN ({_OLD_NODES})",
    "sweep_fan": f"DELETE FROM context_fan WHERE node IN ({_OLD_NODES})",
    "sweep_text": f"""INSERT INTO context_text (context_text, rowid, scopes, words)
        SELECT 'delete', {_TEXT} WHERE nid IN ({_OLD_NODES}) ORDER BY text_row""",
    "sweep_nodes": f"DELETE FROM context_nodes WHERE nid IN ({_OLD_NODES})",
    "sweep_edges": """DELETE FROM context_edges WHERE eid IN (
        SELECT eid FROM context_edges WHERE generation = +?1 ORDER BY id LIMIT +?2)""",
    "sweep_keys": """DELETE FROM context_keys WHERE (generation, kind, property, value, vis, nobs, tie, nid) IN (
        SELECT generation, kind, property, value, vis, nobs, tie, nid FROM context_keys
        WHERE generation = +?1 LIMIT +?2)""",
    "sweep_null_references": "DELETE FROM context_null_references WHERE generation = +?1",
    "sweep_lost_aggregates": f"DELETE FROM context_aggregates AS a WHERE {LOST}",
    "sweep_cursors": "DELETE FROM context_projection_cursors WHERE generation = +?1",
}
