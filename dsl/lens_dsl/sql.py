"""The read statements, all of them: constants, so that no query ever becomes SQL text.

``?1`` is the actor's scopes as JSON, ``{kind: [vis, ...]}``, filled by the store from ``SCOPES``;
a statement's own parameters follow from ``?2``. ``CROSS JOIN`` and unary ``+`` hold the query plans
where they are (store.md, traps 2 and 3); a test refuses any SCAN of a ``context_*`` table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from lens_dsl.aggregates_sql import AGGREGATES

# Groups (type x direction x far scope) that one step may seek at each node.
MAX_GROUPS = 256
# Visibility classes that a policy may have.
MAX_CLASSES = 16

# ?1 world, ?2 context, ?3 actor -> (kind, vis). The edge's class must be one that the actor reads: the same rule
# from either end, so that a relationship shows in both directions or in none. Where "any" holds, single guards add
# nothing and are left out: a record is entered under both, and would be found twice.
SCOPES = """
SELECT DISTINCT s.kind, s.vis
FROM (SELECT DISTINCT kind, guard, class FROM context_grants WHERE actor = +?3) g
CROSS JOIN context_scopes s ON s.world = +?1 AND s.context = +?2 AND s.kind = g.kind
  AND s.guard = g.guard AND s.class = g.class
WHERE (s.edge_class = '' OR EXISTS (
  SELECT 1 FROM json_each((SELECT json_group_array(DISTINCT class) FROM context_grants WHERE actor = +?3)) e
  WHERE e.value = s.edge_class))
  AND (g.guard IN ('-', 'any') OR NOT EXISTS (
    SELECT 1 FROM context_grants w
    WHERE w.actor = +?3 AND w.kind = g.kind AND w.guard = 'any' AND w.class = g.class))
