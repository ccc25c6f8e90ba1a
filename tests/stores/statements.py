"""Statements that only the tests run."""

from __future__ import annotations

INSPECTIONS = {
    "dump_adjacency": """SELECT near.id AS near, a.dir, t.name, s.context, s.kind, s.guard, s.class, s.edge_class,
        a.nobs, e.id AS edge, far.id AS far
        FROM context_adjacency a JOIN context_types t ON t.etype = a.etype JOIN context_scopes s ON s.vis = a.vis
        JOIN context_edges e ON e.eid = a.eid JOIN context_nodes near ON near.nid = a.node
        JOIN context_nodes far ON far.nid = a.other""",
    "dump_fan": """SELECT near.id AS near, f.dir, t.name, s.context, s.kind, s.guard, s.class, s.edge_class, f.n
        FROM context_fan f JOIN context_types t ON t.etype = f.etype JOIN context_scopes s ON s.vis = f.vis
        JOIN context_nodes near ON near.nid = f.node""",
    "dump_keys": """SELECT k.generation, k.kind, k.property, k.value, s.guard, s.class, s.edge_class, k.nobs, n.id
        FROM context_keys k JOIN context_scopes s ON s.vis = k.vis JOIN context_nodes n ON n.nid = k.nid""",
    # ?1 words: the nodes under each in the index, by scope, of whatever generation; a null id has no node left.
    "dump_text": """SELECT w.value AS word, n.id AS id, s.kind, s.guard, s.class
        FROM json_each(?1) w CROSS JOIN json_each('[1, 2, 3, 4, 5, 6]') g CROSS JOIN context_scopes s
        CROSS JOIN context_text t LEFT JOIN context_nodes n ON n.text_row = t.rowid
        WHERE t.context_text MATCH
          ('scopes : "g' || g.value || 'v' || s.vis || '" AND words : "' || w.value || '"')""",
    "dump_surrogates": "SELECT id, nid FROM context_nodes ORDER BY id",
    "dump_revisions": "SELECT provenance_revision, provenance_event_id, visibility FROM context_edges",
    "sizes": """SELECT (SELECT count(*) FROM context_adjacency) AS adjacency, (SELECT count(*) FROM context_fan) AS fan,
        (SELECT count(*) FROM context_keys) AS keys, (SELECT count(*) FROM context_nodes) AS nodes,
        (SELECT count(*) FROM context_edges) AS edges, (SELECT count(*) FROM context_builds) AS builds""",
    "fan_total": "SELECT coalesce(sum(n), 0) AS n FROM context_fan",
    "scan": "EXPLAIN QUERY PLAN SELECT id FROM context_nodes WHERE label = 'x'",
    "exact": "SELECT CAST(value->>0 AS TEXT) AS text FROM json_each(?1)",
}

READS = {
    "scopes_held": "SELECT ?1 AS scopes",
    "echo": "SELECT ?2 AS value, ?1 IS NOT NULL AS scoped",
    "found": """SELECT n.id AS id FROM json_each(?1) s CROSS JOIN json_each(s.value) v
        CROSS JOIN context_keys k ON k.generation = (SELECT generation FROM context_generation) AND k.kind = s.key
          AND k.property = +?2 AND k.value = +?3 AND k.vis = v.value
        CROSS JOIN context_nodes n ON n.nid = k.nid GROUP BY n.id""",
    "slow": """WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1e9)
        SELECT count(*) AS n, ?1 AS scopes FROM c""",
}

WRITES = {
    "break_not_null": "INSERT INTO context_types (etype, name) VALUES (1, NULL)",
    "analyze_now": "ANALYZE",
    "old_schema": "UPDATE context_schema SET version = 0",
}
