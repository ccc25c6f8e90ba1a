"""The doctor's statements: fixed reads that count what does not fit together.

``PROBES`` give one row ``(n, example)``: how many, and the id of one record, relationship or aggregate of them
where the graph has one. A probe of a whole generation looks at it in one statement, so that a build meanwhile
shows nothing that is not so. Those of ``RANGED`` look at the surrogates over ?1 up to ?2, so that each statement
stays short on a large graph. Columns of one statement have names of their own, as D1 needs it.
"""

from __future__ import annotations

LIVE = "(SELECT generation FROM context_generation)"
_NO_RECORD = "NOT EXISTS (SELECT 1 FROM context_nodes x WHERE x.nid = {0}.node)"
_ANCHORED = f"x.nid = {{0}}.node AND x.generation = {LIVE}"

# The far end's scope, which an adjacency row must stand under (links.py). Its class is joined with the edge's.
_ROW_FITS = """CASE a.dir WHEN 0 THEN a.node IS e.src AND a.other IS e.dst
    WHEN 1 THEN a.node IS e.dst AND a.other IS e.src ELSE 0 END
  AND t.name IS e.edge_type AND f.generation IS x.generation AND a.nobs IS -coalesce(e.observed_at, 0)
  AND s.context IS f.context AND s.kind IS f.entity_type AND s.class IS f.visibility
  AND s.edge_class IS CASE e.visibility WHEN f.visibility THEN '' ELSE e.visibility END
  AND s.guard IN (coalesce(f.guard, 'any'), CASE f.guard WHEN '-' THEN '-' ELSE 'any' END)"""

# A record stands under its guard value and under "any", or under "-" alone (change.py).
_RECORD_FITS = """(n.guard IS NULL) = (n.vis IS NULL) AND (n.guard IS '-') = (n.vis_any IS NULL)
  AND (n.vis IS NULL OR (s.world = n.world AND s.context = n.context AND s.kind = n.entity_type
    AND s.guard = n.guard AND s.class = n.visibility AND s.edge_class = ''))
  AND (n.vis_any IS NULL OR (w.world = n.world AND w.context = n.context AND w.kind = n.entity_type
    AND w.guard = 'any' AND w.class = n.visibility AND w.edge_class = ''))"""

# The words of a record are folded to letters and digits before they are kept, so that none needs an escape.
_FOUND_BY = """'scopes : g' || n.generation || 'v' || n.vis
    || iif(n.words = '', '', ' AND words : ("' || replace(n.words, ' ', '" AND "') || '")')"""