ORDER BY s.kind, s.vis
"""

# One bounded traversal of any pattern, in one round trip.
#   ?2 anchors  [[bit, [kind, ...], property, [value, ...]], ...]
#   ?3 plan     {"world": whose live generation is read, "n": nodes in all, "f": edges kept a node and step,
#                "w": edges looked at a node and step, "e": edges looked at in all, "k": scopes that the actor may
#                hold of a kind, "r": rows that looking these up may take, or null (the stores refuse more),
#                "s": [step, ...]}; step i is run i-th:
#      bit      what marks its far nodes; every anchor and step has a bit of its own
#      from     bits: it starts at nodes that hold one of them, but for those that hold one of "skip"
#      into     null, or bits: the far node must hold one of them already (a pattern that closes)
#      go       [[type, direction, [far kind, ...]], ...]: what is followed
#      tests    [[JSON path, operator, value], ...] on the far node's projected properties; all must hold
#      need     1: nothing found here ends the traversal, since no match is possible
# A level is one step. "kept" is ",[nid,bit,fresh]" of every node so far; "found" is what the step saw:
# [looked, [[from, visible, passed, [[eid, dir, other, nobs, tie], ...]], ...]], newest first, at most f + 1 a node,
# of which number f + 1 only proves the cut. "left" is what is left of e. A step gives each of its nodes, in the order
# of kept, what it could need: min(visible, w), or f + 1 where nothing is tested, and one for each of its groups.
# Nodes from the first on that what is left does not do for are passed by, with nothing looked at.
# Ties of time are broken by a hash of the edge's (the node's) id, never by a surrogate: what is hidden, and the
# order in which things came, must not choose what a ceiling keeps.
# Groups are sought, never filtered; within a node they are merged newest first, and the merge stops at the
# window or at f + 1 (NOT MATERIALIZED makes it stop).
# Rows: ('n', bit, nid, fresh, left, 0, node columns, where fresh) a node and bit it holds,
#       ('e', i, from, to, dir, rank, edge columns) an edge seen; rank = f proves a cut,
#       ('w', i, from, visible, seen, passed) a node with more visible edges than f or w, or one that was passed by,
#       ('a', bit, found, 0, 0, 0) how many nodes an anchor found, at most n + 1.
TRAVERSE = """
WITH RECURSIVE
seed(bit, nid, r) AS MATERIALIZED (
  SELECT * FROM (SELECT a.value->>0, h.value->>2,
    row_number() OVER (PARTITION BY a.value->>0 ORDER BY h.value->>0, h.value->>1, h.value->>2) AS r
  FROM json_each(?2) a
  CROSS JOIN context_generation g ON g.world = +(?3->>'$.world')
  CROSS JOIN json_each(a.value, '$[1]') k
  CROSS JOIN json_each(a.value, '$[3]') v
  CROSS JOIN json_each(?1, '$."' || k.value || '"') s
  CROSS JOIN json_each((SELECT json_group_array(json_array(nobs, tie, nid)) FROM (
    SELECT c.nobs, c.tie, c.nid FROM context_keys c
    WHERE c.generation = +g.generation AND c.kind = +k.value AND c.property = +(a.value->>2)
      AND c.value = +v.value AND c.vis = +s.value
    ORDER BY c.nobs, c.tie, c.nid LIMIT (?3->>'$.n') + 1))) h)
  WHERE r <= (?3->>'$.n') + 1
),
level(i, kept, found, left) AS MATERIALIZED (
  SELECT 0, coalesce((
    SELECT group_concat(',' || json_array(nid, bit, fresh), '') FROM (
      SELECT nid, bit, fresh, max(fresh * nth) OVER (PARTITION BY nid) AS nth FROM (
        SELECT nid, bit, fresh, sum(fresh) OVER (ORDER BY bit, r) AS nth FROM (
          SELECT nid, bit, r, row_number() OVER (PARTITION BY nid ORDER BY bit) = 1 AS fresh FROM seed))
      ORDER BY bit, nth)
    WHERE nth <= (?3->>'$.n')), ''), '[0,[]]', ?3->>'$.e'
  UNION ALL
  SELECT level.i + 1,
    level.kept || coalesce((
      SELECT group_concat(',' || json_array(far, step.bit, fresh), '') FROM (
        SELECT far, fresh, sum(fresh) OVER (ORDER BY nobs, tie, far) AS nth FROM (
          SELECT far, min(nobs) AS nobs, tie, count(known) = 0 AS fresh FROM (
            SELECT value->>0 AS far, NULL AS nobs, NULL AS tie, 1 AS known
            FROM json_each('[' || substr(level.kept, 2) || ']')
            UNION ALL
            SELECT e.value->>2, e.value->>3, min(e.value->>4), NULL
            FROM json_each(found.value, '$[1]') f CROSS JOIN json_each(f.value, '$[3]') e
            WHERE e.key < (?3->>'$.f') GROUP BY 1, 2)
          GROUP BY far HAVING min(nobs) IS NOT NULL))
      WHERE NOT fresh OR nth <= room.value), ''),
    found.value,
    level.left - (found.value->>0)
  FROM level
  CROSS JOIN (
    SELECT key AS i, value->>'bit' AS bit, value->>'from' AS origin, value->>'skip' AS skip,
      value->'into' AS ends, value->'go' AS go, value->'tests' AS tests
    FROM json_each(?3, '$.s') LIMIT 64) step ON +step.i = level.i
  CROSS JOIN json_each('[' || (
    (?3->>'$.n') - (length(level.kept) - length(replace(level.kept, ',1]', ''))) / 3) || ']') room
  CROSS JOIN json_each('[' || json_quote((
    SELECT coalesce(json_group_array(json_array(t.etype, d.value->>1, s.value)), '[]')
    FROM json_each(step.go) d
    CROSS JOIN context_types t ON t.name = +(d.value->>0)
    CROSS JOIN json_each(d.value, '$[2]') k
    CROSS JOIN json_each(?1, '$."' || k.value || '"') s)) || ']') groups
  CROSS JOIN json_each('[' || (
    SELECT '[' || coalesce(sum(node.need) FILTER (WHERE node.total <= level.left), 0) || ',[' ||
      coalesce(group_concat('[' || node.nid || ',' || (node.fan->>0) || ',' || (node.total > level.left) || ',' ||
      (WITH RECURSIVE near(etype, dir, vis, nobs, tie, eid, other) AS NOT MATERIALIZED (
        SELECT g.value->>0, g.value->>1, g.value->>2, e.value->>0, e.value->>1, e.value->>2, e.value->>3
        FROM json_each(node.fan, iif(node.total > level.left, '$[2]', '$[1]')) g
        CROSS JOIN json_each('[' || (
          SELECT json_array(y.nobs, y.tie, y.eid, y.other) FROM context_adjacency y
          WHERE y.node = +node.nid AND y.dir = +(g.value->>1) AND y.etype = +(g.value->>0) AND y.vis = +(g.value->>2)
          ORDER BY y.nobs, y.tie, y.eid LIMIT 1) || ']') e
        UNION ALL
        SELECT near.etype, near.dir, near.vis, e.value->>0, e.value->>1, e.value->>2, e.value->>3
        FROM near
        CROSS JOIN json_each('[' || (
          SELECT json_array(y.nobs, y.tie, y.eid, y.other) FROM context_adjacency y
          WHERE y.node = +node.nid AND y.dir = +near.dir AND y.etype = +near.etype AND y.vis = +near.vis
            AND (y.nobs, y.tie, y.eid) > (+near.nobs, +near.tie, +near.eid)
          ORDER BY y.nobs, y.tie, y.eid LIMIT 1) || ']') e
        ORDER BY 4, 5, 6, 2 LIMIT ?3->>'$.w')
      SELECT json_group_array(json_array(eid, dir, other, nobs, tie)) FROM (
        SELECT near.* FROM near
        WHERE (json_type(step.ends) = 'null' OR EXISTS (
            SELECT 1 FROM json_each(step.ends) b
            WHERE instr(level.kept, ',[' || near.other || ',' || b.value || ',') > 0))
          AND (step.tests = '[]' OR EXISTS (
            SELECT 1 FROM context_nodes n WHERE n.nid = near.other AND NOT EXISTS (
              SELECT 1 FROM json_each(step.tests) p WHERE NOT coalesce(CASE p.value->>1
                WHEN '=' THEN (n.properties->>(p.value->>0)) = (p.value->>2)
                WHEN '<>' THEN (n.properties->>(p.value->>0)) <> (p.value->>2)
                WHEN '<' THEN (n.properties->>(p.value->>0)) < (p.value->>2)
                WHEN '<=' THEN (n.properties->>(p.value->>0)) <= (p.value->>2)
                WHEN '>' THEN (n.properties->>(p.value->>0)) > (p.value->>2)
                WHEN '>=' THEN (n.properties->>(p.value->>0)) >= (p.value->>2)
                WHEN 'IN' THEN EXISTS (
                  SELECT 1 FROM json_each(p.value, '$[2]') q WHERE q.value = (n.properties->>(p.value->>0)))
                WHEN 'IS NULL' THEN (n.properties->>(p.value->>0)) IS NULL
                WHEN 'IS NOT NULL' THEN (n.properties->>(p.value->>0)) IS NOT NULL END, 0))))
        LIMIT (?3->>'$.f') + 1)) || ']'), '') || ']]'
    FROM (SELECT nid, fan, need, sum(need) OVER (ORDER BY place) AS total FROM (
      SELECT nid, place, fan, max(json_array_length(fan, '$[1]'), min(fan->>0, ?3->>'$.w',
        CASE WHEN step.tests = '[]' AND json_type(step.ends) = 'null' THEN (?3->>'$.f') + 1 ELSE fan->>0 END)) AS need
      FROM (SELECT f.nid, f.place, (
        SELECT json_array(coalesce(sum(n), 0), json_group_array(json(kind)) FILTER (WHERE n)) FROM (
          SELECT g.value AS kind, (
            SELECT c.n FROM context_fan c WHERE c.node = +f.nid AND c.dir = +(g.value->>1)
              AND c.etype = +(g.value->>0) AND c.vis = +(g.value->>2)) AS n
          FROM json_each(groups.value) g LIMIT 100000)) AS fan
      FROM (
        SELECT value->>0 AS nid, min(key) AS place FROM json_each('[' || substr(level.kept, 2) || ']') GROUP BY 1
        HAVING max((value->>1) & step.origin) > 0 AND max((value->>1) & step.skip) = 0 LIMIT 100000) f
      LIMIT 100000) LIMIT 100000)) node) || ']') found
  WHERE level.kept <> '' AND (level.i = 0
    OR NOT (?3->>('$.s[' || (level.i - 1) || '].need'))
    OR instr(level.kept, ',' || (?3->>('$.s[' || (level.i - 1) || '].bit')) || ',') > 0)
)
SELECT 'n' AS what, k.value->>1 AS at, k.value->>0 AS nid, k.value->>2 AS detail, l.left AS dir, 0 AS rank,
  n.id, n.module, n.entity_type, n.entity_id,
  n.module_revision, n.label, n.summary, n.visibility, n.observed_at, n.properties
