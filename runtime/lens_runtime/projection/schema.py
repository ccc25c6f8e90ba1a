"""The projection's tables (seed: context_nodes, context_edges, context_projection_cursors), and what the store adds.

``nid``, ``eid``, ``etype`` and ``vis`` are surrogates that never leave the store. ``vis`` is an interned
scope: (world, context, kind, guard, class, edge class). A guarded record is entered twice, under its
guard value and under ``any``; an adjacency row's scope is that of its far end joined with the edge's class.
``nobs`` is minus the time, so that the newest comes first; ``tie`` orders equal times by a hash of the id, so
that neither hidden rows nor the order of projection choose what a ceiling keeps. ``text_row``, by which a node
stands in the full-text index, is such a hash too.
A database holds one world. ``context_generation`` names the live generation; ``context_builds`` those that
are being built, or wait to be swept.
"""

from __future__ import annotations

VERSION = 4

LEASE = """CREATE TABLE IF NOT EXISTS context_lease (
    name TEXT PRIMARY KEY, holder TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL) STRICT"""

DDL: tuple[str, ...] = (
    LEASE,
    "CREATE TABLE IF NOT EXISTS context_schema (version INTEGER NOT NULL) STRICT",
    """CREATE TABLE IF NOT EXISTS context_generation (
        world TEXT PRIMARY KEY, generation INTEGER NOT NULL, ontology TEXT NOT NULL,
        policy TEXT NOT NULL, built_at INTEGER NOT NULL) STRICT""",
    """CREATE TABLE IF NOT EXISTS context_builds (
        generation INTEGER PRIMARY KEY, world TEXT NOT NULL, started_at INTEGER NOT NULL) STRICT""",
    "CREATE TABLE IF NOT EXISTS context_types (etype INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    """CREATE TABLE IF NOT EXISTS context_scopes (
        vis INTEGER PRIMARY KEY, world TEXT NOT NULL, context TEXT NOT NULL, kind TEXT NOT NULL,
        guard TEXT NOT NULL, class TEXT NOT NULL, edge_class TEXT NOT NULL,
        UNIQUE (world, context, kind, guard, class, edge_class)) STRICT""",
    """CREATE TABLE IF NOT EXISTS context_grants (
        actor TEXT NOT NULL, kind TEXT NOT NULL, guard TEXT NOT NULL, class TEXT NOT NULL, role TEXT NOT NULL,
        PRIMARY KEY (actor, kind, guard, class, role)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS context_nodes (
        nid INTEGER PRIMARY KEY, generation INTEGER NOT NULL, id TEXT NOT NULL,
        world TEXT NOT NULL, context TEXT NOT NULL,
        module TEXT NOT NULL, entity_type TEXT NOT NULL, entity_id TEXT NOT NULL, module_revision TEXT NOT NULL,
        label TEXT NOT NULL, summary TEXT, visibility TEXT NOT NULL, guard TEXT,
        vis INTEGER, vis_any INTEGER, observed_at INTEGER, projected_at INTEGER NOT NULL,
        keys TEXT NOT NULL, properties TEXT NOT NULL, digest TEXT NOT NULL,
        text_row INTEGER NOT NULL, words TEXT NOT NULL,
        UNIQUE (generation, id)) STRICT""",
    "CREATE INDEX IF NOT EXISTS context_nodes_text ON context_nodes (text_row)",
    "CREATE INDEX IF NOT EXISTS context_nodes_module ON context_nodes (generation, module)",
    """CREATE TABLE IF NOT EXISTS context_edges (
        eid INTEGER PRIMARY KEY, generation INTEGER NOT NULL, id TEXT NOT NULL,
        from_node_id TEXT NOT NULL, edge_type TEXT NOT NULL, to_node_id TEXT NOT NULL,
        provenance_module TEXT NOT NULL, provenance_entity_id TEXT NOT NULL,
        provenance_revision TEXT NOT NULL, provenance_event_id TEXT,
        visibility TEXT NOT NULL, observed_at INTEGER, projected_at INTEGER NOT NULL,
        properties TEXT NOT NULL, src INTEGER, dst INTEGER, digest TEXT NOT NULL,
        UNIQUE (generation, id)) STRICT""",
    "CREATE INDEX IF NOT EXISTS context_edges_module ON context_edges (generation, provenance_module)",
    """CREATE INDEX IF NOT EXISTS context_edges_asserted
        ON context_edges (generation, provenance_module, provenance_entity_id)""",
    "CREATE INDEX IF NOT EXISTS context_edges_src ON context_edges (src) WHERE src IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS context_edges_dst ON context_edges (dst) WHERE dst IS NOT NULL",
    """CREATE INDEX IF NOT EXISTS context_edges_unresolved_source
        ON context_edges (generation, from_node_id) WHERE src IS NULL""",
    """CREATE INDEX IF NOT EXISTS context_edges_unresolved_target
        ON context_edges (generation, to_node_id) WHERE dst IS NULL""",
    """CREATE INDEX IF NOT EXISTS context_edges_dangling
        ON context_edges (src, edge_type, visibility, id) WHERE dst IS NULL""",
    """CREATE TABLE IF NOT EXISTS context_adjacency (
        node INTEGER NOT NULL, dir INTEGER NOT NULL, etype INTEGER NOT NULL, vis INTEGER NOT NULL,
        nobs INTEGER NOT NULL, tie INTEGER NOT NULL, eid INTEGER NOT NULL, other INTEGER NOT NULL,
        PRIMARY KEY (node, dir, etype, vis, nobs, tie, eid, other)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS context_fan (
        node INTEGER NOT NULL, dir INTEGER NOT NULL, etype INTEGER NOT NULL, vis INTEGER NOT NULL,
        n INTEGER NOT NULL, PRIMARY KEY (node, dir, etype, vis)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS context_keys (
        generation INTEGER NOT NULL, kind TEXT NOT NULL, property TEXT NOT NULL, value TEXT NOT NULL,
        vis INTEGER NOT NULL, nobs INTEGER NOT NULL, tie INTEGER NOT NULL, nid INTEGER NOT NULL,
        PRIMARY KEY (generation, kind, property, value, vis, nobs, tie, nid)) STRICT, WITHOUT ROWID""",
    # Which words a record's label and summary have, and under which scopes. The words are folded before they come
    # here, so that the tokenizer only splits at blanks. Nothing of the text is kept, and nothing is ever ranked.
    """CREATE VIRTUAL TABLE IF NOT EXISTS context_text USING fts5(
        scopes, words, content='', columnsize=0, detail='column', tokenize='ascii')""",
    """CREATE TABLE IF NOT EXISTS context_projection_cursors (
        generation INTEGER NOT NULL, module TEXT NOT NULL, cursor TEXT NOT NULL, updated_at INTEGER NOT NULL,
        PRIMARY KEY (generation, module)) STRICT, WITHOUT ROWID""",
    # A record that names no other end has no edge: what the module's snapshot had of these is only counted.
    """CREATE TABLE IF NOT EXISTS context_null_references (
        generation INTEGER NOT NULL, module TEXT NOT NULL, edge_type TEXT NOT NULL, n INTEGER NOT NULL,
        PRIMARY KEY (generation, module, edge_type)) STRICT, WITHOUT ROWID""",
    # Committed aggregates belong to no generation: a rebuild carries them over, dropping the tables does not.
    """CREATE TABLE IF NOT EXISTS context_aggregates (
        id TEXT PRIMARY KEY, world TEXT NOT NULL, context TEXT NOT NULL, policy TEXT NOT NULL,
        producer TEXT NOT NULL, owner TEXT NOT NULL, anchor TEXT NOT NULL, band TEXT NOT NULL, audience TEXT NOT NULL,
        input_hash TEXT NOT NULL, fingerprint TEXT NOT NULL, value TEXT NOT NULL, count INTEGER NOT NULL,
        model TEXT NOT NULL, untrusted INTEGER NOT NULL, generated_at INTEGER NOT NULL, inputs TEXT NOT NULL) STRICT""",
    """CREATE INDEX IF NOT EXISTS context_aggregates_key
        ON context_aggregates (world, producer, anchor, band, context, policy, owner)""",
)

TABLES = (
    "context_schema",
    "context_lease",
    "context_generation",
    "context_builds",
    "context_types",
    "context_scopes",
    "context_grants",
    "context_nodes",
    "context_edges",
    "context_adjacency",
    "context_fan",
    "context_keys",
    "context_text",
    "context_projection_cursors",
    "context_null_references",
    "context_aggregates",
)