_OVER_RECORDS: dict[str, str] = {
    "adjacency_without_record": f"""SELECT count(*) AS n, NULL AS example FROM context_adjacency a
        WHERE a.node > +?1 AND a.node <= +?2 AND {_NO_RECORD.format("a")}""",
    "fan_without_record": f"""SELECT count(*) AS n, NULL AS example FROM context_fan g
        WHERE g.node > +?1 AND g.node <= +?2 AND {_NO_RECORD.format("g")}""",
    "adjacency_unfit": f"""SELECT count(*) AS n, min(x.id) AS example FROM context_adjacency a
        CROSS JOIN context_nodes x ON {_ANCHORED.format("a")}
        LEFT JOIN context_edges e ON e.eid = a.eid LEFT JOIN context_nodes f ON f.nid = a.other
        LEFT JOIN context_types t ON t.etype = a.etype LEFT JOIN context_scopes s ON s.vis = a.vis
        WHERE a.node > +?1 AND a.node <= +?2 AND NOT coalesce({_ROW_FITS}, 0)""",
    "adjacency_missing": f"""SELECT count(*) AS n, min(x.id) AS example FROM (
          SELECT u.node, sum(u.rows) AS left_over FROM (
            SELECT e.src AS node, 0 AS dir, (f.vis IS NOT NULL) + (f.vis_any IS NOT NULL) AS rows
            FROM context_edges e CROSS JOIN context_nodes f ON f.nid = e.dst WHERE e.src > +?1 AND e.src <= +?2
            UNION ALL SELECT e.dst, 1, (f.vis IS NOT NULL) + (f.vis_any IS NOT NULL)
            FROM context_edges e CROSS JOIN context_nodes f ON f.nid = e.src WHERE e.dst > +?1 AND e.dst <= +?2
            UNION ALL SELECT node, dir, -1 FROM context_adjacency WHERE node > +?1 AND node <= +?2) u
          GROUP BY u.node, u.dir HAVING left_over > 0) d
        CROSS JOIN context_nodes x ON {_ANCHORED.format("d")}""",
    "fan_unfit": f"""SELECT count(*) AS n, min(x.id) AS example FROM (
          SELECT u.node, sum(u.n) AS difference FROM (
            SELECT node, dir, etype, vis, 1 AS n FROM context_adjacency WHERE node > +?1 AND node <= +?2
            UNION ALL SELECT node, dir, etype, vis, -n FROM context_fan WHERE node > +?1 AND node <= +?2) u
          GROUP BY u.node, u.dir, u.etype, u.vis HAVING difference <> 0) d
        CROSS JOIN context_nodes x ON {_ANCHORED.format("d")}""",
    "records_without_label": f"""SELECT count(*) AS n, min(n.id) AS example FROM context_nodes n
        WHERE n.nid > +?1 AND n.nid <= +?2 AND +n.generation = {LIVE} AND trim(n.label) = ''""",
    "records_out_of_scope": f"""SELECT count(*) AS n, min(n.id) AS example FROM context_nodes n
        LEFT JOIN context_scopes s ON s.vis = n.vis LEFT JOIN context_scopes w ON w.vis = n.vis_any
        WHERE n.nid > +?1 AND n.nid <= +?2 AND +n.generation = {LIVE} AND NOT coalesce({_RECORD_FITS}, 0)""",
    "records_out_of_text": f"""SELECT count(*) AS n, min(n.id) AS example FROM context_nodes n
        WHERE n.nid > +?1 AND n.nid <= +?2 AND +n.generation = {LIVE} AND n.vis IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM context_text WHERE rowid = n.text_row AND context_text MATCH {_FOUND_BY})""",
}

_END_FITS = """(e.{surrogate} IS NULL OR EXISTS (SELECT 1 FROM context_nodes x
    WHERE x.nid = e.{surrogate} AND x.id = e.{id} AND x.generation = e.generation))"""
_FOUND = "(SELECT x.nid FROM context_nodes x WHERE x.generation = e.generation AND x.id = e.{id})"

_OVER_RELATIONSHIPS: dict[str, str] = {
    "relationships_unfit": f"""SELECT count(*) AS n, min(e.id) AS example FROM context_edges e
        WHERE e.eid > +?1 AND e.eid <= +?2 AND +e.generation = {LIVE}
          AND NOT ({_END_FITS.format(surrogate="src", id="from_node_id")}
            AND {_END_FITS.format(surrogate="dst", id="to_node_id")})""",
    "relationships_unlinked": f"""SELECT count(*) AS n, min(e.id) AS example FROM context_edges e
        WHERE e.eid > +?1 AND e.eid <= +?2 AND +e.generation = {LIVE}
          AND ((e.src IS NULL AND {_FOUND.format(id="from_node_id")} IS NOT NULL)
            OR (e.dst IS NULL AND {_FOUND.format(id="to_node_id")} IS NOT NULL))""",
}

# An aggregate from a record that is gone: nobody is given it. What is promoted is known by its content alone.
LOST = f"""a.context <> '' AND EXISTS (SELECT 1 FROM json_each(a.inputs) i WHERE NOT EXISTS (
    SELECT 1 FROM context_nodes x WHERE x.generation = {LIVE} AND x.id = +i.value))"""

_GENERATED = (
    "context_nodes",
    "context_edges",
    "context_keys",
    "context_projection_cursors",
    "context_null_references",
)
_STRAY = """(SELECT count(*) FROM {0} r
    WHERE NOT EXISTS (SELECT 1 FROM context_generation g WHERE +g.generation = r.generation)
      AND NOT EXISTS (SELECT 1 FROM context_builds b WHERE b.generation = r.generation))"""