FROM (SELECT kept, left FROM level ORDER BY i DESC LIMIT 1) l
CROSS JOIN json_each('[' || substr(l.kept, 2) || ']') k
LEFT JOIN context_nodes n ON n.nid = (k.value->>0) AND (k.value->>2)
UNION ALL
SELECT 'e', l.i, f.value->>0, e.value->>2, e.value->>1, e.key, r.id, r.provenance_module, r.edge_type,
  r.provenance_entity_id, r.provenance_revision, r.provenance_event_id, NULL, r.visibility, r.observed_at, r.properties
FROM level l CROSS JOIN json_each(l.found, '$[1]') f CROSS JOIN json_each(f.value, '$[3]') e
CROSS JOIN context_edges r ON r.eid = (e.value->>0)
UNION ALL
SELECT 'w', l.i, f.value->>0, f.value->>1, json_array_length(f.value, '$[3]'), f.value->>2,
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM level l CROSS JOIN json_each(l.found, '$[1]') f
WHERE (f.value->>1) > min(?3->>'$.w', ?3->>'$.f') OR (f.value->>2 AND f.value->>1)
UNION ALL
SELECT 'a', bit, count(*), 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
FROM seed GROUP BY bit
"""

# Edges of nodes whose target the projection has never had.
#   ?2 {"world": ..., "f": edges given a node, type and class, "e": edges given in all, of which number e + 1 only
#       proves the cut, "ids": [node id, ...],
#       "types": [[type, [far kind, ...]], ...]}
# A node outside the actor's scopes gives nothing, nor does an edge whose class no scope of the actor has, nor a type
# none of whose far kinds the actor is given anything of. Classes are sought, so that what is hidden costs nothing.
DANGLING = f"""
WITH open(class) AS MATERIALIZED (
  SELECT DISTINCT c.class FROM json_each(?1) k CROSS JOIN json_each(k.value) s
  CROSS JOIN context_scopes c ON c.vis = +s.value LIMIT {MAX_CLASSES})
SELECT n.id AS node, r.id AS edge, r.edge_type, r.to_node_id, r.provenance_module, r.provenance_entity_id,
  r.provenance_revision, r.visibility, r.observed_at
FROM context_generation g
CROSS JOIN json_each(?2, '$.ids') i
CROSS JOIN context_nodes n ON n.generation = +g.generation AND n.id = +i.value
CROSS JOIN json_each(?2, '$.types') t
CROSS JOIN open o
CROSS JOIN json_each((SELECT json_group_array(eid) FROM (
  SELECT e.eid FROM context_edges e
  WHERE e.src = +n.nid AND e.dst IS NULL AND e.edge_type = +(t.value->>0) AND e.visibility = +o.class
  ORDER BY e.id LIMIT min(?2->>'$.f', 1000)))) d
CROSS JOIN context_edges r ON r.eid = +d.value
WHERE g.world = +(?2->>'$.world') AND i.key < 10000
  AND EXISTS (SELECT 1 FROM json_each(?1, '$."' || n.entity_type || '"') s WHERE s.value IN (n.vis, n.vis_any))
  AND EXISTS (SELECT 1 FROM json_each(t.value, '$[1]') k WHERE json_type(?1, '$."' || k.value || '"') IS NOT NULL)
LIMIT (?2->>'$.e') + 1
"""

# Records whose label or summary, as projected, has all of some words: candidates, to be read and decided afterwards.
#   ?2 {"world": ..., "n": most candidates, "k" and "r": as of a traversal, "kinds": [kind, ...], "words": [word, ...]}
# Of more than n, n + 1 come: those with the highest rows, which are hashes of their ids. The scopes stand in the text
# that is matched, so that what is hidden takes nobody's place; nothing is ranked, since bm25() reads every hit of a
# common word (924 ms at a million records, this 0.1 ms). Every word is quoted, and holds no quote to begin with.
SEARCH = """
SELECT n.id, n.entity_type, n.entity_id, n.observed_at
FROM context_generation g
CROSS JOIN json_each((SELECT json_group_array(found) FROM (
  SELECT t.rowid AS found FROM context_text t
  WHERE t.context_text MATCH '{scopes} : (' || coalesce((
      SELECT group_concat('"g' || g.generation || 'v' || s.value || '"', ' OR ')
      FROM json_each(?2, '$.kinds') k CROSS JOIN json_each(?1, '$."' || k.value || '"') s), '"none"')
    || ') AND {words} : (' || coalesce((
      SELECT group_concat('"' || replace(w.value, '"', '""') || '"', ' AND ')
      FROM json_each(?2, '$.words') w), '"none of them"') || ')'
  ORDER BY t.rowid DESC LIMIT (?2->>'$.n') + 1))) h
CROSS JOIN context_nodes n ON n.text_row = +h.value
WHERE g.world = +(?2->>'$.world')
"""

READS: dict[str, str] = {
    "traverse": TRAVERSE,
    "dangling": DANGLING,
    "aggregates": AGGREGATES,
    "search": SEARCH,
}


def groups_sought(plan: str, scopes: Mapping[str, Sequence[object]]) -> int:
    """How many groups the widest step of a traversal's plan (``?3``) seeks at a node, for these scopes.

    The stores refuse more than ``MAX_GROUPS``; the gateway Worker counts in the same way.
    """
    steps = json.loads(plan)["s"]
    return max(
        (sum(len(scopes.get(k, ())) for _, _, kinds in s["go"] for k in kinds) for s in steps), default=0
    )


def scopes_allowed(request: str) -> int:
    """How many scopes of one kind the cost of a traversal (its plan) or of a search was stated for."""
    return int(json.loads(request)["k"])


def scopes_searched(request: str, scopes: Mapping[str, Sequence[object]]) -> int:
    """How many scopes a search (``?2``) names, for these scopes; the stores refuse more than ``MAX_GROUPS``."""
    return sum(len(scopes.get(kind, ())) for kind in json.loads(request)["kinds"])