_WHOLE: dict[str, str] = {
    "keys_unfit": """SELECT count(*) AS n, min(x.id) AS example FROM context_generation g
        CROSS JOIN context_keys k ON k.generation = +g.generation
        LEFT JOIN context_nodes x ON x.nid = k.nid
        WHERE NOT coalesce(x.generation = k.generation AND x.entity_type = k.kind
          AND (k.vis IS x.vis OR k.vis IS x.vis_any) AND k.nobs = -coalesce(x.observed_at, 0), 0)""",
    "keys_missing": """SELECT coalesce(sum(d.missing), 0) AS n, NULL AS example FROM (
          SELECT max(sum(u.n), 0) AS missing FROM (
            SELECT x.vis, 1 AS n FROM context_generation g
            CROSS JOIN context_nodes x ON x.generation = +g.generation WHERE x.vis IS NOT NULL
            UNION ALL SELECT x.vis_any, 1 FROM context_generation g
            CROSS JOIN context_nodes x ON x.generation = +g.generation WHERE x.vis_any IS NOT NULL
            UNION ALL SELECT k.vis, -1 FROM context_generation g
            CROSS JOIN context_keys k ON k.generation = +g.generation WHERE k.property = '') u
          GROUP BY u.vis) d""",
    "text_left_over": """SELECT coalesce(sum(abs(d.left_over)), 0) AS n, NULL AS example FROM (
          SELECT sum(u.n) AS left_over FROM (
            SELECT x.vis, 1 AS n FROM context_generation g
            CROSS JOIN context_nodes x ON x.generation = +g.generation WHERE x.vis IS NOT NULL
            UNION ALL SELECT x.vis_any, 1 FROM context_generation g
            CROSS JOIN context_nodes x ON x.generation = +g.generation WHERE x.vis_any IS NOT NULL
            UNION ALL SELECT s.vis, -(SELECT count(*) FROM context_text
              WHERE context_text MATCH 'scopes : g' || g.generation || 'v' || s.vis)
            FROM context_generation g CROSS JOIN context_scopes s) u
          GROUP BY u.vis) d""",
    "rows_of_no_generation": "SELECT "
    + " + ".join(map(_STRAY.format, _GENERATED))
    + " AS n, NULL AS example",
    "aggregates_lost": f"SELECT count(*) AS n, min(a.id) AS example FROM context_aggregates a WHERE {LOST}",
}

RANGED: dict[str, str] = {
    **dict.fromkeys(_OVER_RECORDS, "surrogates_of_records"),
    **dict.fromkeys(_OVER_RELATIONSHIPS, "surrogates_of_relationships"),
}
"""For each probe over a range, the statement that gives the lowest and the highest surrogate there is."""

DIAGNOSES: dict[str, str] = {
    **_OVER_RECORDS,
    **_OVER_RELATIONSHIPS,
    **_WHOLE,
    "surrogates_of_records": """SELECT (SELECT min(nid) FROM context_nodes) AS low,
        (SELECT max(nid) FROM context_nodes) AS high""",
    "surrogates_of_relationships": """SELECT (SELECT min(eid) FROM context_edges) AS low,
        (SELECT max(eid) FROM context_edges) AS high""",
    "schema_objects": "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name",
    "schema_versions": "SELECT version FROM context_schema ORDER BY rowid",
    "rows_held": """SELECT (SELECT count(*) FROM context_nodes) AS nodes, (SELECT count(*) FROM context_edges) AS edges,
        (SELECT count(*) FROM context_adjacency) AS adjacency, (SELECT count(*) FROM context_fan) AS fan,
        (SELECT count(*) FROM context_keys) AS keys, (SELECT count(*) FROM context_aggregates) AS aggregates""",
    "scopes_open": """SELECT count(*) AS n, coalesce(sum(NOT EXISTS (SELECT 1 FROM context_grants g
          WHERE g.kind = s.kind AND g.guard = s.guard AND g.class = s.class)), 0) AS closed FROM context_scopes s""",
}

WHOLE_READS: dict[str, frozenset[str]] = {
    "adjacency_unfit": frozenset({"context_scopes"}),
    "records_out_of_scope": frozenset({"context_scopes"}),
    "keys_unfit": frozenset({"context_keys"}),
    "keys_missing": frozenset({"context_nodes", "context_keys"}),
    "text_left_over": frozenset({"context_nodes", "context_scopes"}),
    "rows_of_no_generation": frozenset(_GENERATED),
    "aggregates_lost": frozenset({"context_aggregates"}),
    "rows_held": frozenset(
        {
            "context_nodes",
            "context_edges",
            "context_adjacency",
            "context_fan",
            "context_keys",
            "context_aggregates",
        }
    ),
    "scopes_open": frozenset({"context_scopes", "context_grants"}),
}
"""The tables that a statement reads whole, on purpose."""
